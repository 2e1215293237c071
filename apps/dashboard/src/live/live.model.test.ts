import { ApiError } from '@treadle/contracts/client'
import { CURSOR_START, type StoredEvent } from '@treadle/contracts/event'
import { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import {
  changesPage,
  connectionOf,
  isAfter,
  LIVE_START,
  type LiveState,
  MILESTONES_MAX,
  pageViewOf,
  STEPS_MAX,
  step,
  troubleOf,
} from './live.model.ts'

function stored(number: number, event: StoredEvent['event']): StoredEvent {
  return {
    cursor: `${100 + number}.${number}`,
    id: `event-${number}-id`,
    at: '2026-11-15T12:00:00.000Z',
    item: null,
    agentId: 'agent-1',
    runId: null,
    state: null,
    event,
  }
}
const milestone = (number: number) => stored(number, { type: 'agent.stopped', why: 'asked to' })
const note = (number: number) => stored(number, { type: 'agent.status_changed', from: null, to: 'idle' })
const hear = (state: LiveState, ...events: StoredEvent[]) => step(state, { is: 'heard', events })
const cursors = (state: LiveState) => state.events.map(({ cursor }) => cursor)

test('events are kept newest first and the cursor is that of the newest', () => {
  const state = hear(LIVE_START, milestone(1), milestone(2), milestone(3))
  expect(cursors(state)).toEqual(['103.3', '102.2', '101.1'])
  expect(state.cursor).toBe('103.3')
})

test('what a poll and the stream both bring is kept once', () => {
  const streamed = hear(hear(LIVE_START, milestone(1)), milestone(2), milestone(3))
  const polled = hear(streamed, milestone(2), milestone(3), milestone(4))
  const streamedOn = hear(polled, milestone(4), milestone(5))
  expect(cursors(streamedOn)).toEqual(['105.5', '104.4', '103.3', '102.2', '101.1'])
})

test('nothing new leaves the state as it is', () => {
  const state = hear(LIVE_START, milestone(1))
  expect(hear(state, milestone(1))).toBe(state)
  expect(hear(state)).toBe(state)
})

test('at most 200 events are kept, and steps do not push milestones out', () => {
  expect(MILESTONES_MAX + STEPS_MAX).toBe(200)
  const milestones = Array.from({ length: 300 }, (_, index) => milestone(index))
  const steps = Array.from({ length: 1_000 }, (_, index) => note(1_000 + index))
  const state = hear(hear(LIVE_START, ...milestones), ...steps)
  expect(state.events).toHaveLength(200)
  expect(state.events[0]?.cursor).toBe('2099.1999')
  expect(state.events[STEPS_MAX]?.cursor).toBe('399.299')
  expect(state.events.at(-1)?.cursor).toBe('250.150')
})

test.each([
  ['0.1', CURSOR_START, true],
  [CURSOR_START, CURSOR_START, false],
  ['10.5', '9.7', true],
  ['9.7', '10.5', false],
  ['9.10', '9.9', true],
  ['18446744073709551615.2', '18446744073709551615.1', true],
])('%s is after %s: %s', (a, b, after) => {
  expect(isAfter(a, b)).toBe(after)
})

const away = { is: 'away' } as const
const failing = { is: 'failing', message: 'no', hint: 'wait' } as const
const refused = { is: 'refused' } as const

test.each([
  { socket: 'opening', trouble: null, connection: 'connecting' },
  { socket: 'open', trouble: null, connection: 'live' },
  { socket: 'open', trouble: failing, connection: 'live' },
  { socket: 'closed', trouble: null, connection: 'reconnecting' },
  { socket: 'closed', trouble: failing, connection: 'reconnecting' },
  { socket: 'closed', trouble: away, connection: 'offline' },
  { socket: 'open', trouble: away, connection: 'offline' },
] as const)('socket $socket with trouble $trouble.is is $connection', ({ connection, ...state }) => {
  expect(connectionOf(state)).toBe(connection)
})

const snapshot = {} as NonNullable<LiveState['snapshot']>

test.each([
  { snapshot: null, trouble: null, screen: 'loading' },
  { snapshot: null, trouble: away, screen: 'away' },
  { snapshot: null, trouble: failing, screen: 'failing' },
  { snapshot: null, trouble: refused, screen: 'refused' },
  { snapshot, trouble: null, screen: 'page' },
  { snapshot, trouble: away, screen: 'page' },
  { snapshot, trouble: failing, screen: 'page' },
  { snapshot, trouble: refused, screen: 'refused' },
] as const)('the screen is $screen', ({ screen, ...state }) => {
  expect(pageViewOf(state)).toBe(screen)
})

test('a good answer ends the trouble', () => {
  const troubled = step(LIVE_START, { is: 'failed', trouble: away })
  expect(troubled.trouble).toEqual(away)
  expect(step(troubled, { is: 'loaded', snapshot }).trouble).toBeNull()
})

test.each([
  [new ApiError(401, { code: 'unauthorized', message: 'no', hint: 'wait' }), refused],
  [new ApiError(0, { code: 'unreachable', message: 'no', hint: 'wait' }), away],
  [new ApiError(503, { code: 'store_unavailable', message: 'no', hint: 'wait' }), failing],
  [new TypeError('network error'), away],
  [new DOMException('timed out', 'TimeoutError'), away],
])('%s means %o', (error, trouble) => {
  expect(troubleOf(error)).toEqual(trouble)
})

test('an answer of another version says where it is strange', () => {
  const { error } = Item.safeParse({})
  expect(troubleOf(error)).toMatchObject({
    is: 'failing',
    message: expect.stringContaining('(at projectNumber)'),
  })
})

const tail = (...items: StoredEvent[]) => ({ items, cursor: items.at(-1)?.cursor ?? CURSOR_START })

test('the history is the end of the feed, and before it milestones that the steps would have hidden', () => {
  const newest = { items: [note(5), note(6)], cursor: '106.6' }
  const state = step(LIVE_START, {
    is: 'history',
    newest,
    // Milestone 7 was recorded between the two answers.
    milestones: tail(milestone(1), milestone(3), milestone(7)),
  })
  expect(cursors(state)).toEqual(['106.6', '105.5', '103.3', '101.1'])
  expect(state.cursor).toBe('106.6')
  expect(cursors(hear(state, note(6), milestone(7)))).toEqual(['107.7', '106.6', '105.5', '103.3', '101.1'])
})

test('a history of nothing leaves the feed at its start', () => {
  const state = step(LIVE_START, { is: 'history', newest: tail(), milestones: tail() })
  expect(state).toEqual(LIVE_START)
})

test('agents are taken over by themselves; the same agents change nothing', () => {
  const agents = [{ id: 'agent-1', status: 'idle' }] as never
  const known = { ...LIVE_START, snapshot: { agents, items: [], at: 1 } as never } as LiveState
  expect(step(known, { is: 'crew', agents: structuredClone(agents) })).toBe(known)
  const fresh = [{ id: 'agent-1', status: 'paused' }] as never
  const changed = step(known, { is: 'crew', agents: fresh })
  expect(changed.snapshot?.agents).toEqual(fresh)
  expect(changed.snapshot?.items).toBe(known.snapshot?.items)
  expect(step({ ...known, trouble: { is: 'away' } }, { is: 'crew', agents }).trouble).toBeNull()
  expect(step(LIVE_START, { is: 'crew', agents })).toBe(LIVE_START)
})

test('what an engine does within its turn is no reason to read everything again', () => {
  const observed = stored(1, { type: 'run.observed' } as StoredEvent['event'])
  expect(changesPage([observed, observed])).toBe(false)
  expect(changesPage([observed, note(2)])).toBe(true)
  expect(changesPage([])).toBe(false)
})
