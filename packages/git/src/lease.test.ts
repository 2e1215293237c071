import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { makeScratch, type Scratch } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  const lease = join(scratch.repository, '.git', 'treadle-train.lease')
  const left = () => readdirSync(join(scratch.repository, '.git')).filter((name) => /treadle/.test(name))
  return { ...scratch, scratch, git: openMergeGit(scratch), lease, left }
}
const never = new AbortController().signal

/** Another process that takes the lease and keeps it. */
async function holder(scratch: Scratch): Promise<ChildProcess> {
  const merge = fileURLToPath(new URL('./merge.ts', import.meta.url))
  const script = `
    const { openMergeGit } = await import(${JSON.stringify(merge)})
    const git = openMergeGit(${JSON.stringify({ repository: scratch.repository, env: scratch.env })})
    await git.withLease(new AbortController().signal, async () => {
      process.stdout.write('held')
      await new Promise((done) => setTimeout(done, 600_000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout } = child
  if (stdout === null) throw new Error('no output')
  await once(stdout, 'data')
  return child
}

test('one after the other: whoever comes second waits, also in a linked worktree', async () => {
  const { scratch, git, sh, dir, left } = setUp()
  const linked = join(dir, 'linked')
  sh(`git worktree add -q --detach '${linked}'`)
  const other = openMergeGit({ ...scratch, repository: linked })
  const told: string[] = []
  const inside = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const first = git.withLease(never, async () => {
    inside.resolve()
    await go.promise
    told.push('first')
  })
  await inside.promise
  const second = other.withLease(never, async () => {
    told.push('second')
  })
  go.resolve()
  await Promise.all([first, second])
  expect(told).toEqual(['first', 'second'])
  expect(left()).toEqual([])
})

test('a living holder is waited for, a dead one is not', async () => {
  const { scratch, git, left } = setUp()
  const child = await holder(scratch)
  const ending = new AbortController()
  const waiting = git.withLease(ending.signal, async () => 'mine')
  const refused = expect(waiting).rejects.toThrow('stopping')
  ending.abort()
  await refused
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await git.withLease(never, async () => 'mine')).toBe('mine')
  expect(left()).toEqual([])
})

test('the lease of another machine ends when it is not renewed', async () => {
  const { git, lease } = setUp()
  writeFileSync(lease, '1 1 1 elsewhere.invalid\n')
  const ending = new AbortController()
  const refused = expect(git.withLease(ending.signal, async () => 1)).rejects.toThrow('stopping')
  ending.abort()
  await refused
  const long = new Date(Date.now() - 3_600_000)
  utimesSync(lease, long, long)
  expect(await git.withLease(never, async () => 'mine')).toBe('mine')
  expect(existsSync(lease)).toBe(false)
})

test('an error inside gives the lease back', async () => {
  const { git, left } = setUp()
  await expect(git.withLease(never, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  expect(left()).toEqual([])
})
