import { expect, test } from 'vitest'
import { goneTests, unexplained } from './gone-tests.ts'

test('a test that gives its place to another is gone; a number in a name is none of it', () => {
  expect(goneTests(['a > adds', 'a > refuses'], ['a > adds', 'a > accepts'])).toEqual(['a > refuses'])
  expect(
    goneTests(['serves on port 4711', 'row 1', 'row 2'], ['row 1', 'row 3', 'serves on port 8']),
  ).toEqual([])
  expect(goneTests(['row 1', 'row 2'], ['row 1'])).toHaveLength(1)
})

test('what the change did to a test file explains the names in it, and those alone', () => {
  const files = new Set(['test/a.js', 'test/b.js', 'src/a.js'])
  const at = (changed: string[]) => ({
    changed: new Set(changed),
    files,
    isTest: (path: string) => path.startsWith('test/'),
  })
  const gone = ['test/a.js > adds', 'test/b.js > refuses', 'without a file']
  expect(unexplained(gone, at(['test/a.js', 'src/a.js']))).toEqual(['test/b.js > refuses'])
  expect(unexplained(gone, at(['src/a.js']))).toEqual(gone)
})
