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
