// For tests: a process that works with git is killed at random moments, and the next one goes on.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMergeGit } from './merge.ts'
import type { Scratch } from './scratch-repository.ts'
import { openWorktreeGit } from './worktree.ts'

interface Kill {
  /** Counted from the first thing it finished. */
  readonly afterMs: number
  /** With git, which otherwise finishes what it is at. */
  readonly group: boolean
  /** Do not wait for it to finish anything. */
  readonly early?: boolean
}

interface Round {
  /** Commands that the process said to have finished, in order. */
  readonly done: string[][]
  /** Resolves when the git that it left behind has finished. */
  allGone(): Promise<void>
}

/** Runs `body` as a module of its own, kills it after a while, and tells what it had reported by then. */
async function killWhile(scratch: Scratch, body: string, kill: Kill): Promise<Round> {
  const at = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
  const log = join(scratch.dir, 'done')
  rmSync(log, { force: true })
  const script = `
    import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
    import { openMergeGit } from ${at('./merge.ts')}
    import { openWorktreeGit } from ${at('./worktree.ts')}
    const options = ${JSON.stringify({ repository: scratch.repository, env: scratch.env })}
    const dir = ${JSON.stringify(scratch.dir)}
    const done = (...words) => appendFileSync(${JSON.stringify(log)}, words.join(' ') + '\\n')
    writeFileSync(dir + '/started', '')
    ${body}`
  rmSync(join(scratch.dir, 'started'), { force: true })
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const sign = kill.early ? join(scratch.dir, 'started') : log
  while (!existsSync(sign) && child.exitCode === null) await pause(2)
  await pause(kill.afterMs)
  if (child.pid !== undefined) killIfAlive(kill.group ? -child.pid : child.pid)
  await exited
  const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
  return {
    done: text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ')),
    allGone: async () => {
      while (child.pid !== undefined && isGroupAlive(child.pid)) await pause(10)
    },
  }
}

/** A child that was quicker than the kill has ended by itself: that is a round too. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const branch = 'agent-1/project-7'
const keep = 'refs/treadle/kept/1'

const worktreeBody = `
  const git = openWorktreeGit(options)
  const path = dir + '/work'
  for (let turn = 0; ; turn += 1) {
    const id = process.pid + '-' + turn
    const request = { path, branch: '${branch}', base: 'main', keepRef: '${keep}' }
    await git.ensureWorktree({ ...request, fresh: turn % 3 === 2 })
    writeFileSync(path + '/file-' + id, id)
    mkdirSync(path + '/many', { recursive: true })
    for (let n = 0; n < 40; n += 1) writeFileSync(path + '/many/' + n, id + n)
    done('checkpoint', await git.checkpoint(path, 'refs/treadle/c/' + id, id), 'refs/treadle/c/' + id)
    const made = await git.commit(path, id)
    done('commit', made.commit)
    if (turn % 2 === 1) await git.removeWorktree(path, '${keep}')
  }`

/** One process killed while it makes, saves, commits and removes a worktree. Throws if anything is lost or stuck. */
export async function worktreeRound(scratch: Scratch, kill: Kill): Promise<number> {
  const { done } = await killWhile(scratch, worktreeBody, kill)
  const git = openWorktreeGit(scratch)
  const path = join(scratch.dir, 'work')
  const request = { path, branch, base: 'main', fresh: false, keepRef: keep }
  await git.ensureWorktree(request)
  const reachable = new Set(scratch.sh('git rev-list --all').split('\n'))
  for (const [what, commit = '', ref] of done) {
    if (!reachable.has(commit)) throw new Error(`${what} ${commit} is lost`)
    if (ref && scratch.sh(`git rev-parse ${ref}`).trim() !== commit)
      throw new Error(`${ref} is not ${commit}`)
  }
  writeFileSync(join(path, 'after the crash'), String(Math.random()))
  await git.checkpoint(path, 'refs/treadle/c/after', 'after')
  if ((await git.commit(path, 'after')).is !== 'committed') throw new Error('the next commit found nothing')
  await git.removeWorktree(path, keep)
  if (existsSync(path)) throw new Error('the worktree is still there')
  return done.length
}

const landBody = `
  const git = openMergeGit(options)
  for (const head of (await import('node:fs')).readFileSync(dir + '/heads', 'utf8').trim().split('\\n')) {
    const landed = await git.findLanded('main', head)
    if (landed !== null) continue
    const prepared = await git.prepareMerge({ target: 'main', head, message: 'merge ' + head })
    await git.withCheckout(prepared.commit, dir + '/gate', async () => 1)
    done('landed', (await git.land('main', prepared.base, prepared.commit)).is, head)
  }
  done('idle')
  await new Promise((resolve) => setTimeout(resolve, 60_000))`

/** One process killed while it lands heads on a clean checkout; then the checkout is made to follow. */
export async function landRound(scratch: Scratch, heads: string[], kill: Kill): Promise<number> {
  writeFileSync(join(scratch.dir, 'heads'), heads.join('\n'))
  const { done, allGone } = await killWhile(scratch, landBody, kill)
  // An `update-ref` that was already under way would move the branch behind our back.
  await allGone()
  const git = openMergeGit(scratch)
  for (const [what, is, head = ''] of done) {
    if (what === 'idle') continue
    if (is !== 'landed' || (await git.findLanded('main', head)) === null)
      throw new Error(`${head}: ${is} is lost`)
  }
  let landed = 0
  for (const head of heads) {
    const commit = await git.findLanded('main', head)
    if (commit === null) continue
    landed += 1
    const merges = scratch.sh(`git log --first-parent --format=%s main | grep -c 'merge ${head}'`).trim()
    if (merges !== '1') throw new Error(`${head} landed ${merges} times`)
  }
  const tip = scratch.sh('git rev-parse main').trim()
  const [before] = scratch.sh(`git log -1 --format=%P ${tip}`).trim().split(' ')
  const synced = before ? await git.syncCheckout('main', before, tip) : null
  const status = scratch.sh('git status --porcelain')
  if (status !== '') throw new Error(`the checkout did not follow: ${synced?.note ?? 'no note'}\n${status}`)
  await git.discardCheckout(join(scratch.dir, 'gate'))
  return landed
}

/** Commits on branches of their own, each with files of its own. */
export function makeHeads(scratch: Scratch, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const files = Array.from({ length: 30 }, (_each, n) => `echo ${at} > head-${at}-${n}`).join(';')
    const work = `cd "$(mktemp -d -p '${scratch.dir}')"; git -C '${scratch.repository}' worktree add -q -b head-${at} "$PWD/w" main; cd w`
    return scratch
      .sh(
        `${work}; ${files}; echo ${at} >> a.txt-${at}; git add -A; git commit -qm 'head ${at}'; git rev-parse HEAD`,
      )
      .trim()
  })
}
