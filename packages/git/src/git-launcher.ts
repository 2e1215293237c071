// Starts git from a small process of its own. Node forks without sharing memory, so that the start of a program copies
// the page tables of whoever starts it, and stops it meanwhile: for a daemon with its database in memory that costs more
// than most git commands do.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '@treadle/flow/fault'
import { type FullRun, type GitOutput, KILLED, spawnGit } from './git-process.ts'

export interface LaunchOrder {
  readonly id: number
  readonly args: readonly string[]
  readonly run: FullRun
}

export type LaunchAnswer =
  | { readonly id: number; readonly code: number; readonly bytes: Uint8Array; readonly stderr: string }
  | { readonly id: number; readonly kind: string; readonly message: string; readonly hint: string | null }

const PROGRAM = fileURLToPath(new URL('./git-launcher-main.ts', import.meta.url))
// It holds one answer at a time, and no more of itself than it must.
const NODE_FLAGS = ['--max-semi-space-size=1', '--disable-warning=ExperimentalWarning']

let current: Launcher | null = null

/** From now on this process starts git from a small one, which ends with it. */
export function useGitLauncher(): void {
  current ??= new Launcher()
}

/** Runs git once: from the small process where there is one. */
export function startGit(args: readonly string[], run: FullRun): Promise<GitOutput> {
  return current === null ? spawnGit(args, run) : current.run(args, run)
}

interface Waiting {
  resolve(output: GitOutput): void
  reject(fault: Fault): void
}

class Launcher {
  readonly #waiting = new Map<number, Waiting>()
  #process: ChildProcess | null = null
  #lastId = 0

  constructor() {
    this.#process = this.#start()
  }

  run(args: readonly string[], run: FullRun): Promise<GitOutput> {
    this.#process ??= this.#start()
    const started = this.#process
    this.#lastId += 1
    const order: LaunchOrder = { id: this.#lastId, args, run }
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.id, { resolve, reject })
      // An answer that is waited for keeps this process alive, as its own child would.
      started.channel?.ref()
      started.send(order, (error) => {
        if (error !== null && this.#waiting.delete(order.id)) reject(ended(error.message))
      })
    })
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [...NODE_FLAGS, PROGRAM], {
      // It stands in nobody's way: each command names its folder.
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.on('message', (answer) => this.#take(answer as LaunchAnswer))
    child.on('error', (error) => this.#lose(child, error.message))
    child.on('disconnect', () => this.#lose(child, 'it is gone'))
    child.unref()
    child.channel?.unref()
    return child
  }

  #take(answer: LaunchAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('kind' in answer) {
      const hint = answer.hint === null ? {} : { hint: answer.hint }
      waiting?.reject(new Fault(answer.kind, answer.message, hint))
    } else {
      const bytes = Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength)
      waiting?.resolve({ code: answer.code, stdout: bytes.toString('utf8'), bytes, stderr: answer.stderr })
    }
    if (this.#waiting.size === 0) this.#process?.channel?.unref()
  }

  /** Whoever waits is told, as if its git had been killed; the next command starts another one. */
  #lose(child: ChildProcess, why: string): void {
    if (this.#process === child) this.#process = null
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(ended(why))
  }
}

const ended = (why: string): Fault => new Fault(KILLED, `the process that starts git was ended: ${why}`)
