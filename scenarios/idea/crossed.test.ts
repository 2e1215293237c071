// What comes at an unlucky moment, or from a model that means no good, costs a talk nothing.
import { randomUUID } from 'node:crypto'
import type { AgentId } from '@treadle/contracts/ids'
import type { Thought } from '@treadle/contracts/thought'
import { beforeEach, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'

// The agents of this file are played by hand, in their own time.
const open = useInProcess('any', { settings: { ideas: { unattendedMs: 600_000 } } as never })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

async function pending(subject: string): Promise<Thought> {
  const { items } = await daemon.client.listThoughts({ query: { subject, status: 'pending' } })
  expect(items).toHaveLength(1)
  return items[0] as Thought
}
const claim = (id: string, agentId: AgentId = 'agent-1') =>
  daemon.client.claimThought({ params: { id }, body: { agentId } })
const answer = ({ id, fence, agentId }: Thought, text: string) =>
  daemon.client.answerThought({
    params: { id },
    body: {
      agentId: agentId ?? 'agent-1',
      fence,
      end: { is: 'answered', text, structured: null, model: 'm-1' },
    },
  })
const start = (text: string, engine: string) => daemon.client.startIdea({ body: { text, by: 'ada', engine } })

test('a reply with hundreds of risks leaves an idea that can be read', async () => {
  const { slug } = await start('A lighthouse for moths', 'native')
  await answer(await claim((await pending(slug)).id), `**Risks**:\n${'- moths\n'.repeat(900)}\nWhich first?`)
  const { items } = await daemon.client.ideaMessages({ params: { id: slug }, query: {} })
  expect(items).toHaveLength(2)
  expect(await daemon.client.showIdea({ params: { id: slug }, query: {} })).toMatchObject({ waiting: false })
})

test('who comes too late to claim the last try does not end it', async () => {
  const { slug } = await start('A sundial for cellars', 'native')
  const { id } = await pending(slug)
  let held = await claim(id)
  // The same agent comes back after each kill, until this is its last try.
  for (let nth = 1; nth < 3; nth += 1) held = await claim(id)
  await expect(claim(id, 'agent-2')).rejects.toMatchObject({ status: 409, code: 'already_claimed' })
  expect(await answer(held, 'Who goes into the cellar?')).toMatchObject({ is: 'taken' })
})

test('the same beginning sent twice at once is one idea', async () => {
  const messageId = randomUUID()
  const body = { text: 'A compass for snails', by: 'ada', engine: 'none', messageId }
  const begun = await Promise.all([1, 2, 3, 4].map(() => daemon.client.startIdea({ body })))
  expect(begun.map(({ slug }) => slug)).toEqual(Array(4).fill('compass-snails'))
})

test('two people who answer one question at once: one has answered it, and the next stays open', async () => {
  const { slug } = await start('A whistle for fog', 'none')
  const { items } = await daemon.client.listQuestions({ query: { status: 'open' } })
  const first = items.find(({ subject }) => subject === `idea:${slug}:target-user`)
  const given = await Promise.allSettled(
    ['Pilots', 'Sailors', 'Shepherds'].map((text) =>
      daemon.client.answerQuestion({ params: { id: first?.id ?? '' }, body: { text } }),
    ),
  )
  expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { questions } = await daemon.client.showIdea({ params: { id: slug }, query: {} })
  expect(questions[0]?.id).toBe('problem')
})

test('what a thought costs is booked on it, and in the day', async () => {
  const { slug } = await start('A kite for no wind', 'native')
  const held = await claim((await pending(slug)).id)
  const before = await daemon.client.costTotals({ query: {} })
  const id = randomUUID()
  const asked = {
    id,
    agentId: 'agent-1',
    item: null,
    runId: null,
    thoughtId: held.id,
    model: 'native',
    costUSD: 0.5,
  }
  const reserve = (fence: number) => daemon.client.reserveCost({ body: { ...asked, fence } })
  expect(await reserve(held.fence + 1)).toMatchObject({ is: 'refused' })
  expect(await reserve(held.fence)).toMatchObject({ is: 'granted' })
  const cost = {
    agentId: 'agent-1',
    projectNumber: 1,
    itemNumber: null,
    runId: null,
    thoughtId: held.id,
    model: 'm-1',
    tokens: { input: 10, output: 5 },
    costUSD: 0.25,
    assumed: false,
    timestamp: new Date().toISOString(),
  }
  await daemon.client.settleCost({ body: { id, cost, next: null } })
  await answer(held, 'Why?')
  const { costUSD } = await daemon.client.showThought({ params: { id: held.id } })
  expect(costUSD).toBe(0.25)
  const after = await daemon.client.costTotals({ query: {} })
  expect(after.totalUSD - before.totalUSD).toBeCloseTo(0.25)
  expect(after.reservedUSD).toBe(0)
})
