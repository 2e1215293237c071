import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'
import { isContention, removeIfStale, removeStaleLock } from './locks.ts'
import { moveRef } from './refs.ts'
import { makeScratch } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openGit(scratch) }
}

function makeLock(path: string, secondsAgo: number): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  const then = new Date(Date.now() - secondsAgo * 1_000)
  utimesSync(path, then, then)
  return path
}

test('a lock that is soon released is waited for', async () => {
  const { git, repository } = setUp()
  const lock = makeLock(join(repository, '.git/refs/heads/new.lock'), 0)
  setTimeout(() => rmSync(lock), 400)
  await git.run(['update-ref', 'refs/heads/new', 'main'])
})

test('the lock of a dead process on a reference is removed', async () => {
  const { git, repository } = setUp()
  const lock = makeLock(join(repository, '.git/refs/treadle/x.lock'), 60)
  await git.run(['update-ref', 'refs/treadle/x', 'main'])
  expect(existsSync(lock)).toBe(false)
})

test('a deletion killed while it held the packed references does not stop the next one', async () => {
  const { git, repository, sh } = setUp()
  sh('git update-ref refs/treadle/x main')
  const lock = makeLock(join(repository, '.git/packed-refs.lock'), 60)
  await git.run(['update-ref', '-d', 'refs/treadle/x'])
  expect(existsSync(lock)).toBe(false)
})

test('a landing killed while it moved the reference does not stop the next one', async () => {
  const { git, repository } = setUp()
  makeLock(join(repository, '.git/HEAD.lock'), 60)
  makeLock(join(repository, '.git/refs/heads/main.lock'), 60)
  await git.run(['update-ref', 'refs/heads/main', 'main', 'main'])
  expect(existsSync(join(repository, '.git/HEAD.lock'))).toBe(false)
})

test('a branch whose lock was left by a kill is moved all the same, though a failure would have been an answer', async () => {
  const { git, repository, sh } = setUp()
  const main = sh('git rev-parse main').trim()
  const lock = makeLock(join(repository, '.git/refs/heads/main.lock'), 60)
  expect(await moveRef(git, { ref: 'refs/heads/main', to: main, from: main, why: 'test' })).toBe(true)
  expect(existsSync(lock)).toBe(false)
})

test('a lock older than a git process that still runs belongs to that process', async () => {
  const { repository, env, dir } = setUp()
  const running = spawn('git', ['hash-object', '--stdin'], {
    cwd: repository,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  onTestFinished(() => {
    running.kill('SIGKILL')
  })
  await new Promise((resolve) => running.once('spawn', resolve))
  const lock = join(dir, 'index.lock')
  writeFileSync(lock, '')
  expect(removeIfStale(lock, Date.now() + 60_000)).toBe(false)
  expect(existsSync(lock)).toBe(true)
  running.stdin.end()
  await new Promise((resolve) => running.once('exit', resolve))
})

test("the lock on the index of the user's own checkout is never removed", async () => {
  const { git, repository } = setUp()
  for (const name of ['index.lock', 'config.lock']) {
    const lock = makeLock(join(repository, '.git', name), 3_600)
    const complaint = `fatal: Unable to create '${lock}': File exists.`
    expect(await removeStaleLock(complaint, await git.commonDir())).toBe(false)
    expect(existsSync(lock)).toBe(true)
  }
  const elsewhere = makeLock(join(repository, 'refs', 'x.lock'), 3_600)
  expect(await removeStaleLock(`Unable to create '${elsewhere}': File exists.`, await git.commonDir())).toBe(
    false,
  )
})

test('the entry of a worktree whose maker was killed before it was readable does not stop everybody', async () => {
  const { git, repository } = setUp()
  const entry = join(repository, '.git/worktrees/scratch')
  makeLock(join(entry, 'commondir'), 60)
  writeFileSync(join(entry, 'gitdir'), `${repository}/elsewhere/.git\n`)
  const then = new Date(Date.now() - 60_000)
  utimesSync(entry, then, then)
  const { stdout } = await git.run(['worktree', 'list', '--porcelain'])
  expect(stdout).toContain(`worktree ${repository}`)
  expect(existsSync(entry)).toBe(false)
})

/** As git leaves it for a moment while it makes a worktree. */
function headless(repository: string, sh: (command: string) => string): string {
  sh('git worktree add -q ../scratch')
  const head = join(repository, '.git/worktrees/scratch/HEAD')
  writeFileSync(head, `${'0'.repeat(40)}\n`)
  return head
}

test('whoever looks at all commits waits for a worktree that is being made', async () => {
  const { git, repository, sh } = setUp()
  const head = headless(repository, sh)
  setTimeout(() => writeFileSync(head, 'ref: refs/heads/scratch\n'), 400)
  const { code } = await git.run(['rev-list', '--all'], { ok: [0, 128] })
  expect(code).toBe(0)
})

test('a worktree whose maker was killed before it had a commit does not stop everybody', async () => {
  const { git, repository, sh } = setUp()
  const head = headless(repository, sh)
  const then = new Date(Date.now() - 60_000)
  utimesSync(head, then, then)
  sh('git clone -q --bare . ../origin; git remote add origin ../origin; git -C ../origin branch other')
  await git.run(['fetch', '--quiet', 'origin'])
  expect(existsSync(dirname(head))).toBe(false)
})

test('a look that somebody killed is done again', async () => {
  const { dir, env, repository } = setUp()
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh
case "$*" in *rev-parse*main*) [ -e "${dir}/killed" ] || { : > "${dir}/killed"; kill -KILL $$; } ;; esac
exec "${real}" "$@"
`
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 })
  const git = openGit({ repository, env: { ...env, PATH: `${bin}:${env.PATH}` } })
  const { stdout } = await git.run(['rev-parse', 'refs/heads/main'])
  expect(stdout).toMatch(/^[0-9a-f]{40}/)
  expect(existsSync(join(dir, 'killed'))).toBe(true)
})

test('waiting is for locks only', () => {
  expect(
    isContention("fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems"),
  ).toBe(true)
  expect(
    isContention("fatal: cannot lock ref 'refs/heads/x': Unable to create '/r/x.lock': File exists"),
  ).toBe(true)
  expect(isContention('error: could not lock config file .git/config: File exists')).toBe(true)
  expect(isContention("fatal: cannot lock ref 'refs/heads/main': is at 1 but expected 2")).toBe(false)
  expect(isContention("fatal: Unable to create '/r/.git/index.lock': Permission denied")).toBe(false)
  expect(isContention("fatal: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create")).toBe(
    false,
  )
  expect(isContention('fatal: not a git repository')).toBe(false)
  expect(isContention('fatal: bad object worktrees/review-1-3/HEAD')).toBe(true)
  expect(isContention('fatal: bad object HEAD')).toBe(false)
})

test('variables of a surrounding git command do not reach ours', async () => {
  const { repository, env, dir } = setUp()
  const elsewhere = {
    GIT_DIR: dir,
    GIT_WORK_TREE: dir,
    GIT_INDEX_FILE: join(dir, 'x'),
    GIT_LITERAL_PATHSPECS: '1',
  }
  const git = openGit({ repository, env: { ...env, ...elsewhere } })
  expect((await git.run(['rev-parse', '--show-toplevel'])).stdout.trim()).toBe(repository)
})

test('a command that does not end in time is a fault', async () => {
  const { repository, env, dir, write } = setUp()
  write(
    join(dir, 'slow', 'git'),
    `#!/bin/sh\ncase "$*" in *version*) echo git version 2.40.0;; *slow*) exec sleep 60;; *) echo '${dir}/x';; esac\n`,
  )
  const { chmodSync } = await import('node:fs')
  chmodSync(join(dir, 'slow', 'git'), 0o755)
  const git = openGit({ repository, env: { ...env, PATH: `${join(dir, 'slow')}:${env.PATH}` } })
  await expect(git.run(['slow'], { timeoutMs: 200 })).rejects.toThrow('did not end in time')
})
