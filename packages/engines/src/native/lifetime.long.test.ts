// How turns of the native engine end, break, wait and go on.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TurnEnd } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Answers, call, type NativeOptions, openTestNative } from '../testing/native.ts'

let cwd: string
let home: string
let close: (() => Promise<void>) | null = null
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'native-'))
  home = mkdtempSync(join(tmpdir(), 'native-home-'))
  writeFileSync(join(cwd, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
})
afterEach(async () => {
  await close?.()
  close = null
  for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true })
})

async function open(answers: Answers, given: Omit<NativeOptions, 'cwd'> = {}) {
  await close?.()
  const opened = await openTestNative(answers, { cwd, ...given })
  close = opened.server.close
  return opened
}

test.each([
  [401, 'auth'],
  [402, 'billing'],
  [429, 'rate_limited'],
  [500, 'overloaded'],
  [529, 'overloaded'],
  [400, 'invalid'],
] as const)('status %i ends the turn as %s', async (status, outcome) => {
  const { prompt } = await open([{ fault: { is: 'status', status } }])
  expect((await prompt()).outcome).toBe(outcome)
})

test('a limit that lasts long comes with the time of its end', async () => {
  const { prompt } = await open([{ fault: { is: 'status', status: 429, retryAfterSeconds: 3_600 } }], {
    settings: { retries: 3 },
  })
  const end = await prompt()
  expect(end.outcome).toBe('rate_limited')
  expect(Date.parse(end.wakeAt ?? '')).toBeGreaterThan(Date.now() + 3_000_000)
})

test('what breaks is tried again and said to be, and a connection that stays cut is the network', async () => {
  const { prompt, events } = await open(
    [
      { fault: { is: 'status', status: 529 } },
      { text: 'half an answer', fault: { is: 'cut' } },
      { text: 'Whole.' },
    ],
    { settings: { retries: 2 } },
  )
  expect(await prompt()).toEqual({ outcome: 'done', text: 'Whole.' })
  expect(events.filter(({ is }) => is === 'retrying')).toMatchObject([
    { attempt: 1, cause: 'overloaded' },
    { attempt: 2, cause: 'network' },
  ])
  const cut = await open([{ text: 'half an answer', fault: { is: 'cut' } }])
  expect((await cut.prompt()).outcome).toBe('network')
})

test('a model that falls silent is stalled, and a person who thinks is not', async () => {
  const silent = await open([{ fault: { is: 'silent' } }], { stallMs: 300 })
  expect((await silent.prompt()).outcome).toBe('stalled')
  const slow = await open([{ toolCalls: [call('ask', { question: 'Well?' })] }], {
    stallMs: 600,
    answer: () => new Promise((resolve) => setTimeout(() => resolve({ text: 'Yes' }), 1_200)),
  })
  expect((await slow.prompt()).outcome).toBe('done')
})

const waits = 'echo $$ > pid; sleep 600 & echo $! > child; wait'
async function running(): Promise<number[]> {
  await vi.waitUntil(
    () => existsSync(join(cwd, 'child')) && readFileSync(join(cwd, 'child'), 'utf8') !== '',
    10_000,
  )
  return ['pid', 'child'].map((name) => Number(readFileSync(join(cwd, name), 'utf8')))
}

test('an interrupt ends the turn and its processes, and the conversation goes on after it', async () => {
  const { prompt, server, session, resultTo } = await open([
    { toolCalls: [call('bash', { command: waits })] },
  ])
  const turn = prompt()
  const pids = await running()
  expect(pids.every(isAlive)).toBe(true)
  await session.interrupt()
  expect((await turn).outcome).toBe('interrupted')
  expect(pids.filter(isAlive)).toEqual([])
  expect(await prompt('and now?')).toEqual({ outcome: 'done', text: 'Done.' })
  expect(resultTo(1)).toMatchObject({ isError: true })
  expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test('a session that is stopped leaves no process, and can be gone on with by its name', async () => {
  const first = await open([{ toolCalls: [call('bash', { command: waits })] }], { home })
  const turn = first.prompt('Remember the number 17.')
  const pids = await running()
  await first.session.stop(500)
  expect((await turn).outcome).toBe('interrupted')
  expect(pids.filter(isAlive)).toEqual([])
  expect((await first.prompt()).outcome).toBe('interrupted')
  const id = first.events.flatMap((event) => (event.is === 'session' ? [event.id] : []))[0]
  const second = await open([], { home, resume: id ?? '' })
  await second.prompt('Which number?')
  const [request] = second.server.requests
  expect(request?.messages[0]?.text).toContain('Remember the number 17.')
  expect(request?.messages.at(-1)?.text).toContain('Which number?')
})

test('a pause holds it before the next tool, until it is let go', async () => {
  const { prompt, session, events } = await open([
    // Long enough that the pause comes while it runs.
    { toolCalls: [call('bash', { command: 'touch one; sleep 1' })] },
    { toolCalls: [call('bash', { command: 'touch two' })] },
  ])
  const seen = vi.waitUntil(() => existsSync(join(cwd, 'one')), 10_000).then(() => session.pause?.())
  const turn = prompt()
  await seen
  await vi.waitUntil(() => events.some(({ is }) => is === 'observed'), 10_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const held = events.length
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(events.length).toBe(held)
  expect(existsSync(join(cwd, 'two'))).toBe(false)
  await session.resume?.()
  expect((await turn).outcome).toBe('done')
  expect(existsSync(join(cwd, 'two'))).toBe(true)
})

test('what is said while it works reaches the model before its next answer', async () => {
  const { prompt, server, session } = await open([{ toolCalls: [call('bash', { command: 'sleep 1' })] }])
  const turn = prompt()
  await vi.waitUntil(() => server.requests.length === 1, 10_000)
  expect(await session.steer?.('Mind the tests')).toBe(true)
  await turn
  expect(server.requests[1]?.messages.at(-1)?.text).toContain('Mind the tests')
  expect(await session.steer?.('Too late')).toBe(false)
})

test.each<[Omit<NativeOptions, 'cwd'>, TurnEnd['outcome']]>([
  [{ maxTurns: 3 }, 'max_turns'],
  [{ budgetUSD: 1 }, 'budget'],
  [{ settings: { stepsPerTurn: 3 } }, 'max_turns'],
])('limits: %j ends as %s', async (given, outcome) => {
  const loop = Array.from({ length: 30 }, () => ({
    toolCalls: [call('glob', { pattern: '*' })],
    usage: { input: 100_000 },
  }))
  const { prompt, server } = await open(loop, given)
  expect((await prompt()).outcome).toBe(outcome)
  expect(server.requests.length).toBeLessThan(10)
})

test('no call is made before it may be, nor after one was refused', async () => {
  let allowed = 0
  const asked: number[] = []
  const { prompt, server, session } = await open(
    [{ toolCalls: [call('glob', { pattern: '*' })] }, { toolCalls: [call('glob', { pattern: '*' })] }],
    {
      beforeCall: async () => {
        asked.push(server.requests.length)
        allowed += 1
        if (allowed < 3) return
        setTimeout(() => void session.interrupt(), 50)
        await new Promise<never>(() => undefined)
      },
    },
  )
  expect((await prompt()).outcome).toBe('interrupted')
  expect(asked).toEqual([0, 1, 2])
  expect(server.requests).toHaveLength(2)
})

test('frozen, nothing that it has started goes on, wherever it went; thawed, all of it does', async () => {
  // In a session of its own, where no signal to the group would find it.
  const ticks = 'setsid sh -c "while :; do echo x >> ticks; sleep 0.05; done" & sleep 600'
  const { prompt, session } = await open([{ toolCalls: [call('bash', { command: ticks })] }])
  const size = () => (existsSync(join(cwd, 'ticks')) ? readFileSync(join(cwd, 'ticks'), 'utf8').length : 0)
  const turn = prompt()
  await vi.waitUntil(() => size() > 4, 10_000)
  await session.freeze?.()
  const held = size()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(size()).toBe(held)
  await session.thaw?.()
  await vi.waitUntil(() => size() > held, 10_000)
  await session.stop(500)
  expect((await turn).outcome).toBe('interrupted')
})

test('a command that takes too long is ended with all that it has started', async () => {
  const { prompt, observations } = await open([
    { toolCalls: [call('bash', { command: waits, timeoutMs: 400 })] },
  ])
  expect((await prompt()).outcome).toBe('done')
  expect(observations()[0]).toMatchObject({
    success: false,
    output: expect.stringContaining('ended after 400 ms'),
  })
  expect((await running()).filter(isAlive)).toEqual([])
})
