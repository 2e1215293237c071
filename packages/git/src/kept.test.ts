import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openKeptGit } from './kept.ts'
import { makeScratch, stateOf } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const last = 'refs/treadle/runs/018f0000-0000-7000-8000-000000000000/last'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const path = join(scratch.dir, 'work trees', 'agent-1')
  const request = { path, branch: 'agent-1/project-7', base: 'main', fresh: true, keepRef: last }
  return { ...scratch, git: openWorktreeGit(scratch), kept: openKeptGit(scratch), path, request }
}

test('a worktree goes only after all that it holds is reachable from a reference', async () => {
  const { git, kept, path, request, write, sh } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'a.txt'), 'changed')
  write(join(path, 'src/new.ts'), 'untracked')
  sh('echo staged > s; git add s; git rm -q README', path)
  await kept.keepWorktree(path, last)
  expect(existsSync(path)).toBe(false)
  expect(sh(`git show ${last}:a.txt`)).toBe('changed')
  expect(sh(`git show ${last}:src/new.ts`)).toBe('untracked')
  expect(sh(`git show ${last}:s`)).toBe('staged\n')
  expect(sh(`git ls-tree --name-only ${last}`)).not.toContain('README')
})

test('a worktree whose content cannot be kept is not removed', async () => {
  const { git, kept, path, request, write } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'new.ts'), 'untracked')
  await expect(kept.keepWorktree(path, 'not a reference')).rejects.toThrow('cannot be a reference')
  expect(readFileSync(join(path, 'new.ts'), 'utf8')).toBe('untracked')
})

test('what was kept is listed, newest first, with what it changed since it left the target', async () => {
  const { git, kept, path, request, repository, env, write, sh } = setUp()
  expect(await kept.list()).toEqual([])
  await git.ensureWorktree(request)
  const earlier = openWorktreeGit({
    repository,
    env: { ...env, GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' },
  })
  const start = await earlier.checkpoint(path, 'refs/treadle/runs/r/0-start', 'Checkpoint: start')
  write(join(path, 'b\nold.txt'), 'a name with a line break')
  write(join(path, 'a.txt'), 'changed')
  const found = await git.checkpoint(path, 'refs/treadle/found/agent-1-1-7-abcd', 'found')
  sh('echo more > main.txt; git add -A; git commit -qm "main goes on"')
  const listed = await kept.list()
  expect(listed).toMatchObject([
    { ref: 'refs/treadle/found/agent-1-1-7-abcd', commit: found, subject: 'found' },
    { ref: 'refs/treadle/runs/r/0-start', commit: start, subject: 'Checkpoint: start' },
  ])
  expect(listed[1]?.at).toEqual(new Date('2020-01-01T00:00:00Z'))
  expect(await kept.changes(found, 'main')).toEqual(['a.txt', 'b\nold.txt'])
  expect(await kept.changes(start, 'main')).toEqual([])
  const apart = sh('git commit-tree -m apart HEAD^{tree}').trim()
  expect(await kept.changes(apart, 'main')).toEqual(['.gitignore', 'README', 'a.txt', 'main.txt'])
})

test('it comes back on a new branch, and the checkout of the user stays as it is', async () => {
  const scratch = setUp()
  const { git, kept, path, request, repository, write, sh } = scratch
  await git.ensureWorktree(request)
  write(join(path, 'a.txt'), 'changed')
  await kept.keepWorktree(path, last)
  write(join(repository, 'mine.txt'), 'of the user')
  sh('echo staged > s; git add s')
  const before = stateOf(scratch, repository)
  const done = await kept.restore(last, { branch: 'rescued/7', worktree: null })
  expect(done).toEqual({
    is: 'restored',
    commit: sh(`git rev-parse ${last}`).trim(),
    branch: 'rescued/7',
    worktree: null,
  })
  expect(sh('git show rescued/7:a.txt')).toBe('changed')
  expect(stateOf(scratch, repository)).toEqual(before)
})

test('it comes back in a folder of its own', async () => {
  const scratch = setUp()
  const { git, kept, path, request, repository, dir, write, sh } = scratch
  await git.ensureWorktree(request)
  write(join(path, 'a.txt'), 'changed')
  await kept.keepWorktree(path, last)
  const before = stateOf(scratch, repository)
  const place = join(dir, 'rescued')
  const done = await kept.restore(last, { branch: 'rescued', worktree: place })
  expect(done).toMatchObject({ is: 'restored', worktree: place })
  expect(readFileSync(join(place, 'a.txt'), 'utf8')).toBe('changed')
  expect(sh('git symbolic-ref HEAD', place).trim()).toBe('refs/heads/rescued')
  expect(stateOf(scratch, repository)).toEqual(before)
})

test('a branch or a folder that is there already is left alone', async () => {
  const { git, kept, path, request, dir, repository, write, sh } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'a.txt'), 'changed')
  await kept.keepWorktree(path, last)
  expect(await kept.restore(last, { branch: 'main', worktree: null })).toEqual({ is: 'branch_exists' })
  expect(sh('git show main:a.txt')).toBe('one\ntwo\nthree\n')
  const taken = join(dir, 'taken')
  write(join(taken, 'precious'), 'p')
  expect(await kept.restore(last, { branch: 'rescued', worktree: taken })).toEqual({ is: 'taken', at: taken })
  expect(await git.commitOf('refs/heads/rescued')).toBeNull()
  await expect(kept.restore(last, { branch: 'rescued', worktree: repository })).rejects.toThrow(
    'the repository itself',
  )
  expect(await kept.restore('refs/treadle/none', { branch: 'rescued', worktree: null })).toEqual({
    is: 'missing',
  })
  expect(await kept.restore('main', { branch: 'rescued', worktree: null })).toEqual({ is: 'missing' })
  await expect(kept.restore(last, { branch: 'a..b', worktree: null })).rejects.toThrow('cannot be a branch')
})
