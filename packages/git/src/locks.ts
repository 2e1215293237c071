// Several agents use one repository at once, and any of them may be killed while git holds a lock.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

const contention = [
  /Another git process/i,
  /cannot lock ref/i,
  /could not lock config file/i,
  /Unable to create '.*\.lock': File exists/i,
  /unable to lock/i,
  // Another process is in the middle of `git worktree add` or `remove`.
  /failed to read .*worktrees.*(commondir|gitdir)/i,
  /worktrees\/.*No such file or directory/i,
  // Whatever looks at all that is there, such as a fetch: a new worktree has no commit at first.
  /(?:bad|unable to parse) object:? worktrees\//i,
]
// Waiting does not change these: a reference that moved since we looked, a name that is taken, a full disk.
const answers = [
  /but expected/,
  /reference already exists/,
  /exists; cannot create/,
  /unable to resolve reference/,
  /Permission denied|Read-only file system|No space left/,
]

export function isContention(stderr: string): boolean {
  return (
    contention.some((pattern) => pattern.test(stderr)) && !answers.some((pattern) => pattern.test(stderr))
  )
}

const firstWaitMs = 20
const longestWaitMs = 1_500

export function backoffMs(attempt: number): number {
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  return wait / 2 + Math.random() * wait
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const staleMsMin = 3_000
const staleMsMinBlind = 10 * 60_000

/** Removes the lock that git complained about if whoever made it is dead. True if it did. */
export async function removeStaleLock(stderr: string, commonDir: string): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)'/i.exec(stderr)?.[1]
  return lock !== undefined && isOurs(lock, commonDir) && removeIfStale(lock)
}

/** The entry of a worktree that git complained about, if whoever was making it died before it was one. */
export function removeHalfMade(stderr: string, commonDir: string): boolean {
  const unreadable = /failed to read .*worktrees\/([^/]+)\/(?:commondir|gitdir)/i.exec(stderr)?.[1]
  const headless = /object:? worktrees\/([^/]+)\/HEAD/i.exec(stderr)?.[1]
  const name = unreadable ?? headless
  if (name === undefined) return false
  const entry = join(commonDir, 'worktrees', name)
  if (unreadable === undefined ? !wasLeftHeadless(entry) : !wasLeftUnreadable(entry)) return false
  rmSync(entry, { recursive: true, force: true })
  return true
}

function wasLeftUnreadable(entry: string): boolean {
  const file = statSync(join(entry, 'commondir'), { throwIfNoEntry: false })
  const made = statSync(entry, { throwIfNoEntry: false })
  if (made === undefined || (file !== undefined && file.size > 0)) return false
  // Git writes the file the moment it makes it, so a living maker does not leave it empty for seconds.
  return Date.now() - Math.max(made.mtimeMs, file?.mtimeMs ?? 0) >= staleMsMin
}

/** Nobody has worked in it: its HEAD, which names no commit yet, is as git first wrote it. */
function wasLeftHeadless(entry: string): boolean {
  const head = join(entry, 'HEAD')
  const made = statSync(head, { throwIfNoEntry: false })
  return made !== undefined && /^0+$/.test(readFileSync(head, 'utf8').trim()) && ownerIsDead(made.mtimeMs)
}

/**
 * References (packed ones too, which every deletion locks; HEAD, which moving its branch locks) and the index of a
 * linked worktree are ours to repair. The index and the configuration of the user's own checkout are not.
 */
function isOurs(lock: string, commonDir: string): boolean {
  let folder: string
  try {
    folder = relative(realpathSync(commonDir), realpathSync(dirname(lock)))
  } catch {
    return false
  }
  const name = basename(lock)
  if (folder === '') return name === 'HEAD.lock' || name === 'packed-refs.lock'
  const [first] = folder.split(sep)
  return (
    first === 'refs' ||
    (first === 'worktrees' && ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'].includes(name))
  )
}

/** A lock is stale if no git process that is old enough to have made it is alive. */
export function removeIfStale(lock: string, now = Date.now()): boolean {
  let madeAt: number
  try {
    madeAt = statSync(lock).mtimeMs
  } catch {
    return true
  }
  if (!ownerIsDead(madeAt, now)) return false
  rmSync(lock, { force: true })
  return true
}

export function ownerIsDead(madeAt: number, now = Date.now()): boolean {
  const age = now - madeAt
  if (age < staleMsMin) return false
  const starts = gitProcessStarts()
  // If the system does not tell, only a very old lock is taken for stale.
  if (starts === null) return age > staleMsMinBlind
  const slackMs = 1_000
  return !starts.some((startedAt) => startedAt <= madeAt + slackMs)
}

const ticksPerSecond = 100

/** When each running git process started, or null where the system does not tell. */
function gitProcessStarts(): number[] | null {
  const bootedAt = bootTime()
  if (bootedAt === null) return gitProcessStartsFromPs()
  const starts: number[] = []
  for (const pid of readdirSync('/proc')) {
    const startedTicks = /^\d+$/.test(pid) ? gitStartTicks(pid) : null
    if (startedTicks !== null) starts.push(bootedAt + (startedTicks / ticksPerSecond) * 1_000)
  }
  return starts
}

function bootTime(): number | null {
  try {
    return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1_000
  } catch {
    return null
  }
}

function gitProcessStartsFromPs(): number[] | null {
  const { status, stdout } = spawnSync('/bin/ps', ['-axo', 'lstart=,comm='], { encoding: 'utf8' })
  if (status !== 0) return null
  return stdout.split('\n').flatMap((line) => {
    const [, started] = /^(\S+ +\S+ +\S+ +\S+ +\S+) +(?:.*\/)?git[^/]*$/.exec(line.trim()) ?? []
    return started === undefined ? [] : [Date.parse(started)]
  })
}

function gitStartTicks(pid: string): number | null {
  const seen = statOf(pid)
  return seen?.name.startsWith('git') && !seen.dead ? seen.startTicks : null
}

function statOf(pid: string): { name: string; dead: boolean; startTicks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in brackets and may itself hold brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      dead: fields[0] === 'Z' || fields[0] === 'X',
      startTicks: Number(fields[19]),
    }
  } catch {
    return null
  }
}

/** Is there a git process whose environment has an entry that begins like this? */
export function isGitRunningWith(entryStart: string): boolean {
  if (bootTime() === null) return false
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || gitStartTicks(pid) === null) return false
    try {
      const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return entries.some((entry) => entry.startsWith(entryStart))
    } catch {
      return false
    }
  })
}

/** Tells this process from a later one with the same number. */
export function startOfThisProcess(): string {
  return String(statOf(String(process.pid))?.startTicks ?? '-')
}

export function isSameProcessAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  const seen = statOf(String(pid))
  if (seen === null) return true
  return !seen.dead && (start === '-' || String(seen.startTicks) === start)
}
