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

test.each<[string, Partial<Item>, Partial<Item>, boolean]>([
  ['the same target and no delivery', {}, {}, true],
  ['the same delivery', { headCommit: DELIVERED }, { headCommit: DELIVERED }, true],
  ['another delivery', { headCommit: DELIVERED }, { headCommit: OTHER }, false],
  ['a delivery where there was none', {}, { headCommit: DELIVERED }, false],
  ['an item that is to start anew', {}, { startsAnew: true }, false],
])('on %s', async (_, before, after, isTakenUp) => {
  const { git, worktree, base, anew } = await setUp()
  writeFileSync(join(worktree, 'half.txt'), 'half\n')
  await keepWork(git, { item: itemWith(before), base, worktree })
  await anew()
  expect(existsSync(join(worktree, 'half.txt'))).toBe(false)
  const found = await takeUpWork(git, { item: itemWith(after), base, worktree }, 'refs/treadle/before/1')
  expect([found, existsSync(join(worktree, 'half.txt'))]).toEqual([isTakenUp, isTakenUp])
})

test('on a target that has moved on it is left where it is', async () => {
  const { git, worktree, base, anew } = await setUp()
  writeFileSync(join(worktree, 'half.txt'), 'half\n')
  await keepWork(git, { item: itemWith({}), base, worktree })
  await anew()
  expect(await takeUpWork(git, { item: itemWith({}), base: OTHER, worktree }, 'refs/treadle/before/1')).toBe(
    false,
  )
})
