import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Patch, RepairResult } from '@treadle/repair/result'
import { afterEach, expect, test } from 'vitest'
import type { FixQuestions } from './ask-person.ts'
import { FoundBySearch, wouldTell } from './found-by-search.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

const patch = (diff: string, more: Partial<Patch> = {}) =>
  ({ diff, confidence: 'low', why: '', types: 'none', special: false, isConfirmed: true, ...more }) as Patch

function found(second: Partial<Patch>) {
  const folder = mkdtempSync(join(tmpdir(), 'found-'))
  made.push(folder)
  const file = join(folder, 'a.search.json')
  const options = ['3', '2'].map((answer, at) => ({ answer, patch: at, test: '', diff: `+test ${answer}\n` }))
  const result = {
    patches: [patch('first\n'), patch('second\n', second), patch('third\n')],
    question: { text: '`f(9)`: should this be 3 or 2?', input: 'f(9)', file: 'a.test.js', options },
  } as unknown as RepairResult
  writeFileSync(file, JSON.stringify(result))
  const search = new FoundBySearch()
  search.readFrom(file)
  search.asks({ asked: { text: '', options: [], answer: '2' }, unused: null } as unknown as FixQuestions)
  return search.toJSON()
}

test('the order that answers an open question names its input, whole for a shell', () => {
  const told = (input: string) => {
    const question = {
      text: 'Which?',
      input,
      file: '',
      options: [{ answer: '3', patch: 0, test: '', diff: '' }],
    }
    return wouldTell({ result: { question } as unknown as RepairResult, asked: null })[1]?.trim()
  }
  expect(told('f(9,\n  4)')).toBe("treadle fix --answer 'f(9, 4) = 3'")
  expect(told("f('9')")).toBe(`treadle fix --answer "f('9') = 3"`)
  expect(told("f('$9')")).toBe("treadle fix --answer 'f('\\''$9'\\'') = 3'")
})

test('a patch that was picked is told as it is, and not as the first one', () => {
  const { patch: taken, alternatives } = found({ isConfirmed: false })
  expect(taken).toMatchObject({ diff: 'second\n+test 2\n', confidence: 'high', confirmed: false })
  expect(alternatives.map(({ diff }) => diff)).toEqual(['first\n', 'third\n'])
})

test.each([{ special: true }, { types: 'unclean' }] as const)(
  '%o is not trusted more because it was picked',
  (more) => {
    expect(found(more).patch?.confidence).toBe('low')
  },
)
