import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { makeScratch, stateOf } from './scratch-repository.ts'

const branch = 'agent-1/project-7'

/** The change rewrites line 1 and adds a file; main rewrites line 1 too. */
function setUp(main: string, change: string) {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const { sh, dir, repository } = scratch
  const work = join(dir, 'make')
  sh(`git worktree add -q -b ${branch} '${work}' main`)
  const head = sh(`${change}; git add -A; git commit -qm change; git rev-parse HEAD`, work).trim()
  sh(`git worktree remove --force '${work}'`)
  const onto = sh(`${main}; git add -A; git commit -qm main; git rev-parse HEAD`, repository).trim()
  const request = { head, onto, path: join(dir, 'scratch'), message: 'Merge main' }
  return { ...scratch, git: openMergeGit(scratch), head, onto, request }
}

const theirs = "sed -i 's/one/main/' a.txt"
const mine = "sed -i 's/one/mine/' a.txt; sed -i 's/three/THREE/' a.txt; echo n > new"

test.each(['rebase', 'merge'] as const)(
  'a small conflict is resolved by a %s: the side of the target wins, the rest of the change stays',
  async (how) => {
    const world = setUp(theirs, mine)
    const { git, sh, repository, request, head, onto } = world
    const before = [stateOf(world, repository), sh('git for-each-ref')]
    const resolved = await git.resolve({ ...request, how })
    if (resolved.is === 'failed') throw new Error(resolved.why)
    expect(sh(`git show ${resolved.commit}:a.txt`)).toBe('main\ntwo\nTHREE\n')
    expect(sh(`git show ${resolved.commit}:new`)).toBe('n\n')
    const parents = sh(`git log -1 --format=%P ${resolved.commit}`).trim()
    expect(parents).toBe(how === 'rebase' ? onto : `${head} ${onto}`)
    expect(await git.dryRun(onto, resolved.commit)).toEqual({ is: 'clean' })
    expect([stateOf(world, repository), sh('git for-each-ref')]).toEqual(before)
    expect(existsSync(request.path)).toBe(false)
  },
)

test.each(['rebase', 'merge'] as const)(
  'what has no side to take is given up in a %s, and nothing is left of the attempt',
  async (how) => {
    const world = setUp('git rm -q a.txt', mine)
    const { git, sh, repository, request } = world
    const before = [stateOf(world, repository), sh('git for-each-ref; git worktree list')]
    expect(await git.resolve({ ...request, how })).toEqual({
      is: 'failed',
      why: 'no side can be taken for a.txt',
    })
    expect([stateOf(world, repository), sh('git for-each-ref; git worktree list')]).toEqual(before)
    expect(existsSync(request.path)).toBe(false)
  },
)

test('a change of which nothing would be left is not resolved', async () => {
  const { git, request } = setUp(theirs, "sed -i 's/one/mine/' a.txt")
  const nothing = { is: 'failed', why: 'nothing of the change would be left' }
  expect(await git.resolve({ ...request, how: 'rebase' })).toEqual(nothing)
  expect(await git.resolve({ ...request, how: 'merge' })).toEqual(nothing)
})

test('no setting of the user takes part: other branches stay, nothing is remembered for next time', async () => {
  const { git, sh, request, head } = setUp(theirs, mine)
  sh('git config rebase.updateRefs true; git config rerere.enabled true; git config rebase.autoStash true')
  sh(`git branch beside ${head}`)
  expect((await git.resolve({ ...request, how: 'rebase' })).is).toBe('resolved')
  expect(await git.commitOf('beside')).toBe(head)
  expect(await git.commitOf(branch)).toBe(head)
  expect(existsSync(join(request.path, '../repo/.git/rr-cache'))).toBe(false)
})

test('a branch moves only from where it was, and not under somebody who has it checked out', async () => {
  const { git, sh, dir, head, onto } = setUp(theirs, mine)
  expect(await git.moveBranch({ branch, from: onto, to: onto })).toBe(false)
  sh(`git worktree add -q '${dir}/person' ${branch}`)
  expect(await git.moveBranch({ branch, from: head, to: onto })).toBe(false)
  expect(await git.moveBranch({ branch, from: onto, to: head })).toBe(true)
  sh(`git worktree remove '${dir}/person'`)
  expect(await git.moveBranch({ branch, from: head, to: onto })).toBe(true)
  expect(await git.commitOf(branch)).toBe(onto)
})
