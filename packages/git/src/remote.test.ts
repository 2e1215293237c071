import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { makeScratch, stateOf } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const fetchMs = 20_000
const branch = 'agent-1/project-7'

/** A repository, its origin, and a clone in which others work. */
function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const { dir, sh } = scratch
  const others = join(dir, 'others')
  sh(
    `git clone -q --bare . '${dir}/origin'; git remote add origin '${dir}/origin'; git clone -q '${dir}/origin' '${others}'`,
  )
  const elsewhere = (text: string): string =>
    sh(
      `echo '${text}' >> README; git commit -qam '${text}'; git push -q origin main; git rev-parse HEAD`,
      others,
    ).trim()
  return { ...scratch, others, elsewhere, git: openMergeGit(scratch), worktrees: openWorktreeGit(scratch) }
}

test('without a remote the branch here is the newest', async () => {
  const { repository, env, sh, git } = setUp()
  sh('git remote remove origin')
  const commit = sh('git rev-parse main').trim()
  expect(await git.latest('main', fetchMs)).toEqual({
    commit,
    from: 'here',
    beside: null,
    note: 'main (no remote)',
  })
  expect(await openWorktreeGit({ repository, env }).latest(commit, fetchMs)).toMatchObject({
    commit,
    from: 'here',
  })
})

test("an agent's branch starts from what origin has now, and the checkout of the user stays where it is", async () => {
  const world = setUp()
  const { git, worktrees, sh, dir } = world
  const newest = world.elsewhere('from others')
  const before = { ...stateOf(world, world.repository), inGitDir: [] }
  const latest = await worktrees.latest('main', fetchMs)
  expect(latest).toEqual({ commit: newest, from: 'origin', beside: null, note: 'origin/main' })
  const path = join(dir, 'work')
  await worktrees.ensureWorktree({
    path,
    branch,
    base: latest.commit,
    fresh: true,
    keepRef: 'refs/treadle/k',
  })
  expect(sh(`git rev-parse ${branch}`).trim()).toBe(newest)
  expect(sh('git symbolic-ref --short HEAD', path).trim()).toBe('agent-1/project-7')
  expect({ ...stateOf(world, world.repository), inGitDir: [] }).toEqual(before)
  expect(await git.commitOf('main')).not.toBe(newest)
})

test('the branch here counts when it is ahead, and when the two have gone different ways', async () => {
  const { git, sh, elsewhere } = setUp()
  const here = sh('git commit -q --allow-empty -m landed; git rev-parse main').trim()
  expect(await git.latest('main', fetchMs)).toMatchObject({ commit: here, from: 'here', beside: null })
  const there = elsewhere('another way')
  expect(await git.latest('main', fetchMs)).toMatchObject({ commit: here, from: 'here', beside: there })
})

test('an origin that is away, or has no such branch, does not hold up the work', async () => {
  const { git, sh, dir } = setUp()
  const commit = sh('git rev-parse main').trim()
  sh('git branch develop')
  expect(await git.latest('develop', fetchMs)).toMatchObject({
    commit,
    note: 'develop (origin has no develop)',
  })
  sh(`git remote set-url origin '${dir}/nowhere'`)
  expect(await git.latest('main', fetchMs)).toMatchObject({ commit, note: 'main (origin did not answer)' })
  expect(await git.isPushed('main', fetchMs)).toBe(false)
})

test('an agent that takes an item again works on the same branch, and pushing it again overwrites nothing', async () => {
  const { git, worktrees, sh, dir, write } = setUp()
  const path = join(dir, 'work')
  const request = { path, branch, base: 'main', fresh: true, keepRef: 'refs/treadle/k' }
  await worktrees.ensureWorktree(request)
  write(join(path, 'first'), '1')
  await worktrees.commit(path, 'first delivery')
  expect(await git.isPushed(branch, fetchMs)).toBe(false)
  expect(await worktrees.push(branch)).toEqual({ is: 'pushed' })
  expect(await git.isPushed(branch, fetchMs)).toBe(true)
  const first = sh(`git rev-parse ${branch}`).trim()
  await worktrees.removeWorktree(path, 'refs/treadle/k')
  sh('git commit -q --allow-empty -m "main moves on"')
  await worktrees.ensureWorktree(request)
  expect(sh('ls', path)).not.toContain('first')
  write(join(path, 'second'), '2')
  await worktrees.commit(path, 'second delivery')
  expect(await worktrees.push(branch)).toEqual({ is: 'pushed' })
  const pushed = sh(`git -C '${dir}/origin' rev-parse ${branch}`).trim()
  expect(pushed).toBe(await git.commitOf(branch))
  sh(`git merge-base --is-ancestor ${first} ${pushed}; git merge-base --is-ancestor main ${pushed}`)
  expect(sh(`git diff --name-only main...${pushed}`).trim()).toBe('second')
  expect(sh(`git branch --list 'agent-*'`).trim().replace(/^\W+/, '')).toBe(branch)
})

test('what somebody pushed to a branch meanwhile is taken up, if it only adds', async () => {
  const { git, sh, others } = setUp()
  sh(`git branch ${branch}; git push -q origin ${branch}`)
  const there = sh(
    `git fetch -q; git checkout -q ${branch}; echo r > r; git add r; git commit -qm r; git push -q origin ${branch}; git rev-parse HEAD`,
    others,
  ).trim()
  expect(await git.takePushed(branch, fetchMs)).toBe(there)
  expect(await git.commitOf(branch)).toBe(there)
  expect(await git.takePushed('agent-9/project-9', fetchMs)).toBeNull()
})
