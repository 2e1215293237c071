// A real agent and a scripted model talk through all four phases to a brief, and what is said is shown while it comes;
// an agent that is killed between the answer and the telling of it has it told by whoever comes after it.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { clearWorkspace, type Daemon, startDaemon } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace } from '../kit/workspace.ts'
import { writeIdea } from '../spec/idea-files.ts'
import { GOOD, withTasks } from '../spec/written-answers.ts'

const block = (given: object) => `\n\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\``
const artifact = (type: string, text: string) => ({
  type,
  summary: text.split('\n')[0],
  text,
  confidence: 0.8,
})
const validation = (text: string) => ({ type: 'validation', text })

const REPLIES = [
  `Who would use it first?${block({ questions: ['Who would use it first?'], confidence: 0.1 })}`,
  `So it is for **families**. What must it do first?${block({
    artifacts: [
      artifact('target-user', 'Families who shop together'),
      artifact('problem', 'Two people buy the same milk'),
      artifact('solution-concept', 'A list on each phone, merged later'),
    ],
    confidence: 0.3,
  })}`,
  `That is a small first version. What speaks for it?${block({
    artifacts: [
      artifact('mvp-features', '- **Offline list**: works without a network\n- **Merge**: joins two lists'),
      artifact('differentiator', 'Needs no server'),
    ],
    confidence: 0.5,
  })}`,
  `Noted. When is it done?${block({
    decisions: ['Families share lists', 'Shops have bad networks', 'Merging by item is enough'].map(
      validation,
    ),
    risks: [{ text: 'Phones stop background work' }],
    confidence: 0.6,
  })}`,
  `That makes a brief. Anything else?${block({
    decisions: [{ type: 'done', text: 'A list is there after a restart without a network' }],
    confidence: 0.8,
  })}`,
]
const SAYS = ['Families', 'Offline list and merge', 'I asked nine families', 'When it survives a restart']

const usage = { model: 'script-1', inputTokens: 10, outputTokens: 5, usd: 0.01 }
const scenario = {
  version: 1,
  items: [],
  thoughts: [
    {
      match: { kind: 'idea_reply', subject: 'offline*' },
      replies: REPLIES.map((text) => [{ use: usage }, { say: { text } }]),
    },
    {
      match: { kind: 'spec_write', subject: 'written*' },
      replies: [withTasks({ T1: { validation: 'true' } }), GOOD].map((given) => [
        { use: usage },
        { say: { text: JSON.stringify(given) } },
      ]),
    },
    {
      match: { kind: 'idea_reply', subject: 'killed*' },
      replies: [
        [
          { say: { text: 'I think about it.' } },
          { wait: { ms: 4_000 } },
          { say: { text: 'Who is it for?' } },
        ],
        [{ say: { text: 'I was asked twice?' } }],
      ],
    },
  ],
}

const workspace = makeWorkspace({
  settings: { engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } } as never },
  files: { 'scenario.json': JSON.stringify(scenario) },
})
let daemon: Daemon
beforeAll(async () => {
  daemon = await startDaemon(workspace)
  await daemon.client.startAgents({ body: { count: 1 } })
}, 120_000)
afterAll(() => clearWorkspace(workspace))

const show = (id: string) => daemon.client.showIdea({ params: { id }, query: { waitMs: 60_000 } })

verifies(
  ['AGENT-IDEATION-1', 'AGENT-IDEATION-2', 'AGENT-IDEATION-20', 'AGENT-IDEATION-24'],
  'from a sentence to a brief in five replies of a model',
  async () => {
    const { client } = daemon
    const { slug } = await client.startIdea({ body: { text: 'An offline-first shopping list', by: 'ada' } })
    expect(await show(slug)).toMatchObject({
      phase: 'EXPLORING',
      mode: 'engine',
      engine: 'scripted',
      reply: 'Who would use it first?',
      waiting: false,
      questions: [{ text: 'Who would use it first?' }],
    })
    const phases: string[] = []
    for (const text of SAYS) {
      await client.sayToIdea({ params: { id: slug }, body: { text, by: 'ada', messageId: randomUUID() } })
      phases.push((await show(slug)).phase)
    }
    expect(phases).toEqual(['NARROWING', 'VALIDATING', 'REFINING', 'COMPLETE'])
    const done = await show(slug)
    expect(done).toMatchObject({ status: 'complete', confidence: 0.8, missing: [], messageCount: 10 })
    expect(done.reply).toBe('That makes a brief. Anything else?')
    const { path, text } = await client.ideaBrief({ params: { id: slug } })
    expect(readFileSync(join(workspace.root, path), 'utf8')).toBe(text)
    expect(text).toContain('- **Offline list**: works without a network')
    expect(text).toContain('- A list is there after a restart without a network')
    await expectTold(slug)
  },
)

/** Said while it came, paid for, and one thought for each reply. */
async function expectTold(slug: string): Promise<void> {
  const { client } = daemon
  const { items: thoughts } = await client.listThoughts({ query: { subject: slug } })
  expect(thoughts.map(({ status, nth, agentId, costUSD }) => ({ status, nth, agentId, costUSD }))).toEqual(
    [5, 4, 3, 2, 1].map((nth) => ({ status: 'done', nth, agentId: 'agent-1', costUSD: 0.01 })),
  )
  const { items } = await client.events({ query: { limit: 1_000 } })
  const said = items.flatMap(({ event }) => (event.type === 'thought.said' ? [event.text] : []))
  expect(said).toHaveLength(5)
  expect(said[0]).toContain('Who would use it first?')
  const completed = items.filter(({ event }) => event.type === 'ideation.completed')
  expect(completed).toHaveLength(1)
  const { totalUSD } = await client.costTotals({ query: {} })
  expect(totalUSD).toBeCloseTo(0.05)
}

test('an agent that is killed with the answer in its hands: it is told once, and no model is asked again', async () => {
  const { client, pid } = daemon
  const { slug } = await client.startIdea({ body: { text: 'Killed in the middle', by: 'ada' } })
  const [asked] = (await client.listThoughts({ query: { subject: slug } })).items
  const id = asked?.id ?? ''
  await eventually('the model to say something', async () => {
    const { items } = await client.events({ query: { limit: 1_000 } })
    return items.some(({ event }) => event.type === 'thought.said' && event.thought === id) || undefined
  })
  const { pid: agent } = await agentOf(daemon)
  // Nobody hears what the agent says next: it has the answer on disk, and cannot tell it.
  process.kill(pid, 'SIGSTOP')
  try {
    const file = join(workspace.paths.spool, 'agent-1.thought.json')
    await eventually('the answer on disk', async () => existsSync(file) || undefined)
    process.kill(agent ?? 0, 'SIGKILL')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(await show(slug)).toMatchObject({ waiting: false, reply: 'Who is it for?', messageCount: 2 })
  await untilAgent(daemon, 'is back', ({ pid: now, status }) => now !== agent && status === 'idle')
  const { items } = await client.listThoughts({ query: { subject: slug } })
  // A second call of the model would have been a second claim.
  expect(items).toMatchObject([{ id, status: 'done', fence: 1, answer: { text: 'Who is it for?' } }])
  const { items: messages } = await client.ideaMessages({ params: { id: slug }, query: {} })
  expect(messages.map(({ id: said, role }) => (role === 'assistant' ? said : role))).toEqual(['user', id])
}, 120_000)

test('a daemon that is killed between the answer and the writing of it: the next one writes it, and no model is asked again', async () => {
  writeIdea(workspace, 'written-by-a-script')
  const params = { id: 'written-by-a-script' }
  const spec = () => daemon.client.showSpecification({ params, query: { waitMs: 20_000 } })
  const thoughts = async () =>
    (await daemon.client.listThoughts({ query: { subject: params.id } })).items.map(({ status }) => status)
  const made = await daemon.client.generateSpecification({ body: { ideaSlug: params.id } })
  expect(made).toMatchObject({ writtenBy: 'rules', waiting: true })
  // The answer is taken, and cannot be written down: a merge is under way in the checkout.
  workspace.write('.git/MERGE_HEAD', '')
  await eventually('both answers', async () => ((await thoughts()).join() === 'done,done' ? true : undefined))
  kill(daemon.pid)
  await waitGone(daemon.pid)
  rmSync(join(workspace.root, '.git/MERGE_HEAD'))
  daemon = await startDaemon(workspace)
  const written = await eventually('the specification', async () => {
    const now = await spec()
    return now.waiting ? undefined : now
  })
  expect(written).toMatchObject({ writtenBy: 'scripted', revision: 2, validation: { ok: true } })
  expect(written.tasks).toHaveLength(12)
  expect(await thoughts()).toEqual(['done', 'done'])
}, 120_000)
