// A goal played by its script: rounds of plan, steps and reflection, with words from outside.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineEvent, GoalTask } from '@treadle/flow/ports/engine'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openScripted } from './engine.ts'

let folder: string
let cwd: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scripted-goal-'))
  cwd = join(folder, 'work')
  mkdirSync(cwd)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const item = { projectNumber: 1, number: 4, title: 'A goal', body: '', acceptance: [] }
const task = { text: 'Reach it', item, attempt: 1, testCommand: null, failures: [], evidence: [] }
const goal: GoalTask = { iterationsMax: 5, verifyCommand: null, guidance: [], plans: [], reflections: [] }

async function open(steps: object[]) {
  const scenario = join(folder, 'scenario.json')
  const items = [{ match: { number: 4 }, attempts: [steps] }]
  writeFileSync(scenario, JSON.stringify({ version: 1, items }))
  const events: EngineEvent[] = []
  const engine = openScripted({ scenario, sandbox: { mode: 'auto' } })
  const session = await engine.open({
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stallMs: 30_000,
    onEvent: (event) => void events.push(event),
    onQuestion: async () => ({ text: 'as you like' }),
  })
  const plans = () => events.flatMap((event) => (event.is === 'planned' ? [event.plan] : []))
  return { engine, session, events, plans }
}

const plan = (text: string) => ({ plan: { tasks: [{ id: 'a', text }] } })
const reflect = (verdict: string) => ({ reflect: { verdict, why: 'says the script' } })

test('each round is played once, words reach the steps that wait for them and the next plan', async () => {
  const { engine, session, plans } = await open([
    plan('first'),
    { steered: {} },
    { write: { file: 'said.txt', text: '{{guidance}}' } },
    reflect('not_yet'),
    plan('second'),
    { write: { file: 'done.txt', text: 'yes' } },
    reflect('achieved'),
  ])
  expect(engine.plans).toBe(true)
  const turn = session.prompt({ ...task, goal: { ...goal, verifyCommand: 'test -e done.txt' } })
  await vi.waitUntil(() => plans().length === 1, 60_000)
  expect(await session.steer?.('Only in src/utils')).toBe(true)
  expect(await turn).toMatchObject({ outcome: 'done', goal: { outcome: 'goal_achieved', iterations: 2 } })
  expect(readFileSync(join(cwd, 'said.txt'), 'utf8')).toBe('Only in src/utils')
  expect(plans()[1]).toMatchObject({ iteration: 2, scope: ['src/utils'], guidance: ['Only in src/utils'] })
})

test('a goal that was begun before goes on with the round it had come to', async () => {
  const steps = [plan('first'), { write: { file: 'one', text: '' } }, reflect('not_yet'), plan('second')]
  const before = await open(steps)
  await before.session.prompt({ ...task, goal: { ...goal, iterationsMax: 1 } })
  const reflections = before.events.flatMap((event) => (event.is === 'reflected' ? [event.reflection] : []))
  rmSync(join(cwd, 'one'))
  const { session, plans, events } = await open(steps)
  const left = { ...goal, plans: before.plans(), reflections }
  expect(await session.prompt({ ...task, goal: left })).toMatchObject({ goal: { outcome: 'goal_achieved' } })
  expect(plans().map(({ iteration, tasks }) => [iteration, tasks[0]?.text])).toEqual([[2, 'second']])
  expect(events.filter(({ is }) => is === 'observed')).toEqual([])
})

test('a script without plans is driven by others, and a limit of use says when it ends', async () => {
  const { engine, session } = await open([
    { fail: { outcome: 'rate_limited', text: 'later', wakeInMs: 60_000 } },
  ])
  expect(engine.plans).toBe(false)
  const end = await session.prompt(task)
  expect(end).toMatchObject({ outcome: 'rate_limited', text: 'later' })
  expect(Date.parse(end.wakeAt ?? '')).toBeGreaterThan(Date.now())
})
