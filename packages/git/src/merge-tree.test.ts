import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, stateOf } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openMergeGit(scratch) }
}

test('whether two commits go together is said without touching anything of the user', async () => {
  const world = setUp()
  const one = commitOn(world, 'main', { 'a.txt': 'ONE\ntwo\nthree\n' })
  const other = commitOn(world, 'main', { 'a.txt': 'uno\ntwo\nthree\n', free: 'f' })
  world.write(join(world.repository, 'a.txt'), 'the user is at it\n')
  const [before, refs] = [stateOf(world, world.repository), world.sh('git for-each-ref')]
  expect(await world.git.dryRun(one, other)).toEqual({ is: 'conflicted', files: ['a.txt'] })
  expect(await world.git.dryRun(one, commitOn(world, 'main', { free: 'f' }))).toEqual({ is: 'clean' })
  expect(stateOf(world, world.repository)).toEqual(before)
  expect(world.sh('git for-each-ref')).toBe(refs)
})

test('hunks are the lines of the base, file by file', async () => {
  const world = setUp()
  const base = commitOn(world, 'main', { 'n.txt': '1\n2\n3\n4\n5\n6\n', '[odd] name': 'a\n', gone: 'g\n' })
  const to = commitOn(world, base, {
    'n.txt': '1\nTWO\nTHREE\n4\n5\n6\nnew\n',
    '[odd] name': 'b\n',
    gone: null,
  })
  expect(await world.git.hunks({ from: base, to }, ['n.txt', '[odd] name', 'gone', 'a.txt'])).toEqual([
    [
      { from: 2, to: 3 },
      { from: 6, to: 6 },
    ],
    [{ from: 1, to: 1 }],
    [{ from: 1, to: 1 }],
    [],
  ])
})

test('a branch is seen with what stands uncommitted in its worktree, which stays as it is', async () => {
  const world = setUp()
  const worktrees = openWorktreeGit(world)
  const path = join(world.dir, 'work')
  const branch = 'agent-1/project-7'
  await worktrees.ensureWorktree({ path, branch, base: 'main', fresh: true, keepRef: 'refs/treadle/k' })
  const head = world.sh('git rev-parse main').trim()
  const standOf = async (of: string) => (await world.git.standsOf([of]))[0]
  expect(await standOf(branch)).toEqual({ head, commit: head, committed: true })
  world.write(join(path, 'a.txt'), 'edited\n')
  world.write(join(path, 'new/untracked'), 'u\n')
  const [files, index] = [stateOf(world, path), world.sh('git status --porcelain=v2', path)]
  const stand = await standOf(branch)
  expect(stand).toMatchObject({ head, committed: false })
  expect(world.sh(`git show ${stand?.commit}:new/untracked`)).toBe('u\n')
  expect(await standOf(branch)).toEqual(stand)
  expect(stateOf(world, path)).toEqual(files)
  expect(world.sh('git status --porcelain=v2', path)).toBe(index)
  const main = commitOn(world, 'main', { 'a.txt': 'otherwise\n' })
  expect(await world.git.dryRun(main, stand?.commit ?? '')).toMatchObject({ is: 'conflicted' })
  expect(await standOf('agent-9/project-9')).toBeNull()
})
