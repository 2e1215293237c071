// The loop around engines that know nothing of it: real commands in a real folder.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineEvent, EngineTask, GoalTask } from '@treadle/flow/ports/engine'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCommand } from './command/engine.ts'
import { driven } from './driven.ts'
import { openScripted } from './scripted/engine.ts'
import { TEST_PATH, taskOf } from './testing/native.ts'

let folder: string
let cwd: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'driven-'))
  cwd = mkdtempSync(join(folder, 'work-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const goalOf = (given: Partial<GoalTask> = {}): GoalTask => ({
  iterationsMax: 15,
  verifyCommand: 'cat count; test "$(cat count)" = xx',
  guidance: [],
  plans: [],
  reflections: [],
  ...given,
})

async function open(
  engine = openCommand({ run: RUN, responseFile: join(folder, 'response.md'), sandbox: { mode: 'auto' } }),
  onEvent: (event: EngineEvent) => void = () => undefined,
  answer: () => Promise<string> = async () => '',
) {
  const events: EngineEvent[] = []
  const asked: string[] = []
  const session = await driven(engine).open({
    cwd,
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    onEvent: (event) => {
      events.push(event)
      onEvent(event)
    },
    onQuestion: async ({ title }) => {
      asked.push(title)
      return { text: await answer() }
    },
  })
  const plans = () => events.flatMap((event) => (event.is === 'planned' ? [event.plan] : []))
  const states = () => events.flatMap((event) => (event.is === 'moved' ? [event.to] : []))
  return { session, events, asked, plans, states }
}

/** Gets a little further each time, and keeps what it was told. */
const RUN = 'cat "$TREADLE_PROMPT_FILE" > "told-$TREADLE_ATTEMPT"; printf x >> count; echo Went on.'
const told = (attempt: number) => readFileSync(join(cwd, `told-${attempt}`), 'utf8')
const round = ['planning', 'acting', 'observing', 'reflecting']

verifies(
  'PAOR-LOOP-1',
  'an engine that knows nothing of goals is asked until the check says yes, each time with what is left',
  async () => {
    const { session, states, events } = await open()
    const end = await session.prompt(taskOf('Write two letters', goalOf()))
    expect(end).toMatchObject({ outcome: 'done', goal: { outcome: 'goal_achieved', iterations: 2 } })
    expect(states()).toEqual([...round, ...round, 'complete'])
    expect(told(1)).toBe('Write two letters')
    expect(told(2)).toContain('Make it pass: cat count')
    const tools = events.flatMap((event) => (event.is === 'observed' ? [event.observation.tool] : []))
    expect(tools).toEqual(['command', 'verify', 'command', 'verify'])
  },
)

verifies(
  'PAOR-HITL-3',
  'what is said while it works is in the next plan, and in what the engine is told',
  async () => {
    const { session, plans } = await open(undefined, (event) => {
      if (event.is === 'moved' && event.to === 'observing') void session.steer?.('Search only in /src/utils')
    })
    await session.prompt(taskOf('Write two letters', goalOf()))
    expect(plans().map(({ scope, guidance }) => [scope, guidance])).toEqual([
      [[], []],
      [['src/utils'], ['Search only in /src/utils']],
    ])
    expect(told(2)).toContain('- Search only in /src/utils')
    expect(await session.steer?.('Too late')).toBe(false)
  },
)

verifies(
  'PAOR-HITL-2',
  'what is said while it acts is in a plan although the check says yes, and after the end it is not taken',
  async () => {
    const taken: unknown[] = []
    const { session, plans } = await open(undefined, (event) => {
      if (event.is !== 'moved' || !['acting', 'complete'].includes(event.to)) return
      if (taken.length !== 1) void session.steer?.('Mind the docs').then((is) => taken.push(is))
      else taken.push('planned')
    })
    const end = await session.prompt(taskOf('Write two letters', goalOf({ verifyCommand: 'true' })))
    expect(plans().map(({ guidance }) => guidance)).toEqual([[], ['Mind the docs']])
    expect(told(2)).toContain('- Mind the docs')
    expect(end.goal).toMatchObject({ outcome: 'goal_achieved', iterations: 2 })
    expect(taken).toEqual([true, 'planned', false])
  },
)

test('an interrupt ends a loop that waits for an answer', async () => {
  const idle = openCommand({
    run: 'echo nothing',
    responseFile: join(folder, 'response.md'),
    sandbox: { mode: 'auto' },
  })
  const never = () => new Promise<never>(() => undefined)
  const { session, asked } = await open(idle, undefined, never)
  const turn = session.prompt(taskOf('Write', goalOf({ verifyCommand: 'false' })))
  await vi.waitUntil(() => asked.length > 0, 60_000)
  await session.interrupt()
  expect((await turn).outcome).toBe('interrupted')
})

test('the same failure again and again asks for another way, and no answer ends it', async () => {
  const stuck = openCommand({
    run: 'echo nothing',
    responseFile: join(folder, 'response.md'),
    sandbox: { mode: 'auto' },
  })
  const { session, asked, states } = await open(stuck)
  const end = await session.prompt(taskOf('Write', goalOf({ verifyCommand: 'echo still nothing; false' })))
  expect(asked).toHaveLength(1)
  expect(states()).toEqual([...round, ...round, ...round])
  expect(end).toMatchObject({ outcome: 'refused', goal: { outcome: 'needs_user', iterations: 3 } })
})

test('without anything to run, the word of the engine counts; without a goal nothing is driven', async () => {
  const { session, states } = await open()
  expect(await session.prompt(taskOf('Write', goalOf({ verifyCommand: null })))).toMatchObject({
    goal: { outcome: 'goal_achieved', iterations: 1 },
  })
  const before = states().length
  expect(await session.prompt(taskOf('Write'))).toEqual({ outcome: 'done', text: 'Went on.' })
  expect(states()).toHaveLength(before)
})

test('a fault of the world ends the turn as it is, and an interrupt the loop', async () => {
  const broken = await open(
    openCommand({ run: 'exit 3', responseFile: join(folder, 'response.md'), sandbox: { mode: 'auto' } }),
  )
  expect(await broken.session.prompt(taskOf('Write', goalOf()))).toMatchObject({ outcome: 'crashed' })
  const waiting = await open(
    openCommand({
      run: 'touch here; sleep 600',
      responseFile: join(folder, 'r.md'),
      sandbox: { mode: 'auto' },
    }),
  )
  const turn = waiting.session.prompt(taskOf('Write', goalOf()))
  await vi.waitUntil(() => existsSync(join(cwd, 'here')), 60_000)
  await waiting.session.interrupt()
  expect((await turn).outcome).toBe('interrupted')
})

test('a scenario is played script by script, one for each round', async () => {
  const scenario = join(folder, 'scenario.json')
  const write = (text: string) => ({ write: { file: 'count', text } })
  const attempts = [[write('x')], [write('xx')]]
  writeFileSync(scenario, JSON.stringify({ version: 1, items: [{ match: { number: 7 }, attempts }] }))
  const { session } = await open(openScripted({ scenario, sandbox: { mode: 'auto' } }))
  const item = { projectNumber: 1, number: 7, title: 'Write', body: '', acceptance: [] }
  const task: EngineTask = { ...taskOf('Write two letters', goalOf()), item }
  expect(await session.prompt(task)).toMatchObject({ goal: { outcome: 'goal_achieved', iterations: 2 } })
})

test('that its limits are held before the model is known of an engine that is driven, too', () => {
  const engine = openScripted({ scenario: null, sandbox: { mode: 'off' } })
  expect(driven({ ...engine, holdsLimits: true }).holdsLimits).toBe(true)
  expect(driven(engine).holdsLimits).toBeUndefined()
})
