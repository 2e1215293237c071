import { commitOn, makeScratch } from '@treadle/git/scratch-repository'
import { expect, onTestFinished, test } from 'vitest'
import { figuresOf, table } from './figures.ts'
import { replay } from './measure.ts'

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`)
const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, at) => changes[at + 1] ?? line).join('\n')}\n`
type Files = Record<string, string | null>

/** Each: what both begin with, and what either side does. */
const MERGES: readonly { files: Files; one: Files; other: Files; conflict: boolean }[] = [
  { files: { a: text() }, one: { a: text({ 3: 'x' }) }, other: { a: text({ 3: 'y' }) }, conflict: true },
  { files: { a: text() }, one: { a: text({ 3: 'x' }) }, other: { a: text({ 4: 'y' }) }, conflict: true },
  { files: { a: text() }, one: { a: text({ 3: 'x' }) }, other: { a: text({ 20: 'y' }) }, conflict: false },
  {
    files: { a: text() },
    one: { a: text({ 3: 'x' }) },
    other: { a: text({ 3: 'x' }), d: 'd\n' },
    conflict: false,
  },
  { files: { a: text() }, one: { a: text({ 3: 'x' }) }, other: { a: null }, conflict: true },
  { files: { a: text() }, one: { a: text({ 3: 'x' }) }, other: { b: text() }, conflict: false },
  { files: { a: text() }, one: { c: 'mine\n' }, other: { c: 'theirs\n' }, conflict: true },
  {
    files: { a: text() },
    one: { a: null, b: text({ 3: 'x' }) },
    other: { a: text({ 20: 'y' }) },
    conflict: false,
  },
  {
    files: { a: text() },
    one: { a: null, b: text({ 3: 'x' }) },
    other: { a: text({ 3: 'y' }) },
    conflict: true,
  },
]

test('a made history: every computed conflict is the actual one, and the warning beats the same-file rule', async () => {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  for (const [at, { files, one, other }] of MERGES.entries()) {
    const base = commitOn(scratch, 'main', files)
    const [mine, theirs] = [commitOn(scratch, base, one), commitOn(scratch, base, other)]
    // How it was once resolved does not matter.
    scratch.sh(
      `git branch merged-${at} $(git commit-tree ${mine}^{tree} -p ${mine} -p ${theirs} -m 'merge ${at}')`,
    )
  }
  const replayed = await replay(scratch.repository, { limit: 100, tell: () => undefined })
  const figures = figuresOf(replayed)
  process.stdout.write(table('a made history', figures))
  expect(figures).toMatchObject({
    merges: MERGES.length,
    twoSided: MERGES.length,
    skipped: 0,
    mismatches: [],
  })
  expect(figures.conflicts).toBe(MERGES.filter(({ conflict }) => conflict).length)
  const [sameFile, , live] = figures.rules
  expect(live).toMatchObject({ precision: 1, recall: 1 })
  expect(live?.f1).toBeGreaterThan(sameFile?.f1 ?? 1)
})
