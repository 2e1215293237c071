// The test runner of the project, started once and kept: it tells of each candidate how many tests fail.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { killTree } from '@treadle/process/tree'
import { runnerCallOf } from '../project/test-command.ts'
import type { ScratchCopy, Started } from '../validate.ts'

const SOURCE = fileURLToPath(new URL('./staying-runner.mjs', import.meta.url))
/** Its name in the copy. */
const NAME = '.treadle-staying-runner.mjs'
const FIRST_MS = 60_000
/** A candidate may take so many times as long as the untouched program, and so much more. */
const TIMES = 10
const MORE_MS = 4_000
const STARTS_MAX = 12
const LINE_CHARS_MAX = 10_000

export interface StayingOptions {
  readonly copy: ScratchCopy
  readonly root: string
  readonly command: string
  readonly tests: readonly string[]
  readonly failures: readonly {
    readonly id: string
    readonly message: string
    readonly stack: string | null
  }[]
  readonly signal?: AbortSignal | undefined
}

interface Ran {
  readonly failed: number
  readonly passed: number
}

/** Null: the command is not one that can be kept, or it does not show here what it shows by itself. */
export async function openStaying(options: StayingOptions): Promise<StayingRunner | null> {
  const call = runnerCallOf(options.root, options.command)
  if (call?.program !== 'mocha') return null
  options.copy.write(NAME, readFileSync(SOURCE, 'utf8'))
  const runner = new StayingRunner(options, call.words)
  const before = await runner.run(FIRST_MS)
  const told = options.failures.length
  if (before !== null && before.failed > 0 && (told === 0 || before.failed <= told)) {
    runner.wanted = before.passed + before.failed
    return runner
  }
  await runner.close()
  return null
}

/** Test files that a failure names; all where none is named. */
function namedTests({ tests, failures }: StayingOptions): readonly string[] {
  const told = failures.map(({ id, message, stack }) => `${id}\n${message}\n${stack ?? ''}`).join('\n')
  const named = tests.filter((path) => told.includes(path))
  return named.length > 0 ? named : tests
}

export class StayingRunner {
  readonly #options: StayingOptions
  readonly #argument: string
  #started: Started | null = null
  #token = ''
  #heard = ''
  #starts = 0
  #id = 0
  #limitMs = FIRST_MS
  /** Tests that have to pass. */
  wanted = 1

  constructor(options: StayingOptions, words: readonly string[]) {
    this.#options = options
    this.#argument = JSON.stringify({ words, tests: namedTests(options) })
  }

  /** Whether all tests pass with the copy as it is now. */
  async passes(): Promise<boolean> {
    const ran = await this.run(this.#limitMs)
    return ran !== null && ran.failed === 0 && ran.passed >= this.wanted
  }

  get isUsedUp(): boolean {
    return this.#starts >= STARTS_MAX
  }

  /** Null: it did not end in time, or ended altogether; the next one begins anew. */
  async run(limitMs: number): Promise<Ran | null> {
    const { signal } = this.#options
    if (signal?.aborted === true || (this.#started === null && !(await this.#start()))) return null
    const started = this.#started
    if (started === null) return null
    this.#id += 1
    const id = this.#id
    const began = performance.now()
    const told = Promise.withResolvers<Ran | null>()
    const hear = (text: string) => {
      this.#heard = (this.#heard + text).slice(-LINE_CHARS_MAX)
      const ran = this.#answer(id)
      if (ran !== null) told.resolve(ran)
    }
    const stop = () => told.resolve(null)
    started.child.stdout.on('data', hear)
    started.child.once('close', stop)
    signal?.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(stop, limitMs)
    started.child.stdin.write(`${JSON.stringify({ id })}\n`, () => undefined)
    const ran = await told.promise
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    started.child.stdout.off('data', hear)
    started.child.off('close', stop)
    if (ran === null) await this.close()
    else if (limitMs === FIRST_MS) this.#limitMs = MORE_MS + TIMES * (performance.now() - began)
    return ran
  }

  async close(): Promise<void> {
    const child = this.#started?.child
    this.#started = null
    if (child?.pid !== undefined) await killTree(child.pid, 0)
  }

  async #start(): Promise<boolean> {
    if (this.isUsedUp) return false
    this.#starts += 1
    this.#heard = ''
    this.#token = randomUUID()
    this.#started = await this.#options.copy.start([process.execPath, NAME, this.#token, this.#argument])
    const { child } = this.#started
    child.stdout.setEncoding('utf8')
    child.stderr.resume()
    // Whoever is gone hears nothing; that shows in its end.
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    return true
  }

  /** Tests print what they like around it. */
  #answer(id: number): Ran | null {
    for (const line of this.#heard.split('\n')) {
      if (!line.startsWith(`${this.#token} {`) || !line.endsWith('}')) continue
      const told = JSON.parse(line.slice(this.#token.length + 1)) as Ran & { readonly id: number }
      if (told.id === id) return told
    }
    return null
  }
}
