// Lines of the real program, recorded against a model on the loopback, are read again.
import { readFileSync } from 'node:fs'
import type { EngineEvent, TurnEnd } from '@treadle/flow/ports/engine'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { openPrices } from '../prices.ts'
import { readLine } from './lines.ts'
import { Reader } from './reader.ts'

interface ReplayOptions {
  readonly isResumed?: boolean
  /** Before a line is read. */
  readonly before?: (reader: Reader, line: Record<string, unknown>) => void
  readonly change?: (line: Record<string, unknown>) => Record<string, unknown>
}

function replay(name: string, { isResumed = false, before, change = (line) => line }: ReplayOptions = {}) {
  const events: EngineEvent[] = []
  const ends: TurnEnd[] = []
  let now = 0
  const onEvent = (event: EngineEvent) => void events.push(event)
  const reader = new Reader({ prices: openPrices({}), isResumed, now: () => (now += 5), onEvent })
  reader.begin()
  const text = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')
  for (const raw of text.trim().split('\n')) {
    const line = change(JSON.parse(raw) as Record<string, unknown>)
    before?.(reader, line)
    const read = readLine(JSON.stringify(line))
    const end = read === null ? null : reader.take(read)
    if (end !== null) ends.push(end)
  }
  const of = <K extends EngineEvent['is']>(kind: K) =>
    events.filter((event): event is Extract<EngineEvent, { is: K }> => event.is === kind)
  return { ends, events, of }
}

const sumOf = (used: readonly Extract<EngineEvent, { is: 'used' }>[]) =>
  used.reduce(
    (sum, { usage }) => ({
      input: sum.input + usage.inputTokens,
      output: sum.output + usage.outputTokens,
      cacheRead: sum.cacheRead + (usage.cacheReadTokens ?? 0),
      cacheWrite: sum.cacheWrite + (usage.cacheWriteTokens ?? 0),
      usd: sum.usd + (usage.usd ?? 0),
    }),
    { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0 },
  )

const EDITED = {
  input: 1_200,
  output: 240,
  cacheRead: 6_000,
  cacheWrite: 1_000,
  usd: expect.closeTo(0.01275),
}

verifies('PAOR-OBS-2', 'each tool call is told with tool, input, output, duration and success', () => {
  const { ends, of } = replay('edit', {
    before: (reader, line) => {
      const { request } = line as {
        request?: { callback_id: string; tool_use_id: string; input: { duration_ms: number } }
      }
      if (request?.callback_id === 'post') reader.measure(request.tool_use_id, request.input.duration_ms)
    },
  })
  expect(ends).toEqual([{ outcome: 'done', text: 'Done: the test passes.' }])
  expect(of('session')).toEqual([
    { is: 'session', id: expect.any(String), model: 'claude-sonnet-4-5', version: '2.1.325' },
  ])
  expect(of('began').map(({ tool }) => tool)).toEqual(['Read', 'Edit', 'Bash'])
  expect(of('observed').map(({ observation }) => observation)).toEqual([
    {
      tool: 'Read',
      input: '{"file_path":"sum.mjs"}',
      output: expect.stringContaining('a - b'),
      durationMs: 41,
      success: true,
    },
    {
      tool: 'Edit',
      input: expect.stringContaining('"new_string":"a + b"'),
      output: expect.stringContaining('updated successfully'),
      durationMs: expect.any(Number),
      success: true,
      diff: expect.stringContaining('+export const sum = (a, b) => a + b'),
    },
    { tool: 'Bash', input: 'node test.mjs', output: 'PASS', durationMs: 232, success: true },
  ])
})

test('usage is told for each request, and the result adds nothing that was told', () => {
  const { of } = replay('edit')
  expect(of('used')).toHaveLength(4)
  expect(sumOf(of('used'))).toEqual(EDITED)
})

const without =
  (...names: string[]) =>
  (line: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name)))

test('an older one that counts the whole conversation is set against what it had counted before', () => {
  const change = without('model_usage_since_last_result')
  expect(sumOf(replay('edit', { change }).of('used'))).toEqual(EDITED)
  // Of a conversation that began before us only what was seen is told, rather than all of it again.
  expect(sumOf(replay('edit', { change, isResumed: true }).of('used'))).toEqual(EDITED)
})

test('what no request has told is told with the result: helpers and a stream that was cut', () => {
  const isLive = (line: Record<string, unknown>) => line.type === 'stream_event'
  const { of } = replay('edit', { change: (line) => (isLive(line) ? { type: 'of_tomorrow' } : line) })
  expect(of('used')).toHaveLength(1)
  expect(sumOf(of('used'))).toEqual(EDITED)
  expect(sumOf(replay('cut').of('used'))).toMatchObject({ input: 300, output: 1 })
})

test('a line that nobody knows, and one that is no JSON, change nothing', () => {
  expect(readLine('{"type":"of_tomorrow","x":1}')).toBeNull()
  expect(readLine('{"type":"result"}')).toBeNull()
  expect(readLine('Warning: something')).toBeNull()
})

test.each([
  ['max-turns', 'max_turns'],
  ['budget', 'budget'],
  ['interrupt', 'interrupted'],
  ['structured', 'done'],
  ['status-402', 'billing'],
  ['status-429', 'rate_limited'],
  ['status-529', 'overloaded'],
  ['cut', 'network'],
] as const)('%s ends the turn as %s', (name, outcome) => {
  const { ends } = replay(name)
  expect(ends.map((end) => end.outcome)).toEqual([outcome])
})

test('an answer with a schema is handed on as it is', () => {
  expect(replay('structured').ends).toMatchObject([{ structured: { answer: 42 } }])
})

test('the second refusal of a key ends the turn, before it has tried ten times', () => {
  const { ends, of } = replay('status-401')
  expect(ends[0]).toEqual({ outcome: 'auth', text: 'The key was refused twice.' })
  expect(of('retrying').map(({ attempt }) => attempt)).toEqual([1, 2])
})

test('a limit of use says when it ends', () => {
  const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_800_000 } }
  let isFirst = true
  const { ends } = replay('status-429', {
    before: (reader) => {
      const line = isFirst ? readLine(JSON.stringify(limit)) : null
      isFirst = false
      if (line !== null) reader.take(line)
    },
  })
  expect(ends).toMatchObject([{ outcome: 'rate_limited', wakeAt: '2026-11-16T03:33:20.000Z' }])
})

test('what a person refused is marked so', () => {
  const { of } = replay('deny', {
    before: (reader, line) => {
      const { request } = line as { request?: { subtype: string; tool_use_id: string } }
      if (request?.subtype === 'can_use_tool') reader.deny(request.tool_use_id)
    },
  })
  expect(of('observed').map(({ observation }) => observation)).toMatchObject([
    { tool: 'Bash', output: 'Keep build, look in src.', success: false, denied: true },
  ])
})

test('a result with a turn in the queue, or an agent at work, is not the last', () => {
  const isResult = (line: Record<string, unknown>) => line.type === 'result'
  const queued = replay('edit', {
    change: (line) => (isResult(line) ? { ...line, queued_turn_count: 1 } : line),
  })
  expect(queued.ends).toEqual([])
  const started = { type: 'system', subtype: 'task_started', task_id: 't1' }
  const working = replay('edit', { change: (line) => (line.subtype === 'status' ? started : line) })
  expect(working.ends).toEqual([])
})

test('what is said is told piece by piece, and then whole', () => {
  const { of } = replay('deny')
  const whole = of('text').map(({ text }) => text)
  expect(whole).not.toEqual([])
  expect(
    of('piece')
      .map(({ text }) => text)
      .join(''),
  ).toBe(whole.join(''))
})
