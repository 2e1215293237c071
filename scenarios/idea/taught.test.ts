// What finished talks have taught comes into the prompts of later ones, on trial: an agent is played by hand.
import type { Thought } from '@treadle/contracts/thought'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const open = useInProcess('any', { settings: { ideas: { unattendedMs: 600_000 }, limits: { sweepMs: 300 } } })
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const SECTION = '## What Earlier Talks Have Taught'
const WARNING = 'Answers about problem stay unsure: ask for an example or a number.'
const FIELDS = ['target-user', 'problem', 'solution-concept', 'mvp-features', 'differentiator']

const start = (text: string) => daemon.client.startIdea({ body: { text, by: 'ada', engine: 'native' } })
const say = (id: string, text: string, engine?: string) =>
  daemon.client.sayToIdea({
    params: { id },
    body: { text, by: 'ada', ...(engine === undefined ? {} : { engine }) },
  })
const phaseOf = async (id: string) => (await daemon.client.showIdea({ params: { id }, query: {} })).phase
const lookedBack = (id: string) =>
  eventually('the look back', () =>
    daemon.client.ideaRetrospective({ params: { id } }).catch(() => undefined),
  )

async function pending(subject: string): Promise<Thought> {
  const { items } = await daemon.client.listThoughts({ query: { subject, status: 'pending' } })
  expect(items).toHaveLength(1)
  return items[0] as Thought
}

/** A talk with a model to its end; `sure` of the problem. Answers what it was told, and the look back on it. */
async function finished(text: string, sure: number) {
  const { slug } = await start(text)
  const { id, system } = await pending(slug)
  const { fence } = await daemon.client.claimThought({ params: { id }, body: { agentId: 'agent-1' } })
  const brought = {
    artifacts: FIELDS.map((type) => ({
      type,
      summary: type,
      text: `all of ${type}`,
      confidence: type === 'problem' ? sure : 0.8,
    })),
    decisions: [
      ...['one', 'two', 'three'].map((which) => ({ type: 'validation', text: `assumption ${which}` })),
      { type: 'done', text: 'it waters' },
    ],
    risks: [{ text: 'mould' }],
    confidence: 0.9,
  }
  const said = `Clear.\n\n\`\`\`json\n${JSON.stringify(brought)}\n\`\`\``
  const end = { is: 'answered' as const, text: said, structured: null, model: 'm-1' }
  await daemon.client.answerThought({ params: { id }, body: { agentId: 'agent-1', fence, end } })
  expect(await phaseOf(slug)).toBe('COMPLETE')
  return { system, seen: await lookedBack(slug) }
}

/** Begins talks until of both kinds there was one, those that are told it and those that it is kept from. */
async function drawn(act: (talk: { slug: string; isTold: boolean }) => Promise<void>): Promise<void> {
  const sides = new Set<boolean>()
  for (let nth = 0; sides.size < 2; nth += 1) {
    if (nth === 40) throw new Error('every draw had the same outcome')
    const { slug } = await start(`Beds for number ${nth}`)
    const { system } = await pending(slug)
    const isTold = system.includes(SECTION)
    expect(system.includes(`- ${WARNING}`)).toBe(isTold)
    if (!sides.has(isTold)) await act({ slug, isTold })
    sides.add(isTold)
  }
}

async function learnedOnce(): Promise<string> {
  const { system, seen } = await finished('A greenhouse for one', 0.65)
  expect(system).not.toContain(SECTION)
  expect(seen.learned).toMatchObject([{ type: 'gotcha', text: WARNING }])
  return seen.learned[0]?.lessonId ?? ''
}

async function countsOf(id: string) {
  const { trial } = await daemon.client.showLesson({ params: { id } })
  return { shown: trial?.shown, withheld: trial?.withheld }
}

async function asInterview(text: string): Promise<void> {
  const { slug } = await start(text)
  await say(slug, 'Gardeners', 'none')
  for (let nth = 0; nth < 9; nth += 1) await say(slug, `An answer to question ${nth}`)
  expect(await phaseOf(slug)).toBe('COMPLETE')
  await lookedBack(slug)
}

verifies(
  ['AGENT-SIA-2', 'AGENT-SIA-34', 'AGENT-CONTEXT-1'],
  'what a talk has taught is told to later ones or withheld by a draw, and each of them counts for its side',
  async () => {
    const id = await learnedOnce()
    await daemon.client.recordLesson({
      body: { type: 'gotcha', content: 'Run the migrations first.', confidence: 0.9 },
    })
    await drawn(async ({ slug, isTold }) => {
      await say(slug, 'With tomatoes')
      const { system } = await pending(slug)
      // The same talk is told the same with each message, and nothing about code.
      expect(system.includes(SECTION)).toBe(isTold)
      expect(system).not.toContain('Run the migrations first.')
      if (isTold) expect(system.indexOf(SECTION)).toBeLessThan(system.indexOf('## Response Guidelines'))
    })

    // One that avoids what it warns of speaks for its side, one that does not against it.
    const sides = { shown: { good: 0, bad: 0 }, withheld: { good: 0, bad: 0 } }
    expect(await countsOf(id)).toMatchObject(sides)
    for (const [nth, sure] of [0.8, 0.65, 0.8].entries()) {
      const { system } = await finished(`A shed of kind ${nth}`, sure)
      sides[system.includes(WARNING) ? 'shown' : 'withheld'][sure < 0.7 ? 'bad' : 'good'] += 1
    }
    const settled = await countsOf(id)
    expect(settled).toMatchObject(sides)
    // A talk that ends as an interview says nothing about what a model was told in it.
    await asInterview('A shed that is asked about')
    expect(await countsOf(id)).toEqual(settled)
  },
)
