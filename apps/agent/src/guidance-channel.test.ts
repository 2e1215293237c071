// Words at awkward moments: each reaches the engine or its next plan, and an answer only whoever asked.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunNote } from '@treadle/contracts/event'
import type { Guidance, Plan, Question } from '@treadle/contracts/paor'
import { runTurn, type TurnWorld } from '@treadle/flow/build/turn.run'
import type { EngineOpen, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { atSomePace } from '@treadle/requirements/pace'
import { expect, test } from 'vitest'
import { clock } from './compose.ts'
import { RunGuidanceChannel } from './guidance-channel.ts'
import type { Home } from './home.ts'

const guidance = (text: string, answers: string | null = null): Guidance => ({
  id: randomUUID(),
  by: 'owner',
  text,
  answers,
})

/** A daemon's answers, from a list that grows. */
function homeOf(feed: Guidance[], history: { at: string; event: object }[], runId: string): Home {
  const stored = history.map((each, index) => ({ ...each, runId, cursor: `1.${index + 1}` }))
  const client = () => ({
    listGuidance: async ({ query }: { query: { after: string; waitMs: number } }) => {
      const after = Number(query.after.split('.')[1])
      for (let waited = 0; waited < query.waitMs && feed.length <= after; waited += 10) await sleep(10)
      const items = feed.map((each, index) => ({ cursor: `0.${index + 1}`, guidance: each })).slice(after)
      return { items, question: null, over: false }
    },
    runHistory: async ({ query }: { query: { after: string } }) => ({
      items: query.after === '0.0' ? stored : [],
      cursor: '9.9',
    }),
  })
  return { client } as unknown as Home
}

interface Scene {
  readonly feed?: Guidance[]
  readonly history?: { at: string; event: object }[]
  readonly goal?: boolean
  /** How long money is waited for. */
  readonly purseMs?: number
  readonly turn: (task: EngineTask, open: EngineOpen, notes: readonly RunNote[]) => Promise<TurnEnd>
}

async function play({ feed = [], history = [], goal = true, purseMs = 0, turn }: Scene) {
  const runId = randomUUID()
  let atWork: string | null = runId
  const guidanceChannel = new RunGuidanceChannel(runId)
  const log = () => undefined
  await guidanceChannel.prepare(
    { home: homeOf(feed, history, runId), clock, log, runId: () => atWork },
    history.length > 0,
  )
  const notes: RunNote[] = []
  const steered: string[] = []
  const begin = async () => {
    await sleep(purseMs)
    return { used: () => undefined, ready: async () => undefined, end: async () => undefined }
  }
  const world = {
    clock,
    guidanceChannel,
    env: {},
    worktree: '/',
    signal: new AbortController().signal,
    note: (note: RunNote) => notes.push(note),
    say: async (note: RunNote) => void notes.push(note),
    config: sampleConfig({}),
    budget: { begin },
  } as unknown as TurnWorld
  const task: EngineTask = {
    text: 'Rename it',
    item: null,
    attempt: 1,
    testCommand: null,
    failures: [],
    evidence: [],
    ...(goal
      ? {
          goal: {
            iterationsMax: 3,
            stuckAfter: 3,
            verifyCommand: null,
            guidance: [],
            ...guidanceChannel.past(),
          },
        }
      : {}),
  }
  const end = await runTurn(world, {
    engine: {
      id: 'by hand',
      takes: 'all',
      plans: true,
      probe: async () => ({ is: 'usable', note: '' }),
      open: async (open) => ({
        prompt: (given) => turn(given, open, notes),
        steer: async (text) => steered.push(text) > 0,
        interrupt: async () => undefined,
        stop: async () => undefined,
      }),
    },
    task,
  })
  atWork = null
  return { end, notes, steered }
}

const plan = (words: readonly string[]): Plan => ({
  iteration: 1,
  tasks: [{ id: 'a', text: 'Search', dependsOn: [], by: 'self' }],
  scope: [],
  guidance: [...words],
  why: '',
})
const question = (id: string, title = 'Which name?'): Question => ({
  id,
  kind: 'guidance',
  title,
  options: [],
})
const askedIn = (notes: readonly RunNote[]) =>
  notes.flatMap((note) => (note.type === 'run.asked' ? [note.question.id] : []))

test('words that come while money is waited for are in the task of a goal', () =>
  atSomePace(async (unitMs) => {
    const feed: Guidance[] = []
    const late = guidance('Only in src/utils')
    setTimeout(() => feed.push(late), unitMs / 5)
    const { end } = await play({
      feed,
      purseMs: 2 * unitMs,
      turn: async (task) => ({ outcome: 'done', text: (task.goal?.guidance ?? []).join() }),
    })
    expect(end.text).toBe('Only in src/utils')
  }))

test('words that come while money is waited for steer the turn of an ordinary item', () =>
  atSomePace(async (unitMs) => {
    const feed: Guidance[] = []
    const late = guidance('Use the other file')
    setTimeout(() => feed.push(late), unitMs / 5)
    const { steered, notes } = await play({
      feed,
      goal: false,
      purseMs: 2 * unitMs,
      turn: async () => {
        await sleep(unitMs)
        return { outcome: 'done', text: '' }
      },
    })
    expect(steered).toEqual(['Use the other file'])
    expect(notes).toContainEqual({ type: 'run.heard', guidance: [late.id] })
  }))

test('an answer of an earlier run of the item answers nothing in this one', async () => {
  const feed = [guidance('Yes, the old one', 'reflection-2')]
  const { notes, end } = await play({
    feed,
    turn: async (_, open, told) => {
      const asked = open.onQuestion(question('reflection-2'))
      const early = await Promise.race([asked, sleep(200).then(() => null)])
      expect(early).toBeNull()
      const [id = ''] = askedIn(told)
      feed.push(guidance('The new one', id))
      return { outcome: 'done', text: (await asked).text }
    },
  })
  expect(end.text).toBe('The new one')
  expect(askedIn(notes)).toHaveLength(1)
})

test('the answer to a question that nobody waits for any more reaches the engine all the same', () =>
  atSomePace(async (unitMs) => {
    const feed: Guidance[] = []
    const history = [{ at: new Date().toISOString(), event: { type: 'run.asked', question: question('q1') } }]
    const { steered } = await play({
      feed,
      history,
      turn: async (_, open) => {
        open.onEvent({ is: 'planned', plan: plan([]) })
        feed.push(guidance('Call it fetchUser', 'q1'))
        await sleep(unitMs)
        return { outcome: 'done', text: '' }
      },
    })
    expect(steered).toEqual(['Call it fetchUser'])
  }))

test('a question that a predecessor left open is waited for, and asked anew after another plan', async () => {
  const history = [{ at: new Date().toISOString(), event: { type: 'run.asked', question: question('q1') } }]
  const feed: Guidance[] = []
  setTimeout(() => feed.push(guidance('fetchUser', 'q1')), 100)
  const same = await play({
    feed,
    history,
    turn: async (_, open) => ({ outcome: 'done', text: (await open.onQuestion(question('other'))).text }),
  })
  expect(same.end.text).toBe('fetchUser')
  expect(askedIn(same.notes)).toEqual([])
  await atSomePace(async (unitMs) => {
    const anew = await play({
      history,
      turn: async (_, open) => {
        open.onEvent({ is: 'planned', plan: plan([]) })
        void open.onQuestion(question('q1'))
        await sleep(unitMs)
        return { outcome: 'done', text: '' }
      },
    })
    expect(askedIn(anew.notes)).toHaveLength(1)
  })
})
