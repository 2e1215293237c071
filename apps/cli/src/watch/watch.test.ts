// The full-screen view: what keys do, and that it fits any terminal. With a daemon: scenarios/cli/watch.long.test.ts.
import { stripVTControlCharacters } from 'node:util'
import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { columnsOf } from '../terminal/columns.ts'
import { draw } from './draw.ts'
import type { WatchFacts } from './watch-facts.ts'
import { type OpenedText, type PressedKey, press, renewed, START, type WatchState } from './watch-state.ts'

const at = '2026-01-01T00:00:00.000Z'
const item = (number: number, more: Partial<Item> = {}): Item =>
  blankItem({ number, title: `Item ${number}`, createdAt: at, ...more })
const delivered = item(2, {
  state: 'in_review',
  needsHuman: true,
  title: '修复购物车中总价计算错误的问题 '.repeat(4),
})
const items = [item(1, { state: 'building' }), delivered, item(3)]
const around = { items, rows: 10 }
const opened = (is: OpenedText['is'], more: Partial<OpenedText> = {}): OpenedText => ({
  is,
  item: delivered,
  lines: Array.from({ length: 30 }, (_, nth) => `line ${nth}`),
  scroll: 0,
  follows: false,
  ...more,
})

function pressed(state: WatchState, ...keys: readonly (string | PressedKey)[]) {
  return keys.reduce(
    (before, key) => press(before.state, typeof key === 'string' ? { input: key } : key, around),
    { state, effect: null } as ReturnType<typeof press>,
  )
}

test('numbers and g lead to the four places', () => {
  expect(pressed(START, '3').state.place).toBe('review')
  expect(pressed(START, 'g', 'w').state.place).toBe('work')
  expect(pressed(START, '2', 'g', 'i').state.place).toBe('insights')
  expect(pressed(START, '4', 'g', 'x').state.place).toBe('insights')
})

test('j and k stay within the list, and scroll within a text', () => {
  expect(pressed(START, 'j', 'j', 'j', 'j').state.selected).toBe(2)
  expect(pressed(START, 'j', 'k', 'k').state.selected).toBe(0)
  const state = { ...START, opened: opened('diff') }
  expect(pressed(state, 'j', 'j').state.opened?.scroll).toBe(2)
  expect(pressed(state, 'G').state.opened?.scroll).toBe(20)
  expect(pressed(state, 'q').state.opened).toBeNull()
})

test('a delivery is approved only beside its change, and after a yes', () => {
  const inList = pressed({ ...START, place: 'review' }, 'j', 'a')
  expect(inList.effect).toEqual({ is: 'diff', item: delivered })
  expect(inList.state.message).toContain('Read the change first')
  const asked = pressed({ ...START, opened: opened('diff') }, 'a')
  expect(asked).toMatchObject({ effect: null, state: { asked: delivered } })
  expect(pressed(asked.state, 'n')).toMatchObject({ effect: null, state: { asked: null } })
  expect(pressed(asked.state, 'y').effect).toEqual({ is: 'approve', item: delivered, code: null })
  expect(pressed({ ...START, opened: opened('output') }, 'a')).toMatchObject({
    effect: null,
    state: { asked: null },
  })
  expect(pressed({ ...START, opened: opened('diff', { item: item(3) }) }, 'a').state.asked).toBeNull()
})

test('changes are requested with words, and keys are words then', () => {
  const typing = pressed({ ...START, opened: opened('diff') }, 'r', 'a', 'q', '!', {
    input: '',
    name: 'backspace',
  })
  expect(typing.state.typing).toEqual({ is: 'changes', text: 'aq', item: delivered })
  expect(pressed(typing.state, { input: '', name: 'return' }).effect).toEqual({
    is: 'changes',
    item: delivered,
    text: 'aq',
  })
  expect(pressed(typing.state, { input: '', name: 'escape' })).toMatchObject({
    effect: null,
    state: { typing: null },
  })
  expect(pressed(START, 'r').state.message).toContain('#1 has no delivery')
})

test('who asks an engine for changes that does not read words is told before they are typed', () => {
  const { state } = pressed({ ...START, opened: opened('diff') }, 'r')
  const given = { size: { columns: 100, rows: 24 }, isLive: true, now: Date.parse(at) }
  const foot = (engine: string) => {
    const config = { merge: { approval: 'human' }, engines: { default: engine } }
    const told = { ...facts, workspace: { ...facts.workspace, config } } as unknown as WatchFacts
    return draw(state, told, given).lines.at(-1)
  }
  expect(foot('repair')).toContain('the repair engine does not read this')
  expect(foot('claude-code')).not.toContain('does not read')
})

test('Ctrl-C ends it from anywhere, q only from a list', () => {
  for (const state of [START, { ...START, opened: opened('diff') }, pressed(START, '/').state])
    expect(pressed(state, { input: '', name: 'ctrlC' }).effect).toEqual({ is: 'quit' })
  expect(pressed(START, 'q').effect).toEqual({ is: 'quit' })
  expect(pressed(START, '/', 'q')).toMatchObject({ effect: null, state: { search: 'q' } })
})

const facts = {
  items,
  agents: [],
  reviews: [],
  questions: [],
  events: [],
  daily: { period: 'daily', totalUSD: 0, label: '$0.00', health: 'healthy', reservedUSD: 0, assumedUSD: 0 },
  monthly: { period: 'monthly', label: '$0.00', health: 'healthy', reservedUSD: 0, assumedUSD: 0 },
  crew: { agents: [] },
  workspace: {
    target: 'main',
    config: { merge: { approval: 'human' }, engines: { default: 'repair' } },
    holds: [],
    errors: [],
    warnings: [],
  },
} as unknown as WatchFacts

test.each([
  [80, 24],
  [40, 10],
  [120, 40],
])('at %d by %d every place fits', (columns, rows) => {
  for (const key of ['1', '2', '3', '4', '?']) {
    const { state } = pressed(START, key)
    const { lines } = draw(state, facts, { size: { columns, rows }, isLive: true, now: Date.parse(at) })
    expect(lines).toHaveLength(rows)
    for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(columns)
  }
})

test('the search narrows what is shown; without a daemon the screen says so', () => {
  const given = { size: { columns: 80, rows: 24 }, isLive: true, now: Date.parse(at) }
  const { state } = pressed(START, '2', '/', '3')
  expect(draw(state, facts, given).items.map(({ number }) => number)).toEqual([3])
  for (const place of ['1', '2', '3']) {
    const none = pressed(START, place, '/', 'z', 'z').state
    const shown = draw(none, facts, given).lines.map(stripVTControlCharacters)
    expect(shown.join('\n')).toContain('Nothing here matches “zz”.')
    expect(shown.join('\n')).not.toContain('Nothing needs you')
  }
  const away = draw(START, null, { ...given, isLive: false })
    .lines.map(stripVTControlCharacters)
    .join('\n')
  expect(away).toContain('daemon away')
  expect(away).toContain('treadle up')
})

test('words about an item go to the item that they were begun for, whatever moves meanwhile', () => {
  const waiting = [1, 2, 3].map((number) => item(number, { state: 'in_review', needsHuman: true }))
  const enter = { input: '', name: 'return' } as const
  const keys = ['j', 'j', 'r', 'n', 'o'].map((input) => ({ input }))
  const { state } = keys.reduce((before, key) => press(before.state, key, { items: waiting, rows: 10 }), {
    state: START,
    effect: null,
  } as ReturnType<typeof press>)
  const fewer = { items: waiting.slice(0, 1), rows: 10 }
  expect(state.selected).toBe(2)
  expect(press(state, enter, fewer).effect).toEqual({ is: 'changes', item: waiting[2], text: 'no' })
  const code = { ...START, typing: { is: 'code' as const, text: '12', item: delivered } }
  expect(pressed(code, '3', enter).effect).toEqual({ is: 'approve', item: delivered, code: '123' })
})

test('what is known later reaches only the change that is still read', () => {
  const now = { ...delivered, evidence: { level: 'proven' as const, why: 'seen' } }
  const read = opened('diff', { scroll: 7 })
  expect(renewed(read, now, ['new'])).toEqual({ ...read, item: now, lines: ['new'] })
  expect(renewed(null, now, ['new'])).toBeNull()
  expect(renewed(opened('output'), now, ['new'])).toBeNull()
  expect(renewed(opened('diff', { item: item(3) }), now, ['new'])).toBeNull()
  const elsewhere = { ...delivered, projectNumber: delivered.projectNumber + 1 }
  expect(renewed(opened('diff', { item: elsewhere }), now, ['new'])).toBeNull()
  const newer = { ...delivered, headCommit: 'f'.repeat(40) }
  expect(renewed(opened('diff', { item: newer }), now, ['new'])).toBeNull()
})

test('an escape sequence in a title does not reach the screen', () => {
  const evil = item(2, { state: 'in_review', needsHuman: true, title: 'a\u001b]0;owned\u0007b\u001b[2Jc' })
  for (const place of ['now', 'work', 'review'] as const) {
    const { lines } = draw(
      { ...START, place, asked: evil },
      { ...facts, items: [evil] },
      {
        size: { columns: 120, rows: 20 },
        isLive: true,
        now: Date.parse(at),
      },
    )
    for (const part of ['owned', '\u001b]', '\u001b[2J']) expect(lines.join('\n')).not.toContain(part)
  }
})
