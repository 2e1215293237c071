import { Config } from '@treadle/contracts/config'
import type { ItemMove } from '@treadle/contracts/event'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { matchesAny } from '../../work/glob.ts'
import { conflictLabels } from '../../work/labels.ts'
import { COMMIT, sampleItem } from '../../work/testing/sample.ts'
import { type ConflictFacts, decideConflict, judgePending } from './decide.ts'
import { overlaps } from './overlap.ts'
import { pairKey, pairsOf, type Side, warningId } from './predict.ts'
import { recordAfter } from './record.ts'
import { conflictComment, resolveCommands } from './words.ts'

const { criticalFiles } = Config.parse({}).merge
const { conflictFiles, pendingConflicts } = Config.parse({}).limits
const small: ConflictFacts = {
  files: ['src/a.ts'],
  allowed: true,
  criticalFiles,
  filesMax: conflictFiles,
  pushed: false,
}
const many = (count: number) => Array.from({ length: count }, (_, n) => `src/${n}.ts`)

test.each<[string, Partial<ConflictFacts>, 'rebase' | 'merge' | RegExp]>([
  ['one file', {}, 'rebase'],
  ['four files', { files: many(4) }, 'rebase'],
  ['a branch that was pushed', { pushed: true }, 'merge'],
  ['five files', { files: many(5) }, /5 files/],
  ['many files', { files: many(40) }, /40 files/],
  ['the setting is off', { allowed: false }, /autoResolve/],
])('%s', (_, facts, expected) => {
  const choice = decideConflict({ ...small, ...facts })
  if (choice.is === 'try') expect(choice.how).toBe(expected)
  else expect(choice.because).toMatch(expected)
})

verifies(
  'ORCH-S5-15',
  'a conflict in a critical file is never tried; which files those are is a setting with a default',
  () => {
    for (const file of [
      'package.json',
      'web/package.json',
      'package-lock.json',
      'go.sum',
      'db/schema.prisma',
    ])
      expect(decideConflict({ ...small, files: ['src/a.ts', file] })).toEqual({
        is: 'escalate',
        because: `critical: ${file}`,
      })
    const own = Config.parse({ merge: { criticalFiles: ['config/**'] } }).merge.criticalFiles
    expect(decideConflict({ ...small, criticalFiles: own, files: ['config/deep/x.yml'] }).is).toBe('escalate')
    expect(decideConflict({ ...small, criticalFiles: own, files: ['package.json'] }).is).toBe('try')
  },
)

test.each([
  ['db/migrations/001.ts', true],
  ['migrations/001.sql', true],
  ['a.sql', true],
  ['schema.graphql', true],
  ['api/user.schema.json', true],
  ['bun.lockb', true],
  ['src/packages.json', false],
  ['src/schemas/a.ts', false],
  ['src/sql.ts', false],
])('%s is critical: %s', (file, critical) => {
  expect(matchesAny(file, criticalFiles)).toBe(critical)
})

test.each([
  ['a/*.ts', 'a/b.ts', true],
  ['a/*.ts', 'a/b/c.ts', false],
  ['a/**', 'a/b/c.ts', true],
  ['a/**/c.ts', 'a/c.ts', true],
  ['?.ts', 'x/a.ts', true],
  ['a+b(c).ts', 'a+b(c).ts', true],
  ['a.ts', 'axts', false],
  ['{a,b}.ts', 'b.ts', true],
  ['[x].ts', '[x].ts', true],
])('the glob %s and %s: %s', (glob, file, matches) => {
  expect(matchesAny(file, [glob])).toBe(matches)
})

test('more than five pending conflicts stop claiming, five do not', () => {
  expect(judgePending(5, pendingConflicts)).toBeNull()
  expect(judgePending(6, pendingConflicts)).toContain('6 conflicts wait')
})

const range = (from: number, to = from) => ({ from, to })
test.each([
  ['apart', [range(1)], [range(9)], []],
  ['the same line', [range(4)], [range(4)], [range(4)]],
  ['side by side', [range(4)], [range(5, 6)], [range(4, 6)]],
  ['one line between', [range(4)], [range(6)], []],
  ['inside', [range(1, 9)], [range(4), range(6)], [range(1, 9)]],
  ['two places', [range(1), range(20, 22)], [range(1), range(21)], [range(1), range(20, 22)]],
])('lines that are %s', (_, one, other, expected) => {
  expect(overlaps(one, other)).toEqual(expected)
  expect(overlaps(other, one)).toEqual(expected)
})

const side = (number: number | null, head: string, commit = head): Side => ({
  branch: number === null ? 'main' : `agent-1/project-${number}`,
  item: number === null ? null : { projectNumber: 1, number },
  agentId: null,
  head,
  commit,
  committed: head === commit,
})
const main = side(null, 'm'.repeat(40))

test('every two live branches are held against each other once, and each against the target', () => {
  const live = [side(3, 'c'.repeat(40)), side(1, 'a'.repeat(40)), side(2, 'b'.repeat(40))]
  const pairs = pairsOf(live, main).map(([one, other]) => [one.item?.number, other.item?.number ?? 'main'])
  expect(pairs).toEqual([
    [1, 'main'],
    [2, 'main'],
    [2, 1],
    [3, 'main'],
    [3, 1],
    [3, 2],
  ])
  expect(pairsOf([], main)).toEqual([])
})

test('a warning is one warning for two heads and a list of files', () => {
  const files = [{ path: 'a.ts', lines: [] }]
  const [one, other] = [side(2, 'b'.repeat(40)), side(1, 'a'.repeat(40))]
  const id = warningId(one, other, files)
  const edited = { ...one, commit: 'e'.repeat(40), committed: false }
  expect(pairKey(edited, other)).not.toBe(pairKey(one, other))
  expect(warningId(edited, other, files)).toBe(id)
  expect(warningId(one, other, [{ path: 'a.ts', lines: [range(3)] }])).toBe(id)
  expect(warningId(side(2, 'f'.repeat(40)), other, files)).not.toBe(id)
  expect(warningId(one, side(1, 'f'.repeat(40)), files)).not.toBe(id)
  expect(warningId(one, other, [...files, { path: 'b.ts', lines: [] }])).not.toBe(id)
  const ahead = side(null, 'n'.repeat(40))
  expect(warningId(one, ahead, files)).toBe(warningId(one, main, files))
  expect(id).toMatch(/^[A-Za-z0-9:._-]{8,128}$/)
})

test('the record of a conflict follows the item', () => {
  const at = (state: 'merging' | 'conflicted' | 'building') => sampleItem({ state })
  const conflicted: ItemMove = { type: 'merge.conflicted', files: ['a'], why: 'both' }
  expect(recordAfter(at('merging'), conflicted)).toEqual({ is: 'open', files: ['a'], why: 'both' })
  expect(recordAfter(at('conflicted'), { type: 'merge.resumed', by: 'ada', head: COMMIT })).toEqual({
    is: 'resolving',
  })
  expect(recordAfter(at('conflicted'), { type: 'item.reopened', by: 'ada' })).toMatchObject({
    how: 'aborted by ada',
  })
  expect(recordAfter(at('conflicted'), { type: 'item.withdrawn', by: 'ada' })).toMatchObject({ is: 'close' })
  expect(recordAfter(at('building'), { type: 'item.withdrawn', by: 'ada' })).toBeNull()
  expect(recordAfter(at('conflicted'), { type: 'deadline.passed', state: 'conflicted' })).toBeNull()
  expect(recordAfter(at('merging'), { type: 'deadline.passed', state: 'merging' })).toMatchObject({
    is: 'close',
  })
})

test('the label is there exactly while the item is conflicted', () => {
  expect(conflictLabels('conflicted', ['mine'])).toEqual(['mine', 'needs-manual-resolution'])
  expect(conflictLabels('conflicted', ['needs-manual-resolution'])).toEqual(['needs-manual-resolution'])
  expect(conflictLabels('merging', ['mine', 'needs-manual-resolution'])).toEqual(['mine'])
})

test('people are told the files and the commands', () => {
  const text = conflictComment({ branch: 'agent-1/project-7', files: ['a.ts', 'b.ts'], why: 'both changed' })
  expect(text).toContain('agent-1/project-7 cannot be merged: both changed.')
  expect(text).toContain('- a.ts\n- b.ts')
  const commands = resolveCommands(
    { branchName: 'agent-1/project-7', issueNumber: 7, projectNumber: 2 },
    'main',
  )
  expect(commands).toContain('git -C ../resolve-7 merge main')
  expect(commands.at(-1)).toBe('treadle conflicts resolve 7 --project 2')
})
