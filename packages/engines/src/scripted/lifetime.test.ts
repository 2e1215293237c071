// How a turn ends when it does not end by itself, and that no process is left.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineAnswer, EngineEvent } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { atSomePace } from '@treadle/requirements/pace'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openScripted } from './engine.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lifetime-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const PATH = '/usr/local/bin:/usr/bin:/bin'
const item = { projectNumber: 1, number: 4, title: 'Fix the sum', body: '', acceptance: [] }
const task = { text: '', item, attempt: 1, testCommand: null, failures: [], evidence: [] }

/** Leaves one process in the background and one below it, and says their numbers and the player's. */
const background = {
  run: {
    command:
      'echo $PPID > player; sh -c "sleep 1000 & echo \\$! > deep; wait" & echo $! > near; while [ ! -s deep ]; do sleep 0.02; done',
  },
}

function scenarioOf(steps: object[]): string {
  const scenario = join(cwd, 'scenario.json')
  writeFileSync(
    scenario,
    JSON.stringify({ version: 1, items: [{ match: { number: 4 }, attempts: [steps] }] }),
  )
  return scenario
}

async function open(steps: object[], given: { stallMs?: number; answer?: () => Promise<EngineAnswer> } = {}) {
  const events: EngineEvent[] = []
  const session = await openScripted({ scenario: scenarioOf(steps), sandbox: { mode: 'off' } }).open({
    cwd,
    env: { PATH },
    stallMs: given.stallMs ?? 30_000,
    onEvent: (event) => events.push(event),
    onQuestion: given.answer ?? (async () => ({ text: '' })),
  })
  return { session, events }
}

function isWritten(name: string): boolean {
  const path = join(cwd, name)
  return existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')
}

async function pidIn(name: string): Promise<number> {
  await vi.waitUntil(() => isWritten(name), 60_000)
  return Number(readFileSync(join(cwd, name), 'utf8'))
}
const pids = async () => await Promise.all(['player', 'near', 'deep'].map(pidIn))

const nobody = [false, false, false]

test('a turn that ends by itself leaves no process', async () => {
  const { session } = await open([background])
  expect((await session.prompt(task)).outcome).toBe('done')
  expect((await pids()).map(isAlive)).toEqual(nobody)
})

test('a crash is a dead process and leaves none behind', async () => {
  const { session, events } = await open([background, { crash: {} }, { say: { text: 'never' } }])
  const end = await session.prompt(task)
  expect(end.outcome).toBe('crashed')
  expect(end.text).toContain('SIGKILL')
  expect(events.map((event) => event.is)).toEqual(['began', 'observed'])
  expect((await pids()).map(isAlive)).toEqual(nobody)
})

test('the session can go on after a crash', async () => {
  const scenario = join(cwd, 'two.json')
  const attempts = [[{ crash: {} }], [{ write: { file: 'a', text: 'second' } }]]
  writeFileSync(scenario, JSON.stringify({ version: 1, items: [{ match: { number: 4 }, attempts }] }))
  const session = await openScripted({ scenario, sandbox: { mode: 'off' } }).open({
    cwd,
    env: { PATH },
    stallMs: 30_000,
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  expect((await session.prompt(task)).outcome).toBe('crashed')
  expect((await session.prompt({ ...task, attempt: 2 })).outcome).toBe('done')
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('second')
})

test('an engine that hangs is stalled after the given silence, and its tree is gone', () =>
  atSomePace(async (unitMs) => {
    const { session } = await open([background, { hang: {} }], { stallMs: 4 * unitMs })
    const end = await session.prompt(task)
    expect(end.outcome).toBe('stalled')
    expect(['player', 'near', 'deep'].every(isWritten)).toBe(true)
    expect((await pids()).map(isAlive)).toEqual(nobody)
  }))

test('a command that hangs is stalled too', () =>
  atSomePace(async (unitMs) => {
    const steps = [{ run: { command: 'echo $$ > near; exec sleep 1000' } }]
    const { session } = await open(steps, { stallMs: 4 * unitMs })
    expect((await session.prompt(task)).outcome).toBe('stalled')
    expect(isWritten('near')).toBe(true)
    expect(isAlive(await pidIn('near'))).toBe(false)
  }))

test('events put the stall off, and so does the wait for an answer', () =>
  atSomePace(async (unitMs) => {
    const slow = Array.from({ length: 5 }, () => ({ wait: { ms: unitMs } }))
    const { session } = await open([...slow, { ask: { question: 'Well?', options: [] } }], {
      stallMs: 4 * unitMs,
      answer: async () => {
        await sleep(6 * unitMs)
        return { text: 'now' }
      },
    })
    expect((await session.prompt(task)).outcome).toBe('done')
  }))

test('an interrupt ends the turn after the step under way', async () => {
  const { session } = await open([
    { run: { command: 'echo $$ > near; sleep 0.5; echo x > finished' } },
    { write: { file: 'never', text: '' } },
  ])
  const turn = session.prompt(task)
  await pidIn('near')
  await session.interrupt()
  expect((await turn).outcome).toBe('interrupted')
  expect(existsSync(join(cwd, 'finished'))).toBe(true)
  expect(existsSync(join(cwd, 'never'))).toBe(false)
})

test.each([
  ['hang', { hang: {} }],
  ['wait', { wait: { ms: 1_000_000 } }],
  ['ask', { ask: { question: 'Well?', options: [] } }],
])('an interrupt ends a %s at once', async (_, step) => {
  const answer = () => new Promise<EngineAnswer>(() => undefined)
  const { session, events } = await open([{ say: { text: 'here' } }, step], { answer })
  const turn = session.prompt(task)
  await vi.waitUntil(() => events.length > 0, 60_000)
  await session.interrupt()
  expect((await turn).outcome).toBe('interrupted')
})

test('an interrupt between turns does nothing to the next one', async () => {
  const { session } = await open([{ say: { text: 'hi' } }])
  await session.interrupt()
  expect((await session.prompt(task)).outcome).toBe('done')
})

test('stop ends the whole tree while a command runs, and the session with it', async () => {
  const { session } = await open([
    { run: { command: `${background.run.command}; sleep 1000` } },
    { write: { file: 'never', text: '' } },
  ])
  const turn = session.prompt(task)
  const found = await pids()
  expect(found.map(isAlive)).toEqual([true, true, true])
  await session.stop(2_000)
  expect(found.map(isAlive)).toEqual(nobody)
  expect((await turn).outcome).toBe('interrupted')
  expect((await session.prompt(task)).outcome).toBe('interrupted')
  expect(existsSync(join(cwd, 'never'))).toBe(false)
})

test('stop also ends what does not listen to SIGTERM', async () => {
  const stubborn = 'trap "" TERM; echo $$ > near; while :; do sleep 0.05; done'
  const { session } = await open([{ run: { command: stubborn } }])
  const turn = session.prompt(task)
  const near = await pidIn('near')
  await session.stop(300)
  expect(isAlive(near)).toBe(false)
  expect((await turn).outcome).toBe('interrupted')
})

test('a parent killed with SIGKILL takes the player and all its children along', async () => {
  const engine = new URL('./engine.ts', import.meta.url).href
  const options = { cwd, env: { PATH }, stallMs: 60_000 }
  const program = `
    import { openScripted } from ${JSON.stringify(engine)}
    const session = await openScripted({ scenario: ${JSON.stringify(scenarioOf([background, { hang: {} }]))}, sandbox: { mode: 'off' } }).open({
      ...${JSON.stringify(options)}, onEvent() {}, async onQuestion() { return { text: '' } } })
    await session.prompt(${JSON.stringify(task)})`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  const found = await pids()
  expect(found.map(isAlive)).toEqual([true, true, true])
  const gone = once(parent, 'exit')
  parent.kill('SIGKILL')
  await gone
  await vi.waitUntil(() => !found.some(isAlive), 60_000)
  expect(found.map(isAlive)).toEqual(nobody)
})
