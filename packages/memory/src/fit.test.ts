import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { fitOf, patternOf } from './fit.ts'

verifies('AGENT-KNOWLEDGE-2', 'a path is reduced to the pattern of its files', () => {
  const reduced: [path: string, pattern: string][] = [
    ['database/migrations/001.sql', '*.sql'],
    ['src/a.test.ts', '*.ts'],
    ['./a.b/c', 'c'],
    ['Makefile', 'Makefile'],
    ['deploy/.env', '.env'],
    ['odd.', 'odd.'],
    ['src\\win\\path.cs', '*.cs'],
    ['', ''],
  ]
  for (const [path, pattern] of reduced) expect(patternOf(path), path).toBe(pattern)
})

test.each<[glob: string | null, path: string, fit: number | null]>([
  [null, 'a/b.ts', 0],
  ['a/b.ts', 'a/b.ts', 3],
  ['a/b.ts', './a/b.ts', 3],
  ['*.ts', 'a/b.ts', 2],
  ['*.ts', 'b.ts', 2],
  ['*.test.ts', 'a/b.test.ts', 1],
  ['*.js', 'a/b.ts', null],
  ['server/routes/*', 'server/routes/a.ts', 1],
  ['server/routes/*', 'server/routes/a/b.ts', null],
  ['server/**', 'server/routes/a/b.ts', 1],
  ['server/**/b.ts', 'server/b.ts', 1],
  ['server/**/b.ts', 'server/x/y/b.ts', 1],
  ['server/**/b.ts', 'server/xb.ts', null],
  ['**/b.ts', 'b.ts', 1],
  ['src/?.ts', 'src/a.ts', 1],
  ['src/?.ts', 'src/ab.ts', null],
  ['src/*.{ts,tsx}', 'src/a.tsx', 1],
  ['src/*.{ts,tsx}', 'src/a.js', null],
  ['{a,b}/{c,d}.ts', 'b/c.ts', 1],
  ['b.ts', 'deep/down/b.ts', 1],
  ['src/[a].ts', 'src/[a].ts', 3],
  ['src/(x|y)+.ts', 'src/x.ts', null],
  ['ü/🙂?.ts', 'ü/🙂🙂.ts', 1],
])('%j fits %j: %j', (glob, path, fit) => {
  expect(fitOf(glob, path)).toBe(fit)
})

test('a glob made to take forever does not', () => {
  const evil = `${'*a'.repeat(200)}${'{a,b}'.repeat(20)}`
  const started = performance.now()
  expect(fitOf(evil, `${'a'.repeat(1_000)}c`)).toBeNull()
  const braces = `${'{**/,**/}'.repeat(6)}${'**/*'.repeat(100)}/c`.slice(0, 500)
  const deep = `${'a/'.repeat(499)}b`
  for (let nth = 0; nth < 30; nth += 1) expect(fitOf(`${nth % 2}${braces}`.slice(1), deep)).toBeNull()
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('a glob with too many wild cards fits nothing but itself', () => {
  const wild = '{*a,*b}'.repeat(6)
  expect([fitOf(wild, 'aaaaaa'), fitOf(wild, wild)]).toEqual([null, 3])
  expect(fitOf('{*a,*b}'.repeat(4), 'xaxbxaxb')).toBe(1)
})
