// Half-done work of an item that was given back: taken up on what it stood on, and on nothing else.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blankItem, type Item } from '@treadle/contracts/item'
import { makeScratch } from '@treadle/git/scratch-repository'
import { openWorktreeGit } from '@treadle/git/worktree'
import { expect, onTestFinished, test } from 'vitest'
import { keepWork, takeUpWork } from './given-back.ts'

const DELIVERED = 'a'.repeat(40)
const OTHER = 'b'.repeat(40)
const itemWith = (given: Partial<Item>): Item =>
  blankItem({ number: 7, title: 'Half', createdAt: '2026-01-01T00:00:00.000Z', ...given })

async function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openWorktreeGit(scratch)
  const worktree = join(scratch.dir, 'work')
  const keepRef = 'refs/treadle/kept/1'
  const anew = () =>
    git.ensureWorktree({ path: worktree, branch: 'agent-1/project-7', base: 'main', fresh: true, keepRef })
  await anew()
  const { commit: base } = await git.latest('main', 1_000)
  return { git, worktree, base, anew }
}

const ANEW: Partial<Item> = { headCommit: DELIVERED, startsAnew: true }

test.each<[string, Partial<Item>, Partial<Item>, { isGivenBack: boolean; isTakenUp: boolean }]>([
  ['the same target and no delivery', {}, {}, { isGivenBack: true, isTakenUp: true }],
  [
    'the same delivery',
    { headCommit: DELIVERED },
    { headCommit: DELIVERED },
    { isGivenBack: true, isTakenUp: true },
  ],
  ['the same target, with another run in between', {}, {}, { isGivenBack: false, isTakenUp: true }],
  [
    'another delivery',
    { headCommit: DELIVERED },
    { headCommit: OTHER },
    { isGivenBack: true, isTakenUp: false },
  ],
  ['a delivery where there was none', {}, { headCommit: DELIVERED }, { isGivenBack: true, isTakenUp: false }],
  ['an item that is to start anew', { headCommit: DELIVERED }, ANEW, { isGivenBack: true, isTakenUp: false }],
  [
    'an item that had started anew when it was given back',
    ANEW,
    ANEW,
    { isGivenBack: true, isTakenUp: true },
  ],
  ['an item that is to start anew once more', ANEW, ANEW, { isGivenBack: false, isTakenUp: false }],
])('on %s', async (_, before, after, { isGivenBack, isTakenUp }) => {
  const { git, worktree, base, anew } = await setUp()
  writeFileSync(join(worktree, 'half.txt'), 'half\n')
  await keepWork(git, { item: itemWith(before), base, worktree })
  await anew()
  expect(existsSync(join(worktree, 'half.txt'))).toBe(false)
  const given = { item: itemWith(after), base, worktree }
  const found = await takeUpWork(git, given, {
    keepRef: 'refs/treadle/before/1',
    takenUpRef: 'refs/treadle/taken-up/1',
    isGivenBack: async () => isGivenBack,
  })
  expect((await git.commitOf('refs/treadle/taken-up/1')) !== null).toBe(isTakenUp)
  expect([found, existsSync(join(worktree, 'half.txt'))]).toEqual([isTakenUp, isTakenUp])
})

test('on a target that has moved on it is left where it is', async () => {
  const { git, worktree, base, anew } = await setUp()
  writeFileSync(join(worktree, 'half.txt'), 'half\n')
  await keepWork(git, { item: itemWith({}), base, worktree })
  await anew()
  const found = await takeUpWork(
    git,
    { item: itemWith({}), base: OTHER, worktree },
    {
      keepRef: 'refs/treadle/before/1',
      takenUpRef: 'refs/treadle/taken-up/1',
      isGivenBack: async () => true,
    },
  )
  expect(found).toBe(false)
})
