import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const branch = 'agent-1/project-7'
const keep = 'refs/treadle/kept/1'

async function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const git = openWorktreeGit(scratch)
  const path = join(scratch.dir, 'work')
  await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef: keep })
  return { ...scratch, git, path }
}

test('a commit takes everything, keeps its message, and nothing to commit is an outcome', async () => {
  const { git, path, sh, write } = await setUp()
  for (const name of ['new\nline', '-dash', 'sub/ü']) write(join(path, name), name)
  sh('git rm -q README; echo more >> a.txt', path)
  const message = 'fix(claim): two agents\n\n# not a comment\n\nItem: #7\nKind: delivery\n'
  const made = await git.commit(path, message)
  expect(made).toEqual({ is: 'committed', commit: await git.commitOf(branch) })
  expect(sh(`git log -1 --format=%B ${branch}`)).toBe(`${message}\n`)
  expect(sh('git status --porcelain', path)).toBe('')
  expect(sh(`git diff --name-only -z main ${branch}`).split('\0').filter(Boolean).sort()).toEqual(
    ['-dash', 'README', 'a.txt', 'new\nline', 'sub/ü'].sort(),
  )
  expect(await git.commit(path, 'again')).toEqual({ is: 'nothing' })
})

test('no hook, no signature and no editor of the user takes part', async () => {
  const { git, path, repository, sh, write } = await setUp()
  for (const name of [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'reference-transaction',
    'post-checkout',
    'pre-push',
  ]) {
    const hook = join(repository, '.git', 'hooks', name)
    writeFileSync(hook, `#!/bin/sh\ntouch '${repository}/.git/ran-${name}'\nexit 1\n`)
    chmodSync(hook, 0o755)
  }
  sh('git config commit.gpgSign true; git config gpg.program false; git config core.editor false')
  write(join(path, 'n'), 'n')
  expect((await git.commit(path, 'm')).is).toBe('committed')
  await git.checkpoint(path, keep, 'c')
  await git.removeWorktree(path, keep)
  await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef: keep })
  expect(readdirSync(join(repository, '.git')).filter((name) => name.startsWith('ran-'))).toEqual([])
})

test('the delivery lands on the branch even if an engine left it', async () => {
  const { git, path, sh, write } = await setUp()
  sh('git checkout -q -b detour; echo d > d; git add d; git commit -qm detour', path)
  write(join(path, 'e'), 'e')
  const made = await git.commit(path, 'all of it')
  expect(made).toEqual({ is: 'committed', commit: await git.commitOf(branch) })
  expect(sh(`git diff --name-only main ${branch}`).trim().split('\n')).toEqual(['d', 'e'])
})

test('changed files are those since the branch left its base, in any state', async () => {
  const { git, path, sh, write } = await setUp()
  write(join(path, 'committed'), 'c')
  await git.commit(path, 'c')
  write(join(path, 'a.txt'), 'unstaged')
  write(join(path, 'untracked'), 'u')
  write(join(path, 'x.log'), 'ignored')
  sh('git mv README README.md', path)
  sh('echo main > elsewhere; git add -A; git commit -qm "main moves on"')
  expect(await git.changedFiles(path, 'main')).toEqual([
    'README',
    'README.md',
    'a.txt',
    'committed',
    'untracked',
  ])
})

verifies('AC-2.3.b', 'a push goes to origin', async () => {
  const { git, path, dir, sh, write } = await setUp()
  expect(await git.push(branch)).toEqual({ is: 'no_remote' })
  sh(`git init -q --bare '${dir}/remote'; git remote add origin '${dir}/remote'`)
  write(join(path, 'n'), 'n')
  await git.commit(path, 'n')
  expect(await git.push(branch)).toEqual({ is: 'pushed' })
  expect(sh(`git -C '${dir}/remote' rev-parse ${branch}`).trim()).toBe(await git.commitOf(branch))
  expect(await git.push(branch)).toEqual({ is: 'pushed' })
})

test('a push never overwrites what is on the remote', async () => {
  const { git, path, dir, sh, write } = await setUp()
  sh(`git init -q --bare '${dir}/remote'; git remote add origin '${dir}/remote'`)
  sh(
    `git commit -q --allow-empty -m theirs; git push -q origin HEAD:refs/heads/${branch}; git reset -q --hard HEAD^`,
  )
  sh(`git config remote.origin.push '+refs/heads/*:refs/heads/*'; git config push.default matching`)
  const theirs = sh(`git -C '${dir}/remote' rev-parse ${branch}`)
  write(join(path, 'n'), 'n')
  await git.commit(path, 'ours')
  const pushed = await git.push(branch)
  expect(pushed).toMatchObject({ is: 'failed', why: expect.stringMatching(/rejected|fetch first/) })
  expect(sh(`git -C '${dir}/remote' rev-parse ${branch}`)).toBe(theirs)
})

test('a remote that is away is an outcome, and its password is not repeated', async () => {
  const { git, sh } = await setUp()
  sh('git remote add origin http://me:secret@127.0.0.1:9/nothing.git')
  const pushed = await git.push(branch)
  expect(pushed.is).toBe('failed')
  expect(JSON.stringify(pushed)).not.toContain('secret')
})

test('a clean worktree goes without a trace, a changed one leaves its content under the reference', async () => {
  const { git, path, sh, write } = await setUp()
  await git.removeWorktree(path, keep)
  expect(existsSync(path)).toBe(false)
  expect(await git.commitOf(keep)).toBeNull()
  await git.removeWorktree(path, keep)
  await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef: keep })
  write(join(path, 'unfinished'), 'work')
  await git.removeWorktree(path, keep)
  await git.removeWorktree(path, keep)
  expect(sh(`git show ${keep}:unfinished`)).toBe('work')
  expect(sh('git worktree list').trim().split('\n')).toHaveLength(1)
})

test('commits that only a detached HEAD holds are kept', async () => {
  const { git, path, sh } = await setUp()
  sh('git checkout -q --detach; echo d > d; git add d; git commit -qm only-here', path)
  await git.removeWorktree(path, keep)
  expect(sh(`git log --format=%s ${keep}`)).toContain('only-here')
})

test("what must not go stays: a locked worktree, somebody else's folder", async () => {
  const { git, path, dir, sh, write } = await setUp()
  sh(`git worktree lock --reason 'mine' '${path}'`)
  await expect(git.removeWorktree(path, keep)).rejects.toThrow('is locked: mine')
  expect(existsSync(join(path, 'a.txt'))).toBe(true)
  write(join(dir, 'foreign', 'file'), 'f')
  await expect(git.removeWorktree(join(dir, 'foreign'), keep)).rejects.toThrow('is not a worktree')
  expect(readFileSync(join(dir, 'foreign', 'file'), 'utf8')).toBe('f')
})

test('a removal that was killed after the rename is finished, and its half-deleted folder is not taken up', async () => {
  const { git, path, dir, sh, write } = await setUp()
  write(join(path, 'n'), 'n')
  await git.commit(path, 'n')
  sh('mv work .work.removing-123; rm .work.removing-123/a.txt', dir)
  expect(
    (await git.ensureWorktree({ path, branch, base: 'main', fresh: false, keepRef: keep })).resumed,
  ).toBe(false)
  expect(existsSync(join(path, 'a.txt'))).toBe(true)
  expect(readdirSync(dir).filter((name) => name.includes('removing'))).toEqual([])
})

test('read-only folders do not stop a removal', async () => {
  const { git, path } = await setUp()
  mkdirSync(join(path, 'ignored', 'cache'), { recursive: true })
  writeFileSync(join(path, 'ignored', 'cache', 'file'), 'x')
  chmodSync(join(path, 'ignored', 'cache'), 0o555)
  chmodSync(join(path, 'ignored'), 0o555)
  await git.removeWorktree(path, keep)
  expect(existsSync(path)).toBe(false)
})
