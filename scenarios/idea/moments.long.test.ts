// kill -9 of the daemon, of its agent and of both at ten moments of a talk that a model replies in, in the order of a
// seed: no message is lost, none is answered twice, and an answer that had come is not asked for again.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Thought } from '@treadle/contracts/thought'
import { eachSeed } from '@treadle/requirements/seeds'
import { afterAll, expect, vi } from 'vitest'
import { agentOf, untilAgent } from '../kit/agents.ts'
import { clearWorkspace, type Daemon, startDaemon } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 900_000 })
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

const artifact = { type: 'target-user', summary: 'Owls', text: 'Owls', confidence: 0.8 }
const block = JSON.stringify({ artifacts: [artifact], questions: ['Who else?'], confidence: 0.2 })
const scenario = {
  version: 1,
  items: [],
  thoughts: [
    {
      match: { kind: 'idea_reply', subject: '*' },
      replies: [
        [
          { say: { text: 'I think about it.' } },
          { wait: { ms: 2_500 } },
          { say: { text: `For owls?\n\n\`\`\`json\n${block}\n\`\`\`` } },
        ],
      ],
    },
  ],
}
const limits = {
  heartbeatMs: 200,
  degradedMs: 4_000,
  unresponsiveMs: 8_000,
  sweepMs: 500,
  restartsPerHour: 100,
}
const settings = {
  engines: { default: 'scripted', scripted: { scenario: 'scenario.json' } },
  ideas: { unattendedMs: 600_000 },
  limits,
}

class Talks {
  readonly workspace = makeWorkspace({
    settings: settings as never,
    files: { 'scenario.json': JSON.stringify(scenario) },
  })
  #daemon: Daemon | undefined

  constructor() {
    made.push(this.workspace)
  }

  get daemon(): Daemon {
    if (this.#daemon === undefined) throw new Error('there is no daemon yet')
    return this.#daemon
  }

  async up(): Promise<void> {
    this.#daemon = await startDaemon(this.workspace)
    await this.daemon.client.startAgents({ body: { count: 1 } })
  }

  async killDaemon(): Promise<void> {
    const { pid } = this.daemon
    kill(pid)
    await waitGone(pid)
    await this.up()
  }

  async agentPid(): Promise<number> {
    return (await untilAgent(this.daemon, 'has a process', ({ pid }) => pid !== null)).pid ?? 0
  }

  async thought(subject: string): Promise<Thought> {
    const [first] = (await this.daemon.client.listThoughts({ query: { subject } })).items
    if (first === undefined) throw new Error(`nothing is thought about ${subject}`)
    return first
  }

  until(subject: string, what: string, is: (thought: Thought) => boolean): Promise<Thought> {
    return eventually(what, async () => {
      const thought = await this.thought(subject)
      return is(thought) ? thought : undefined
    })
  }

  async untilSaid(subject: string): Promise<void> {
    const { id } = await this.thought(subject)
    await eventually('the model to say something', async () => {
      const { items } = await this.daemon.client.events({ query: { type: 'thought.said', limit: 1_000 } })
      return items.some(({ event }) => 'thought' in event && event.thought === id) || undefined
    })
  }

  /** The agent has the answer, and nobody hears of it until the daemon is let go, or killed. */
  async untilAnswerIsKept(subject: string): Promise<void> {
    await this.untilSaid(subject)
    process.kill(this.daemon.pid, 'SIGSTOP')
    const file = join(this.workspace.paths.spool, 'agent-1.thought.json')
    await eventually('the answer on disk', () => existsSync(file) || undefined)
  }
}

interface Moment {
  readonly name: string
  /** The answer had come: it is not asked for a second time. */
  readonly hadCome: boolean
  readonly act: (talks: Talks, slug: string) => Promise<void>
}

const MOMENTS: readonly Moment[] = [
  {
    name: 'daemon, message on its way',
    hadCome: false,
    act: async (talks, slug) => {
      const body = { text: 'And mice', messageId: randomUUID() }
      const say = () => talks.daemon.client.sayToIdea({ params: { id: slug }, body })
      const first = say().catch(() => undefined)
      await talks.killDaemon()
      await first
      await say()
    },
  },
  { name: 'daemon, reply not begun', hadCome: false, act: (talks) => talks.killDaemon() },
  {
    name: 'agent, has claimed',
    hadCome: false,
    act: async (talks, slug) => {
      await talks.until(slug, 'the claim', ({ status }) => status !== 'pending')
      kill(await talks.agentPid())
    },
  },
  {
    name: 'agent, model speaks',
    hadCome: false,
    act: async (talks, slug) => {
      await talks.untilSaid(slug)
      kill(await talks.agentPid())
    },
  },
  {
    name: 'agent, has the answer',
    hadCome: true,
    act: async (talks, slug) => {
      const pid = await talks.agentPid()
      await talks.untilAnswerIsKept(slug)
      kill(pid)
      process.kill(talks.daemon.pid, 'SIGCONT')
    },
  },
  {
    name: 'daemon, model speaks',
    hadCome: false,
    act: async (talks, slug) => {
      await talks.untilSaid(slug)
      await talks.killDaemon()
    },
  },
  {
    name: 'daemon, agent has the answer',
    hadCome: true,
    act: async (talks, slug) => {
      await talks.untilAnswerIsKept(slug)
      await talks.killDaemon()
    },
  },
  {
    name: 'both, model speaks',
    hadCome: false,
    act: async (talks, slug) => {
      await talks.untilSaid(slug)
      kill(await talks.agentPid())
      await talks.killDaemon()
    },
  },
  {
    name: 'both, agent has the answer',
    hadCome: true,
    act: async (talks, slug) => {
      const pid = await talks.agentPid()
      await talks.untilAnswerIsKept(slug)
      kill(pid)
      await talks.killDaemon()
    },
  },
  {
    name: 'daemon, answer taken',
    hadCome: true,
    act: async (talks, slug) => {
      await talks.until(slug, 'the answer', ({ status }) => status === 'done')
      await talks.killDaemon()
    },
  },
]

eachSeed('whoever is killed at whichever moment, each talk has its one reply', async ({ random }) => {
  const talks = new Talks()
  await talks.up()
  await untilAgent(talks.daemon, 'is there', ({ status }) => status === 'idle')
  const beside = await talks.daemon.client.startIdea({
    body: { text: 'An interview beside', engine: 'none' },
  })
  const order = MOMENTS.map((moment) => ({ moment, at: random() })).toSorted((a, b) => a.at - b.at)
  for (const [nth, { moment }] of order.entries()) {
    process.stderr.write(`moment ${nth + 1}: ${moment.name}\n`)
    const body = { text: `Killed ${moment.name}`, messageId: randomUUID() }
    const { slug } = await talks.daemon.client.startIdea({ body })
    await moment.act(talks, slug)
    // Whoever sends the beginning again gets the idea that there is.
    expect((await talks.daemon.client.startIdea({ body })).slug).toBe(slug)
    await talks.daemon.client.sayToIdea({ params: { id: beside.slug }, body: { text: `Answer ${nth}` } })
    await expectOneReply(talks, slug, moment)
  }
  const { messageCount } = await talks.daemon.client.showIdea({ params: { id: beside.slug }, query: {} })
  expect(messageCount).toBe(2 + 2 * MOMENTS.length)
  expect(await agentOf(talks.daemon)).toMatchObject({ wanted: 'running' })
})

async function expectOneReply(talks: Talks, slug: string, { name, hadCome }: Moment): Promise<void> {
  const { client } = talks.daemon
  const view = await eventually(`the reply after: ${name}`, async () => {
    const now = await client.showIdea({ params: { id: slug }, query: { waitMs: 1_000 } })
    return now.waiting ? undefined : now
  })
  expect([name, view.mode, view.reply]).toEqual([name, 'engine', 'For owls?'])
  const { items: messages } = await client.ideaMessages({ params: { id: slug }, query: {} })
  const { items: thoughts } = await client.listThoughts({ query: { subject: slug } })
  const answered = thoughts.filter(({ status }) => status === 'done')
  const replies = messages.filter(({ role }) => role === 'assistant')
  expect([name, replies.map(({ id }) => id)]).toEqual([name, answered.map(({ id }) => id)])
  expect(replies.length).toBeLessThanOrEqual(messages.length - replies.length)
  // Claimed once is asked once.
  if (hadCome) expect([name, thoughts.map(({ fence }) => fence)]).toEqual([name, [1]])
  await eventually(
    'its documents',
    () => existsSync(join(talks.workspace.root, view.folder ?? '?', 'target-users.md')) || undefined,
  )
}
