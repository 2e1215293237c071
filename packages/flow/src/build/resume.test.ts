import { Config } from '@treadle/contracts/config'
import { expect, test } from 'vitest'
import type { Capabilities, Engine, EngineEvent, EngineOpen, EngineTask, TurnEnd } from '../ports/engine.ts'
import { runTurn, type TurnWorld } from './turn.run.ts'

const TASK: EngineTask = {
  text: 'everything',
  news: 'what is new',
  item: null,
  attempt: 2,
  testCommand: null,
  failures: [],
  evidence: [],
}
const DONE: TurnEnd = { outcome: 'done', text: 'done' }
const USED: EngineEvent = {
  is: 'used',
  usage: { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, usd: 0 },
}

interface Played {
  readonly end: TurnEnd
  readonly events?: readonly EngineEvent[]
}

/** An engine that ends its turns as it is told to, and writes down how it was opened and what it was told. */
function engineOf(turns: readonly Played[], can: Partial<Capabilities> = { resume: true }) {
  const told: { resume: string | undefined; text: string }[] = []
  const engine: Engine = {
    id: 'e',
    takes: 'all',
    can: can as Capabilities,
    isFree: () => true,
    probe: async () => ({ is: 'usable', note: '' }),
    open: async ({ resume, onEvent }: EngineOpen) => ({
      prompt: async ({ text }) => {
        const turn = turns[told.length] ?? { end: DONE }
        told.push({ resume, text })
        for (const event of turn.events ?? []) onEvent(event)
        return turn.end
      },
      interrupt: async () => undefined,
      stop: async () => undefined,
    }),
  }
  return { engine, told }
}

function worldOf(conversations?: Map<string, string>) {
  const said: string[] = []
  const world = {
    clock: { now: () => new Date(), sleep: async () => undefined },
    config: Config.parse({}),
    guidanceChannel: null,
    ...(conversations === undefined ? {} : { conversations }),
    engineHome: '/home',
    env: {},
    note: (report: { type: string }) => void said.push(report.type),
    say: async (report: { type: string }) => void said.push(report.type),
    signal: new AbortController().signal,
    worktree: '/w',
  }
  return { world: world as unknown as TurnWorld, said }
}

test('a turn goes on in the conversation of the one before, and is told only what is new', async () => {
  const { world, said } = worldOf(new Map())
  const { engine, told } = engineOf([{ end: DONE, events: [{ is: 'session', id: 's1' }, USED] }])
  await runTurn(world, { engine, task: TASK })
  await runTurn(world, { engine, task: TASK })
  expect(told).toEqual([
    { resume: undefined, text: 'everything' },
    { resume: 's1', text: 'what is new' },
  ])
  expect(said.filter((type) => type === 'run.session')).toHaveLength(1)
})

test('a turn that the world broke goes on where it was; one that had not begun is told the same again', async () => {
  const { world } = worldOf(new Map())
  const broken: TurnEnd = { outcome: 'network', text: 'cut' }
  const { engine, told } = engineOf([
    { end: broken, events: [{ is: 'session', id: 's1' }] },
    { end: broken, events: [USED] },
  ])
  await runTurn(world, { engine, task: { ...TASK, attempt: 1 } })
  expect(told.map(({ resume }) => resume)).toEqual([undefined, 's1', 's1'])
  expect(told[2]?.text).toContain('cut off in the middle')
})

test('a conversation that is gone is begun anew with everything, and without a fault of the engine', async () => {
  const { world, said } = worldOf(new Map([['e', 'gone']]))
  const { engine, told } = engineOf([{ end: { outcome: 'crashed', text: 'No conversation found' } }])
  expect(await runTurn(world, { engine, task: TASK })).toEqual(DONE)
  expect(told).toEqual([
    { resume: 'gone', text: 'what is new' },
    { resume: undefined, text: 'everything' },
  ])
  expect(said).toContain('run.resumed')
})

test('an engine that cannot take a conversation up is told everything each time', async () => {
  const { world } = worldOf(new Map([['e', 's1']]))
  const { engine, told } = engineOf([], { resume: false })
  await runTurn(world, { engine, task: TASK })
  expect(told).toEqual([{ resume: undefined, text: 'everything' }])
})

test('what people should know of a turn is told with its run, each thing once', async () => {
  const { world, said } = worldOf()
  const unpriced: EngineEvent = { is: 'noted', text: 'The model has no price.' }
  const { engine } = engineOf([
    { end: DONE, events: [unpriced, unpriced, { is: 'noted', text: 'Not confined.' }] },
  ])
  await runTurn(world, { engine, task: TASK })
  expect(said.filter((type) => type === 'run.noted')).toHaveLength(2)
})

test('an engine none of whose tools works is told apart from one that has only met a failure', async () => {
  const used = (success: boolean, output: string): EngineEvent => ({
    is: 'observed',
    observation: { tool: 'execute', input: 'ls', output, durationMs: 1, success },
  })
  const broken = used(false, 'bwrap: execvp: no such file')
  const { world } = worldOf()
  const { engine } = engineOf([
    { end: DONE, events: [broken, broken] },
    { end: DONE, events: [broken, used(true, 'a.js')] },
    { end: DONE },
  ])
  const ends = []
  for (const _ of [1, 2, 3]) ends.push(await runTurn(world, { engine, task: TASK }))
  expect(ends.map(({ toolFault }) => toolFault)).toEqual([
    'execute: bwrap: execvp: no such file',
    undefined,
    undefined,
  ])
})
