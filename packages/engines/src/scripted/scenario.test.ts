import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseScript, readScenario, Scenario } from './scenario.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenario-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function whyOf(content: string): string {
  const path = join(folder, 'scenario.json')
  writeFileSync(path, content)
  const read = readScenario(path)
  if (read.is === 'read') throw new Error('it was read')
  expect(read.why).toContain(path)
  return read.why
}
const withStep = (step: unknown) =>
  JSON.stringify({ version: 1, items: [{ match: { number: 1 }, attempts: [[{ hang: {} }, step]] }] })

test('a file that is missing or no JSON is named', () => {
  const path = join(folder, 'none.json')
  expect(readScenario(path)).toMatchObject({
    is: 'faulty',
    why: expect.stringContaining(`${path} cannot be read`),
  })
  expect(whyOf('{ "version": 1, ')).toContain('is not JSON')
})

test.each([
  [withStep({ edit: { file: 'a', replace: 'b' } }), 'items[0].attempts[0][1].edit.find'],
  [withStep({ edit: { file: 'a', find: '', replace: 'b' } }), 'items[0].attempts[0][1].edit.find'],
  [withStep({ write: { file: 'a', text: 'b', mode: 7 } }), 'items[0].attempts[0][1].write'],
  [withStep({ jump: {} }), 'items[0].attempts[0][1]: Unrecognized key: "jump"'],
  [withStep({ crash: {}, hang: {} }), 'items[0].attempts[0][1]: a step has exactly one of: edit, write'],
  [withStep({}), 'items[0].attempts[0][1]: a step has exactly one of'],
  [withStep({ fail: { outcome: 'bored', text: 'x' } }), 'items[0].attempts[0][1].fail.outcome'],
  [JSON.stringify({ version: 2, items: [] }), 'version'],
  [JSON.stringify({ version: 1, items: [], extra: 1 }), 'the file: Unrecognized key: "extra"'],
  [JSON.stringify({ version: 1, items: [{ match: {}, attempts: [[]] }] }), 'items[0].match: give a number'],
  [JSON.stringify({ version: 1, items: [], otherwise: { attempts: [] } }), 'otherwise.attempts'],
  [
    JSON.stringify({ version: 1, items: [], otherwise: { attempts: [Array(201).fill({ hang: {} })] } }),
    'otherwise.attempts[0]',
  ],
])('a fault is reported with its place: %s', (content, place) => {
  expect(whyOf(content)).toContain(place)
})

const say = (text: string) => [{ say: { text } }]
type Wanted = Parameters<typeof chooseScript>[1]
const chosen = (scenario: object, wanted: Omit<Wanted, 'failures'> & Partial<Wanted>) =>
  chooseScript(Scenario.parse({ version: 1, ...scenario }), { failures: [], ...wanted })

test('the n-th attempt plays the n-th script, later ones the last', () => {
  const items = [{ match: { number: 7 }, attempts: [say('one'), say('two')] }]
  const item = { number: 7, title: 'x' }
  expect(chosen({ items }, { item, attempt: 1 })).toEqual([{ is: 'say', text: 'one' }])
  expect(chosen({ items }, { item, attempt: 2 })).toEqual([{ is: 'say', text: 'two' }])
  expect(chosen({ items }, { item, attempt: 9 })).toEqual([{ is: 'say', text: 'two' }])
})

test.each([
  ['Fix the sum', 'Fix the sum', true],
  ['Fix the sum', 'Fix the sums', false],
  ['Fix *', 'Fix the sum', true],
  ['* sum', 'Fix the sum', true],
  ['Fix*sum', 'Fix the sum', true],
  ['*the*', 'Fix the sum', true],
  ['*', 'anything\nat all', true],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a c b', false],
  ['Fix (.*)', 'Fix it', false],
  ['fix *', 'Fix the sum', false],
])('the title pattern %j on %j: %s', (title, given, fits) => {
  const items = [{ match: { title }, attempts: [say('yes')] }]
  expect(chosen({ items }, { item: { number: 1, title: given }, attempt: 1 }) !== null).toBe(fits)
})

test('a script can be for one cause of failures: by the name of a failing test', () => {
  const items = [
    { match: { number: 1, test: 'auth *' }, attempts: [say('auth')] },
    { match: { number: 1 }, attempts: [say('the rest')] },
  ]
  const item = { number: 1, title: 'x' }
  const text = (...ids: string[]) =>
    chosen({ items }, { item, attempt: 1, failures: ids.map((id) => ({ id })) })?.[0]
  expect(text('sum adds', 'auth refuses')).toMatchObject({ text: 'auth' })
  expect(text('sum adds')).toMatchObject({ text: 'the rest' })
  expect(text()).toMatchObject({ text: 'the rest' })
})

test('the first fitting entry wins, number and title must both fit, and otherwise takes the rest', () => {
  const scenario = {
    items: [
      { match: { number: 1, title: 'b' }, attempts: [say('both')] },
      { match: { number: 1 }, attempts: [say('number')] },
    ],
    otherwise: { attempts: [say('rest')] },
  }
  const text = (item: { number: number; title: string } | null) => chosen(scenario, { item, attempt: 1 })?.[0]
  expect(text({ number: 1, title: 'b' })).toMatchObject({ text: 'both' })
  expect(text({ number: 1, title: 'c' })).toMatchObject({ text: 'number' })
  expect(text({ number: 2, title: 'b' })).toMatchObject({ text: 'rest' })
  expect(text(null)).toMatchObject({ text: 'rest' })
  expect(chosen({ items: [] }, { item: null, attempt: 1 })).toBeNull()
})
