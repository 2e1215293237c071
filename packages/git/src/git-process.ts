// One run of the git binary, as a child of this process. Nothing else starts it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Fault, isNoProgram } from '@treadle/flow/fault'

export interface GitRun {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Written as bytes; a string is taken as UTF-8. */
  readonly stdin?: string | Buffer
  /** Exit codes that are an answer; any other is a Fault. */
  readonly ok?: readonly number[]
  readonly timeoutMs?: number
}

export interface GitOutput {
  readonly code: number
  readonly stdout: string
  /** File names need not be UTF-8. */
  readonly bytes: Buffer
  readonly stderr: string
}

export type FullRun = GitRun & { readonly cwd: string; readonly env: Readonly<Record<string, string>> }

/** The kind of the fault where git was ended by somebody else. */
export const KILLED = 'git_killed'
const outputBytesMax = 256 * 1024 * 1024
const stderrBytesMax = 64 * 1024
const runMsMax = 10 * 60_000
const killGraceMs = 2_000

// Nothing of the user's may run or ask in our commands: no hooks, no file watcher, no signing, no background gc. What
// a repository's own configuration could name is left out before (own-config.ts); this holds against the account's.
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'commit.gpgSign=false',
  'push.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
  // It would stand before what `show` is asked for, and look like the answer.
  'log.showSignature=false',
  'protocol.ext.allow=never',
  // To see whether a submodule is dirty, git would run in it, by the configuration that stands there.
  'diff.ignoreSubmodules=dirty',
  'status.submoduleSummary=false',
].flatMap((setting) => ['-c', setting])

export function spawnGit(args: readonly string[], run: FullRun): Promise<GitOutput> {
  for (const arg of args) assert(!arg.includes('\0'), 'an argument of git holds a null byte')
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...settings, ...args], { cwd: run.cwd, env: { ...run.env } })
    const stdout: Buffer[] = []
    let size = 0
    let stderr = ''
    let broken: Fault | null = null
    const stop = (fault: Fault): void => {
      broken ??= fault
      terminate(child)
    }
    const timer = setTimeout(() => {
      stop(new Fault('git', `git ${args[0] ?? ''} did not end in time`))
    }, run.timeoutMs ?? runMsMax)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > outputBytesMax) return stop(new Fault('git', `git ${args[0] ?? ''} printed too much`))
      stdout.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-stderrBytesMax)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(startFault(error, run.cwd))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (broken) return reject(broken)
      if (code === null) return reject(new Fault(KILLED, `git ${args[0] ?? ''} was ended by ${signal}`))
      const bytes = Buffer.concat(stdout)
      resolve({ code, stdout: bytes.toString('utf8'), bytes, stderr })
    })
    // Git may end before it has read everything; its exit code tells what happened.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(run.stdin ?? '')
  })
}

/** SIGTERM first: git then removes its own lock files. */
function terminate(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), killGraceMs).unref()
}

function startFault(error: Error, cwd: string): Fault {
  if (!existsSync(cwd)) return new Fault('git', `the folder ${cwd} does not exist`, { cause: error })
  if (isNoProgram(error)) {
    return new Fault('git', 'git was not found on PATH', { hint: 'Install git 2.38 or newer.', cause: error })
  }
  return new Fault('git', `git could not be started: ${error.message}`, { cause: error })
}
