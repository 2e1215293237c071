import { expect, test } from 'vitest'
import { sourceFor } from '../project/load.ts'
import { projectOf } from '../slow/suspects.ts'
import { plant, shownEdit, textAfter } from './mutants.ts'

function planted(text: string, lines: readonly number[]) {
  const file = sourceFor('/project', 'a.ts', text, 0)
  if (file === null) throw new Error('it can be parsed')
  const of = new Map([['a.ts', new Set(lines)]])
  return plant(projectOf('/project', [file]), [file], { of })
}
const edits = (text: string, lines: readonly number[]) =>
  planted(text, lines).map(({ edit, line }) => `${line}: ${shownEdit(edit).after}`)

const source = `export function price(count: number, each: number): number {
  if (count > 10 && each !== 0) {
    console.log(count + each)
    return count * each - 5
  }
  return count * each
}
`

test('faults are planted in the named lines only', () => {
  expect(new Set(planted(source, [2]).map(({ line }) => line))).toEqual(new Set([2]))
  expect(new Set(planted(source, [4, 6]).map(({ line }) => line))).toEqual(new Set([4, 6]))
  expect(planted(source, [7, 99])).toEqual([])
})

test('boundaries, directions, connectives and operators are among them', () => {
  const found = edits(source, [2, 4])
  expect(found).toContain('2: if (count >= 10 && each !== 0) {')
  expect(found).toContain('2: if (count > 10 || each !== 0) {')
  expect(found).toContain('2: if (count > 10 && each === 0) {')
  expect(found).toContain('4: return count * each + 5')
  expect(found).toContain('4: return count / each - 5')
})

test('the lines take turns, so that a bound leaves none out', () => {
  const lines = planted(source, [2, 4, 6]).map(({ line }) => line)
  expect(new Set(lines.slice(0, 3))).toEqual(new Set([2, 4, 6]))
})

test('each program comes once, none is as it was, and what only logs is left alone', () => {
  const all = planted(source, [1, 2, 3, 4, 5, 6, 7])
  const texts = all.map(({ edit }) => textAfter(edit).replace(/\s+/g, ' '))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts).not.toContain(source.replace(/\s+/g, ' '))
  expect(all.map(({ line }) => line)).not.toContain(3)
})

test('words that mean nearly the same are not exchanged', () => {
  const found = edits(
    "export const slug = (title: string) => title.trim().replace(/ /g, '-').slice(0, 9)\n",
    [1],
  )
  expect(found.some((edit) => edit.includes('trimStart'))).toBe(true)
  expect(found.filter((edit) => /replaceAll|substring|substr/.test(edit))).toEqual([])
})

test('a function gives another result of its kind, which a test that asserts a type does not notice', () => {
  const cube = 'export function cube(n: number): number {\n  return n\n}\n'
  const first = planted(cube, [2]).find(({ edit }) => edit.op === 'other-result')
  if (first === undefined) throw new Error('a result can be another')
  const text = textAfter(first.edit)
  const body = text.slice(text.indexOf('return (function'), text.lastIndexOf('}'))
  const other = new Function('n', body) as (n: unknown) => unknown
  expect([2, 'a', true, {}, undefined, null].map(other)).toEqual([3, 'a?', false, undefined, null, undefined])
})

test('what is handed to another function keeps its result', () => {
  const sorted = 'export const sorted = (all: number[]) => {\n  all.sort((a, b) => a - b)\n}\n'
  expect(planted(sorted, [2]).map(({ edit }) => edit.op)).not.toContain('other-result')
})

test('each branch of the lines gets a probe, also the one after a condition that does not hold', () => {
  const branches = (text: string, lines: readonly number[]) =>
    planted(text, lines)
      .filter(({ edit }) => edit.op === 'branch-taken')
      .map(({ edit }) => textAfter(edit))
  const early = 'export function half(n: number) {\n  if (n === 4) return 2\n  return n\n}\n'
  expect(branches(early, [2]).map((text) => text.split('\n').slice(1, 3).join(' ').trim())).toEqual([
    "if (n === 4) { throw new Error('a branch was taken') }   return n",
    "if (n === 4) return 2 else { throw new Error('a branch was taken') }",
  ])
  const arms = 'export const cube = (n: number) => (n === 2 ? 8 : 0)\n'
  expect(branches(arms, [1])).toHaveLength(2)
  expect(branches('export const known = (n: number) => table[n] ?? n\n', [1])).toHaveLength(1)
  expect(branches('export function a(n) {\n  if (!n) throw new Error()\n}\n', [2])).toEqual([])
})
