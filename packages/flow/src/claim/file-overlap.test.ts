import { expect, test } from 'vitest'
import { fileSet, plainFile, sharedFile } from './file-overlap.ts'

test.for<[one: string[], other: string[], shared: string | null]>([
  [[], ['a.ts'], null],
  [['src/a.ts'], ['src/b.ts'], null],
  [['src/a.ts', 'src/b.ts'], ['src/b.ts'], 'src/b.ts'],
  [['./src/a.ts'], ['src//a.ts'], 'src/a.ts'],
  [['src\\a.ts'], ['src/./a.ts'], 'src/a.ts'],
  [['package.json'], ['web/package.json'], null],
  [['src/A.ts'], ['src/a.ts'], null],
  [['src/*.ts'], ['src/a.ts'], 'src/a.ts'],
  [['src/a.ts'], ['src/*.ts'], 'src/a.ts'],
  [['src/*.ts'], ['src/deep/a.ts'], null],
  [['src/'], ['src/deep/a.ts'], 'src/deep/a.ts'],
  [['*.md'], ['docs/a.md'], 'docs/a.md'],
  [['src/**'], ['src/deep/*.ts'], 'src/deep/**'],
  [['src/**'], ['docs/**'], null],
  [['**/*.ts'], ['docs/*.md'], null],
  [['**/*.test.ts'], ['src/**/*.ts'], 'src/**'],
  [['{a,b}.ts'], ['lib/a.ts'], 'lib/a.ts'],
])('%j and %j share %j', ([one, other, shared]) => {
  expect(sharedFile(fileSet(one), fileSet(other))).toBe(shared)
  expect(sharedFile(fileSet(other), fileSet(one)) === null).toBe(shared === null)
})

test('a path is kept in one way of writing', () => {
  expect(['./a//b.ts', '/a/b.ts', ' a/./b.ts ', 'a\\b.ts', 'a/'].map(plainFile)).toEqual([
    'a/b.ts',
    'a/b.ts',
    'a/b.ts',
    'a/b.ts',
    'a/**',
  ])
})
