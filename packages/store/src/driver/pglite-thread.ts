// Owns the PGlite thread: starts it, gives out streams that speak to it, ends it when it hangs, starts it again.
import { Worker } from 'node:worker_threads'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { FromThread, ThreadData, ToThread } from './pglite-messages.ts'
import { PgliteStream } from './pglite-stream.ts'

export interface PgliteThreadOptions {
  readonly dir: string
  readonly workerUrl: URL
  /** Where compiled code is kept. */
  readonly compiled: string | null
  /** A message that takes longer ends the thread: PGlite has no statement_timeout. */
  readonly watchdogMs: number
  readonly log: (message: string) => void
}

const START_MS = 120_000
const CLOSE_MS = 20_000

export class PgliteThread {
  readonly #options: PgliteThreadOptions
  readonly #streams = new Map<number, PgliteStream>()
  #worker: Worker | null = null
  #ready: Promise<void> | null = null
  #waiting = 0
  #watchdog: NodeJS.Timeout | null = null
  #lastStream = 0
  #closing = false
  #closed = Promise.withResolvers<void>()
  /** fsync calls of all threads so far, as of the last answer. */
  #syncs = 0
  #syncsBefore = 0
  #wasCompiled = false

  constructor(options: PgliteThreadOptions) {
    this.#options = options
  }

  /** The last start took compiled code and compiled nothing itself. */
  get wasCompiled(): boolean {
    return this.#wasCompiled
  }

  get syncs(): number {
    return this.#syncsBefore + this.#syncs
  }

  /** Starts the thread if none runs; rejects with a Fault if the directory cannot be opened. */
  start(): Promise<void> {
    this.#ready ??= this.#start()
    return this.#ready
  }

  /** For pg.Pool's `stream`. */
  stream(): PgliteStream {
    // The pool has one client; an older one that is still ending must not touch the session of this one.
    for (const old of this.#streams.keys()) this.#retire(old)
    this.#lastStream += 1
    const id = this.#lastStream
    const stream = new PgliteStream({
      start: () => this.start(),
      send: (bytes) => {
        if (this.#streams.has(id)) this.#send({ is: 'bytes', stream: id, bytes })
      },
      gone: () => this.#retire(id),
    })
    this.#streams.set(id, stream)
    return stream
  }

  #retire(id: number): void {
    if (this.#streams.delete(id) && !this.#closing) this.#send({ is: 'reset' })
  }

  async close(): Promise<void> {
    if (this.#closing) return this.#closed.promise
    this.#closing = true
    if (this.#worker !== null) {
      const worker = this.#worker
      worker.postMessage({ is: 'close' } satisfies ToThread)
      const timer = setTimeout(() => this.#closed.resolve(), CLOSE_MS)
      await this.#closed.promise
      clearTimeout(timer)
      await worker.terminate()
    }
    this.#rest()
    this.#worker = null
  }

  async #start(): Promise<void> {
    if (this.#closing) throw new Fault('store_closed', 'the database is closed')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { dir, workerUrl, compiled } = this.#options
    const worker = new Worker(workerUrl, { workerData: { dir, compiled } satisfies ThreadData })
    this.#worker = worker
    const timer = setTimeout(() => reject(new Error(`no answer within ${START_MS} ms`)), START_MS)
    let isReady = false
    const fail = (why: string): void => {
      if (!isReady) reject(new Error(why))
      else if (this.#worker === worker) this.#lose('store_crashed', `the database thread died: ${why}`)
    }
    worker.on('message', (message: FromThread) => {
      if (message.is === 'failed') fail(message.message)
      else if (message.is === 'ready') {
        isReady = true
        this.#wasCompiled = message.compiled
        resolve()
      } else if (this.#worker === worker) this.#hear(message)
    })
    worker.on('error', (error) => fail(String(error)))
    worker.on('exit', (code) => fail(`exit code ${code}`))
    try {
      await promise
    } catch (error) {
      this.#worker = null
      this.#ready = null
      await worker.terminate()
      throw new Fault('store_unreadable', `${dir} could not be opened: ${messageOf(error)}`, {
        hint: 'An export of it may be under exports/ beside it.',
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #send(message: ToThread): void {
    if (this.#worker === null) return
    this.#waiting += 1
    if (this.#waiting === 1) this.#watch()
    this.#worker.postMessage(message)
  }

  #hear(message: Exclude<FromThread, { is: 'ready' | 'failed' }>): void {
    if (message.is === 'closed') {
      this.#closed.resolve()
      return
    }
    this.#waiting -= 1
    if (this.#waiting > 0) this.#watch()
    else this.#rest()
    if (message.is === 'was_reset') return
    this.#syncs = message.syncs
    if (message.bytes.length > 0) this.#streams.get(message.stream)?.receive(message.bytes)
  }

  /** Messages are answered in order, so the clock of the next one starts with the answer to the last. */
  #watch(): void {
    this.#rest()
    const { watchdogMs } = this.#options
    const why = `a statement ran longer than ${watchdogMs} ms; the database was restarted`
    this.#watchdog = setTimeout(() => this.#lose('store_stuck', why), watchdogMs)
  }

  #rest(): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog)
    this.#watchdog = null
  }

  /** Ends the thread and tells everybody who waits; the next one who asks starts it again. */
  #lose(kind: string, why: string): void {
    const worker = this.#worker
    this.#worker = null
    this.#waiting = 0
    this.#syncsBefore += this.#syncs
    this.#syncs = 0
    this.#rest()
    // The directory must have no second user, so the next thread waits until this one has ended.
    const ended = worker === null ? Promise.resolve() : worker.terminate().then(() => undefined)
    this.#ready = null
    if (this.#closing) {
      this.#closed.resolve()
      return
    }
    this.#ready = ended.then(() => this.#start())
    this.#ready.catch((error: unknown) => this.#options.log(String(error)))
    this.#options.log(why)
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    for (const stream of streams) stream.destroy(new Fault(kind, why))
  }
}
