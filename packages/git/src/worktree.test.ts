import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import { expect, onTestFinished, test } from 'vitest'
import { filesIn, makeScratch, type Scratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

const branch = 'agent-1/project-7'
const keep = 'refs/treadle/kept/test'

function setUp(kind?: 'checkout' | 'bare' | 'empty') {
  const scratch = makeScratch(kind)
  onTestFinished(scratch.remove)
  const git = openWorktreeGit(scratch)
  const path = join(scratch.dir, 'work trees', 'agent-1')
  return { ...scratch, git, path, request: { path, branch, base: 'main', fresh: false, keepRef: keep } }
}

const old = new Date(Date.now() - 60_000)
const adminOf = (path: string): string =>
  readFileSync(join(path, '.git'), 'utf8').replace('gitdir: ', '').trim()
const headName = (scratch: Pick<Scratch, 'sh'>, path: string): string =>
  scratch.sh('git symbolic-ref HEAD', path).trim()

test('a new worktree stands on a new branch at the base, with its files', async () => {
  const { git, path, request, repository, sh } = setUp()
  const made = await git.ensureWorktree(request)
  expect(made).toEqual({ head: await git.commitOf('main'), resumed: false })
  expect(filesIn(path)).toEqual(filesIn(repository))
  expect(headName({ sh }, path)).toBe(`refs/heads/${branch}`)
  expect(sh('git branch --show-current').trim()).toBe('main')
  // No tracking configuration is written: agents would wait for each other's lock on the file.
  expect(sh('git config --local --list')).not.toContain('branch.')
})

test('the worktree of a killed predecessor is taken up with everything in it', async () => {
  const { git, path, request, write, sh } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'new.txt'), 'untracked')
  write(join(path, 'x.log'), 'ignored')
  write(join(path, 'a.txt'), 'changed')
  sh('git rm -q README; echo staged > s; git add s', path)
  const before = filesIn(path)
  const again = await git.ensureWorktree(request)
  expect(again.resumed).toBe(true)
  expect(filesIn(path)).toEqual(before)
})

test('an existing branch is used and not moved', async () => {
  const { git, path, request, sh } = setUp()
  sh(`git checkout -q -b ${branch}; echo b > b; git add b; git commit -qm b; git checkout -q main`)
  const made = await git.ensureWorktree(request)
  expect(made.resumed).toBe(false)
  expect(made.head).toBe(await git.commitOf(branch))
  expect(existsSync(join(path, 'b'))).toBe(true)
})

test('a branch wins over a tag of the same name', async () => {
  const { git, sh } = setUp()
  sh('git tag side; git checkout -q -b side; git commit -q --allow-empty -m s; git checkout -q main')
  expect(await git.commitOf('side')).toBe(sh('git rev-parse refs/heads/side').trim())
  expect(await git.commitOf('--help')).toBeNull()
  expect(await git.commitOf('no such thing')).toBeNull()
})

test('a folder that vanished is made again, and work of other worktrees is not pruned', async () => {
  const { git, path, request, dir, sh } = setUp()
  await git.ensureWorktree(request)
  sh(`git worktree add -q -b users ${dir}/users; mv ${dir}/users ${dir}/away`)
  rmSync(path, { recursive: true })
  expect((await git.ensureWorktree(request)).resumed).toBe(false)
  expect(sh('git worktree list')).toContain(`${dir}/users`)
})

test('the branch is freed from a worktree at another path whose folder is gone', async () => {
  const { git, path, request } = setUp()
  await git.ensureWorktree(request)
  rmSync(path, { recursive: true })
  const moved = `${path}-elsewhere`
  expect((await git.ensureWorktree({ ...request, path: moved })).resumed).toBe(false)
})

test('a branch that somebody has checked out is a fault that says where', async () => {
  const { git, request, repository, sh } = setUp()
  sh(`git checkout -q -b ${branch}`)
  await expect(git.ensureWorktree(request)).rejects.toThrow(`is checked out at ${repository}`)
})

test('an interrupted `git worktree add` leaves nothing that stops the next one', async () => {
  const { git, path, request, repository } = setUp()
  await git.ensureWorktree(request)
  const admin = adminOf(path)
  writeFileSync(join(admin, 'locked'), 'initializing')
  utimesSync(join(admin, 'locked'), old, old)
  for (const name of ['index', 'ORIG_HEAD', 'treadle-branch']) rmSync(join(admin, name), { force: true })
  rmSync(join(path, 'a.txt'))
  // An earlier attempt that did not even come to write down the path.
  const earlier = `${admin}1`
  mkdirSync(earlier)
  writeFileSync(join(earlier, 'locked'), 'initializing')
  utimesSync(join(earlier, 'locked'), old, old)
  expect((await git.ensureWorktree(request)).resumed).toBe(false)
  expect(filesIn(path)).toEqual(filesIn(repository))
  expect(readdirSync(dirname(admin))).toEqual(['agent-1'])
  expect(existsSync(join(adminOf(path), 'locked'))).toBe(false)
})

test('stale locks in the worktree do not stop the next commit', async () => {
  const { git, path, request, write } = setUp()
  await git.ensureWorktree(request)
  for (const name of ['index.lock', 'HEAD.lock']) {
    writeFileSync(join(adminOf(path), name), '')
    utimesSync(join(adminOf(path), name), old, old)
  }
  write(join(path, 'n'), 'n')
  await git.ensureWorktree(request)
  expect((await git.commit(path, 'works')).is).toBe('committed')
})

test('a broken index is made again and the files stay', async () => {
  const { git, path, request, write } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'a.txt'), 'mine')
  writeFileSync(join(adminOf(path), 'index'), 'not an index')
  expect((await git.ensureWorktree(request)).resumed).toBe(true)
  expect(await git.changedFiles(path, 'main')).toEqual(['a.txt'])
})

test('files stay and the branch comes back if an engine checked out something else', async () => {
  const { git, path, request, write, sh } = setUp()
  await git.ensureWorktree(request)
  sh('git checkout -q --detach; echo d > d; git add d; git commit -qm detached', path)
  write(join(path, 'e'), 'e')
  const before = filesIn(path)
  expect((await git.ensureWorktree(request)).resumed).toBe(true)
  expect(filesIn(path)).toEqual(before)
  expect(headName({ sh }, path)).toBe(`refs/heads/${branch}`)
  expect(await git.changedFiles(path, 'main')).toEqual(['d', 'e'])
})

test('a worktree of another branch makes room, its content kept under a reference', async () => {
  const { git, path, request, write, sh } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'unfinished'), 'work')
  expect((await git.ensureWorktree({ ...request, branch: 'agent-1/project-8' })).resumed).toBe(false)
  expect(existsSync(join(path, 'unfinished'))).toBe(false)
  expect(sh(`git show ${keep}:unfinished`)).toBe('work')
})

test('a fresh start is at the base; the earlier branch and its unfinished files are kept', async () => {
  const { git, path, request, sh, write } = setUp()
  await git.ensureWorktree({ ...request, fresh: true })
  write(join(path, 'delivered'), 'by the first claim')
  await git.commit(path, 'first claim')
  const earlier = await git.commitOf(branch)
  write(join(path, 'unfinished'), 'too')
  sh('git commit -q --allow-empty -m "main moves on"')
  const made = await git.ensureWorktree({ ...request, fresh: true })
  expect(made).toEqual({ head: await git.commitOf('main'), resumed: false })
  expect(await git.changedFiles(path, 'main')).toEqual([])
  expect(sh(`git show ${keep}:unfinished`)).toBe('too')
  expect(sh(`git rev-list ${keep}`)).toContain(earlier)
})

test('a fresh start keeps the commits of a branch that has no worktree any more', async () => {
  const { git, path, request, sh, write } = setUp()
  await git.ensureWorktree(request)
  write(join(path, 'delivered'), 'd')
  await git.commit(path, 'first')
  const first = await git.commitOf(branch)
  await git.removeWorktree(path, keep)
  await git.ensureWorktree({ ...request, fresh: true })
  write(join(path, 'delivered'), 'differently')
  await git.commit(path, 'second')
  const second = await git.commitOf(branch)
  await git.removeWorktree(path, keep)
  await git.ensureWorktree({ ...request, fresh: true })
  expect(await git.commitOf(branch)).toBe(await git.commitOf('main'))
  expect(sh(`git rev-list ${keep}`).split('\n')).toEqual(expect.arrayContaining([first, second]))
})

test('a fresh start does not move a branch that the user has checked out', async () => {
  const { git, request, sh } = setUp()
  sh(`git checkout -q -b ${branch}; git commit -q --allow-empty -m theirs`)
  const theirs = await git.commitOf(branch)
  await expect(git.ensureWorktree({ ...request, fresh: true })).rejects.toThrow('is checked out at')
  expect(await git.commitOf(branch)).toBe(theirs)
})

test('files of unknown origin at the path are set aside, not deleted', async () => {
  const { git, path, request, write } = setUp()
  write(join(path, 'precious'), 'p')
  await git.ensureWorktree(request)
  const aside = readdirSync(dirname(path)).find((name) => name.includes('set-aside'))
  expect(readFileSync(join(dirname(path), aside ?? '', 'precious'), 'utf8')).toBe('p')
})

test('an engine that deletes .git or makes its own repository there does not take the worktree away', async () => {
  const { git, path, request, write, sh } = setUp()
  await git.ensureWorktree(request)
  rmSync(join(path, '.git'))
  write(join(path, 'b'), 'b')
  const checkpoint = await git.checkpoint(path, 'refs/treadle/c/1', 'c')
  expect(sh(`git show ${checkpoint}:b`)).toBe('b')
  rmSync(join(path, '.git'))
  sh('git init -q -b other; git add -A; git commit -qm theirs', path)
  expect(await git.commit(path, 'ours')).toEqual({ is: 'committed', commit: await git.commitOf(branch) })
  await git.removeWorktree(path, keep)
  expect(existsSync(path)).toBe(false)
})

test('a bare repository works the same', async () => {
  const { git, path, request, write } = setUp('bare')
  expect((await git.ensureWorktree(request)).resumed).toBe(false)
  write(join(path, 'n'), 'n')
  expect((await git.commit(path, 'n')).is).toBe('committed')
  expect((await git.ensureWorktree(request)).resumed).toBe(true)
})

test('a repository without a commit, a folder that is none, and a bad name are faults with words', async () => {
  const empty = setUp('empty')
  await expect(empty.git.ensureWorktree(empty.request)).rejects.toThrow('the repository has no commit yet')
  expect(await empty.git.commitOf('main')).toBeNull()
  const elsewhere = openWorktreeGit({ repository: empty.dir, env: empty.env })
  await expect(elsewhere.commitOf('main')).rejects.toThrow('is not a git repository')
  const { git, request } = setUp()
  await expect(git.ensureWorktree({ ...request, branch: 'a..b' })).rejects.toThrow(
    "'a..b' cannot be a branch name",
  )
  await expect(git.ensureWorktree({ ...request, base: 'nowhere' })).rejects.toThrow(
    "no commit named 'nowhere'",
  )
})

test('git that is missing or too old is a fault that says what to install', async () => {
  const { dir, repository, env, write } = setUp()
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const missing = openWorktreeGit({ repository, env: { ...env, PATH: bin } })
  await expect(missing.commitOf('main')).rejects.toThrow('git was not found on PATH')
  write(join(bin, 'git'), '#!/bin/sh\necho git version 2.37.9\n')
  chmodSync(join(bin, 'git'), 0o755)
  const tooOld = openWorktreeGit({ repository, env: { ...env, PATH: bin } })
  const fault = await tooOld.commitOf('main').catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({
    kind: 'git',
    message: expect.stringContaining('git 2.38 or newer is needed'),
  })
})

test('several agents make worktrees at once', async () => {
  const { git, dir, sh } = setUp()
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  await Promise.all(
    numbers.map(async (number) => {
      const path = join(dir, 'crowd', `agent-${number}`)
      await git.ensureWorktree({
        path,
        branch: `agent-${number}/project-${number}`,
        base: 'main',
        fresh: true,
        keepRef: keep,
      })
      writeFileSync(join(path, `file-${number}`), 'x')
      await git.checkpoint(path, `refs/treadle/c/${number}`, 'c')
      await git.commit(path, `work of ${number}`)
    }),
  )
  expect(sh('git branch --list "agent-*" | wc -l').trim()).toBe('8')
  await Promise.all(numbers.map((number) => git.removeWorktree(join(dir, 'crowd', `agent-${number}`), keep)))
  expect(sh('git worktree list').trim().split('\n')).toHaveLength(1)
})

test('a path that is the repository itself is refused before anything is touched', async () => {
  const { git, repository, dir, request } = setUp()
  const before = filesIn(repository)
  for (const path of [repository, `${repository}/`, dir, join(repository, '.git', 'inside')]) {
    await expect(git.ensureWorktree({ ...request, path, fresh: true })).rejects.toThrow(
      'the repository itself',
    )
    await expect(git.removeWorktree(path, keep)).rejects.toThrow('the repository itself')
  }
  expect(filesIn(repository)).toEqual(before)
})

test('a rebase that an engine left unfinished is given up, its files stay', async () => {
  const { git, path, request, sh } = setUp()
  await git.ensureWorktree(request)
  sh('echo main > a.txt; git commit -qam main')
  sh('echo work > a.txt; git commit -qam work; git rebase main || true', path)
  const before = filesIn(path)
  expect((await git.ensureWorktree(request)).resumed).toBe(true)
  expect(filesIn(path)).toEqual(before)
  expect(sh('git status', path)).not.toContain('rebas')
  expect((await git.commit(path, 'with conflict markers')).is).toBe('committed')
})
