// One train for each repository: a file in its git directory says who is merging, and is renewed while that goes on.
// The swap of the reference is safe without it; the lease saves two daemons from testing the same merges.
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'
import { isSameProcessAlive, sleep, startOfThisProcess } from './locks.ts'

const renewMs = 5_000
/** On another machine only silence tells that the holder is gone. */
const silentMsMax = 60_000
const waitMs = 200
let taken = 0

export async function withLease<T>(git: Git, signal: AbortSignal, use: () => Promise<T>): Promise<T> {
  const lease = join(await git.commonDir(), 'treadle-train.lease')
  taken += 1
  const mine = `${process.pid} ${startOfThisProcess()} ${taken} ${hostname()}\n`
  while (!place(lease, mine)) {
    if (signal.aborted) throw new Fault('stopped', 'the daemon is stopping')
    if (!removeIfLeft(lease)) await sleep(waitMs)
  }
  const renewing = setInterval(() => renew(lease, mine), renewMs)
  try {
    return await use()
  } finally {
    clearInterval(renewing)
    if (readOf(lease) === mine) rmSync(lease, { force: true })
  }
}

/** Makes the lease appear with its text in one step. */
function place(lease: string, text: string): boolean {
  const draft = `${lease}-${process.pid}`
  writeFileSync(draft, text)
  try {
    linkSync(draft, lease)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function renew(lease: string, mine: string): void {
  if (readOf(lease) !== mine) return
  const now = new Date()
  try {
    utimesSync(lease, now, now)
  } catch {
    // The lease went between the two looks; whoever has it now is merging.
    return
  }
}

/** True: it is gone, and may be tried for at once. */
function removeIfLeft(lease: string): boolean {
  const text = readOf(lease)
  if (text === null) return true
  if (!isLeft(lease, text)) return false
  const aside = `${lease}-left-${process.pid}`
  try {
    renameSync(lease, aside)
  } catch {
    return true
  }
  // Another one may have been quicker, and this be the lease that it has placed since.
  if (readOf(aside) !== text) restore(aside, lease)
  rmSync(aside, { force: true })
  return true
}

function restore(aside: string, lease: string): void {
  try {
    linkSync(aside, lease)
  } catch {
    // A third one has it by now; the swap sorts them out.
    return
  }
}

function isLeft(lease: string, text: string): boolean {
  const [, pid = '', start = '-', host = ''] = /^(\d+) (\S+) \d+ (.*)\n$/.exec(text) ?? []
  if (host === hostname() && pid !== '') return !isSameProcessAlive(Number(pid), start)
  const seen = statSync(lease, { throwIfNoEntry: false })
  return seen !== undefined && Date.now() - seen.mtimeMs > silentMsMax
}

function readOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
