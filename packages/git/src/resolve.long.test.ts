// A process that is killed in the middle of a rebase or merge leaves nothing that stops the next one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { expect, onTestFinished } from 'vitest'
import { openGit } from './git.ts'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, stateOf } from './scratch-repository.ts'

// The whole number by `npm run chaos`.
const ROUNDS = isFullChaos ? 12 : 4
const KILL_AFTER_MS_MAX = 400

for (const how of ['rebase', 'merge'] as const)
  eachSeed(`a ${how} that is killed at any moment can be done again`, async ({ random }) => {
    const scratch = makeScratch()
    onTestFinished(scratch.remove)
    const { sh, dir, repository, env } = scratch
    const lines = (first: string, last: string) =>
      `${[first, ...Array.from({ length: 40 }, (_, n) => `line ${n}`), last].join('\n')}\n`
    const base = commitOn(scratch, 'main', { 'a.txt': lines('first', 'last') })
    // Several commits, so that a kill finds the rebase between two of them.
    let head = base
    for (let n = 0; n < 6; n += 1)
      head = commitOn(scratch, head, { 'a.txt': lines(`mine ${n}`, `end ${n}`), [`new-${n}`]: 'n\n' })
    const onto = commitOn(scratch, base, { 'a.txt': lines('theirs', 'last') })
    const request = { head, onto, how, path: join(dir, 'scratch'), message: 'Merge main' }
    const before = [stateOf(scratch, repository), sh('git for-each-ref')]
    const script = `
    import { openMergeGit } from ${JSON.stringify(new URL('./merge.ts', import.meta.url).href)}
    const git = openMergeGit(${JSON.stringify({ repository, env })})
    process.stdout.write('ready')
    for (;;) await git.resolve(${JSON.stringify(request)})`
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const gone = new Promise((done) => child.once('exit', done))
      await new Promise((done) => child.stdout.once('data', done))
      await sleep(random() * KILL_AFTER_MS_MAX)
      // With git in every second round; else git finishes what it is at while we begin anew.
      process.kill(round % 2 === 0 ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
      await gone
      const resolved = await openMergeGit(scratch).resolve(request)
      if (resolved.is === 'failed') throw new Error(`round ${round}: ${resolved.why}`)
      expect(sh(`git show ${resolved.commit}:a.txt`)).toBe(lines('theirs', 'end 5'))
      expect(existsSync(request.path)).toBe(false)
    }
    // A git that was killed, or that goes on without us, may hold the packed references: the next deletion takes over.
    sh(`git update-ref refs/treadle/last ${base}`)
    await openGit(scratch).run(['update-ref', '-d', 'refs/treadle/last'])
    expect([stateOf(scratch, repository), sh('git for-each-ref')]).toEqual(before)
    expect(sh('git worktree list').trim().split('\n')).toHaveLength(1)
    sh('git fsck --no-dangling --no-progress')
  })
