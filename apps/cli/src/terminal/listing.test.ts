// Lists fit the terminal whatever is in them, and are whole where nobody looks.
import { expect, test } from 'vitest'
import { clipColumns, columnsOf, flowed, wrapColumns } from './columns.ts'
import { knowsLinks, linked } from './link.ts'
import { listing } from './listing.ts'

const HEADS = ['#', 'STATE', 'TITLE', 'AGENT', 'WHY']
const LONG = 'the total of a cart with several entries is wrong when one of them is free'
const ROWS = [
  ['#1', 'Building', '修复购物车中总价计算错误的问题并补充相应的测试用例以免再次出现', 'agent-1', LONG],
  ['#2', 'Needs you', `👩‍👩‍👧‍👦 family 🎉🎉🎉 ${LONG}`, 'agent-2', LONG],
  ['#1000', 'To do', `Cafe\u0301 na\u0308ive ${LONG}`, '', 'one\ntwo\tthree'],
  ['#4', 'To do', 'تصحيح المجموع', '', ''],
]

test.each([40, 60, 80, 120, 200])('at %d columns no line is wider, and nothing is broken', (columns) => {
  const lines = listing(HEADS, ROWS, { isTerminal: true, columns, drop: ['WHY', 'AGENT'] }).split('\n')
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(columns)
  expect(lines[1]).toMatch(/^#1 +Building +修复/)
  if (columns < 200) expect(lines.join('\n')).toContain('…')
  expect(lines.join('\n')).not.toContain('\ufffd')
})

test('columns begin below each other, by what a terminal shows', () => {
  const lines = listing(
    ['A', 'B'],
    [
      ['日本', 'x'],
      ['e\u0301', 'y'],
      ['🎉', 'z'],
    ],
    { isTerminal: true, columns: 80 },
  )
  const begins = lines.split('\n').map((line) => columnsOf(line.slice(0, -1)))
  expect(new Set(begins)).toEqual(new Set([6]))
})

test('where there is no room, columns are left out in the order that is told; empty ones always', () => {
  const [heads = ''] = listing(HEADS, ROWS, { isTerminal: true, columns: 40, drop: ['WHY', 'AGENT'] }).split(
    '\n',
  )
  expect(heads.split(/ +/)).toEqual(['#', 'STATE', 'TITLE'])
  const [without = ''] = listing(HEADS, [['#1', '', 'T', '', '']], { isTerminal: true, columns: 80 }).split(
    '\n',
  )
  expect(without.split(/ +/)).toEqual(['#', 'TITLE'])
})

test('in a pipe every field is there, whole, with a tab between, and no head', () => {
  const lines = listing(HEADS, ROWS, { isTerminal: false, columns: 40 }).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]?.split('\t')).toEqual(ROWS[1])
  expect(lines[2]?.split('\t')[4]).toBe('one two three')
  expect(listing(['A'], [[linked('\u001b[31m#1\u001b[39m', 'http://x/')]], { isTerminal: false })).toBe('#1')
})

test('what is clipped keeps its colour and its link, and ends them', () => {
  const text = linked('\u001b[33mneeds you now\u001b[39m', 'http://localhost/#/item/1/2')
  const clipped = clipColumns(text, 8)
  expect(columnsOf(clipped)).toBe(8)
  expect(clipped).toBe(linked('\u001b[33mneeds y…\u001b[39m', 'http://localhost/#/item/1/2'))
})

test('lines are wrapped between words', () => {
  expect(wrapColumns('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrapColumns('日本語日本語日本語', 8)).toEqual(['日本語日', '本語日本', '語'])
})

test('a name that is copied into commands stays whole while anything else can give way', () => {
  const rows = [['a-name-of-twenty-four-cs', 'words '.repeat(10), 'last week']]
  const drawn = (columns: number) =>
    listing(['NAME', 'WORDS', 'WHEN'], rows, { isTerminal: true, columns, drop: ['WHEN'], whole: ['NAME'] })
  expect(drawn(54).split('\n')[1]).toBe(`a-name-of-twenty-four-cs  ${'words '.repeat(4)}wor…`)
  expect(drawn(40).split('\n')[1]).toBe('a-name-of-twenty-four-cs  words words w…')
  expect(drawn(20).split('\n')[1]).toBe('a-name-of…  words w…')
})

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ TERM: 'xterm-kitty' }, true],
  [{ VTE_VERSION: '6800' }, true],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'tmux-256color', VTE_VERSION: '6800' }, false],
  [{ TERM: 'dumb', FORCE_HYPERLINK: '1' }, true],
  [{ TERM_PROGRAM: 'vscode', FORCE_HYPERLINK: '0' }, false],
])('%j knows links: %s', (env, knows) => {
  expect(knowsLinks(env)).toBe(knows)
})

test('what others wrote into a cell moves no cursor; our colours and links stay', () => {
  const link = linked('#1', 'http://127.0.0.1:7331/items/1')
  const evil = 'a\u001b]0;owned\u0007b\u001b[2J\u202ec\u001b[8md\u001b]8;;http://evil.example\u0007e'
  const rows = [[link, '\u001b[32mgreen\u001b[39m', evil]]
  const shown = listing(['#', 'B', 'C'], rows, { isTerminal: true, columns: 200 })
  expect(shown).toContain(link)
  expect(shown).toContain('\u001b[32mgreen\u001b[39m')
  expect(shown).not.toMatch(/owned|\[2J|\[8m|evil|\u202e/)
  expect(listing(['#', 'B', 'C'], rows, { isTerminal: false })).toBe('#1\tgreen\tab cde')
})

test('a character that is wider than a line is a line, and a long text is wrapped at once', () => {
  const wide = `ﾊ${'ﾞ'.repeat(100)}`
  expect(wrapColumns(wide, 80).join('')).toBe(wide)
  expect(wrapColumns(`a ${wide} b`, 80).join('')).toContain(wide)
  const long = '修复'.repeat(2_000)
  const lines = wrapColumns(long, 80)
  expect(lines).toHaveLength(100)
  expect(lines.join('')).toBe(long)
})

test('a line that is too wide goes on below, under its text; what is copied stays whole', () => {
  expect(flowed('  one two three four', { columns: 12 })).toBe('  one two\n  three four')
  expect(flowed('12:00 one two three', { columns: 12, hang: 6 })).toBe('12:00 one\n      two\n      three')
  const link = `http://127.0.0.1:7331/#token=${'a'.repeat(60)}`
  expect(flowed(`Open ${link} now`, { columns: 40 })).toBe(`Open\n${link}\nnow`)
  expect(flowed('    See what was tried and where: treadle explain 6', { columns: 40 })).toBe(
    '    See what was tried and where:\n    treadle explain 6',
  )
  expect(flowed('a b', { columns: Number.POSITIVE_INFINITY })).toBe('a b')
})
