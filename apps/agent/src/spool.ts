// What the agent has to report, on disk before it counts as said, and sent in order whenever the daemon can be reached.
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RunReport } from '@treadle/contracts/event'
import { EventId, Instant, RunId } from '@treadle/contracts/ids'
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import { z } from 'zod'
import { replaceFile, replaceLightly, syncFolder } from './replace-file.ts'
import { appendBytes, countLines, cutTorn, keepAside, readAcked, readLine } from './spool-file.ts'

export const SpoolEntry = z.strictObject({
  eventId: EventId,
  runId: RunId,
  fence: z.int().min(0),
  event: RunReport,
  at: Instant,
})
export type SpoolEntry = z.infer<typeof SpoolEntry>

export type Sent =
  | { readonly is: 'accepted' }
  | { readonly is: 'rejected'; readonly why: string }
  | { readonly is: 'unreachable'; readonly why: string }

export interface SpoolOptions {
  readonly file: string
  readonly clock: Clock
  send(entry: SpoolEntry): Promise<Sent>
  log(message: string): void
  /** The daemon will never take this entry: most likely the claim of its run is lost. */
  onRejected?(entry: SpoolEntry, why: string): void
}

export type Flushed =
  | { readonly is: 'drained' }
  | { readonly is: 'stopped' }
  | { readonly is: 'unreachable'; readonly why: string }

const BACKOFF_MS_MAX = 15_000
const COMPACT_BYTES = 1_048_576
/** Whether a write is on the disk when it returns, which spares a second way through the thread pool. */
const WRITES_SYNC = process.platform === 'linux'
const { O_RDWR, O_CREAT, O_APPEND, O_DSYNC } = constants
const OPEN_FLAGS = WRITES_SYNC ? O_RDWR | O_CREAT | O_APPEND | O_DSYNC : 'a+'

/** What every step of an engine makes, bounded where it is made; a spoilt one would be kept aside when it is sent. */
const OF_EACH_STEP: readonly RunReport['type'][] = ['run.began', 'run.observed', 'run.used']

/** A move or a question that cannot be read back would never be heard of, so it is refused at once. */
function checked(entry: SpoolEntry): SpoolEntry {
  return OF_EACH_STEP.includes(entry.event.type) ? entry : SpoolEntry.parse(entry)
}

/** Only one process may have a spool open; the agent lock sees to that. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  await mkdir(dirname(options.file), { recursive: true })
  const handle = await open(options.file, OPEN_FLAGS)
  await syncFolder(dirname(options.file))
  const size = await cutTorn(handle, options)
  const acked = await readAcked(handle, { ...options, size })
  return new Spool(options, { handle, size, acked, pending: await countLines(handle, acked, size) })
}

interface Opened {
  readonly handle: FileHandle
  readonly size: number
  readonly acked: number
  readonly pending: number
}

interface Waiter {
  readonly line: Buffer
  resolve(): void
  reject(cause: unknown): void
}

export class Spool {
  readonly #options: SpoolOptions
  readonly #handle: FileHandle
  /** Bytes that are safely on disk. */
  #size: number
  /** Everything before this offset has been answered by the daemon. */
  #acked: number
  /** What <file>.acked says of it; it may lag behind, since the daemon knows what it has. */
  #ackedInFile: number
  #keepingAcked: Promise<void> | null = null
  #pending: number
  #waiters: Waiter[] = []
  /** A failed write may have left half a line behind the safe bytes. */
  #dirty = false
  /** Appends and compaction take turns on the file. */
  #turn: Promise<void> = Promise.resolve()
  #flushing: Promise<Flushed> | null = null
  #acknowledging: Promise<void> = Promise.resolve()
  #running: { readonly abort: AbortController; readonly loop: Promise<void> } | null = null
  /** Raised by stop(), so that an answer that comes later is not acknowledged any more. */
  #era = 0
  #changed = Promise.withResolvers<void>()

  constructor(options: SpoolOptions, { handle, size, acked, pending }: Opened) {
    this.#options = options
    this.#handle = handle
    this.#size = size
    this.#acked = acked
    this.#ackedInFile = acked
    this.#pending = pending
  }

  /** Entries that the daemon has not answered yet. */
  pending(): number {
    return this.#pending
  }

  /** Resolves when the entry is on disk; appends made meanwhile share one sync. */
  async append(entry: SpoolEntry): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(checked(entry))}\n`)
    const written = new Promise<void>((resolve, reject) => this.#waiters.push({ line, resolve, reject }))
    this.#turn = this.#turn.then(() => this.#writeWaiting())
    await written
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiters.splice(0)
    if (batch.length === 0) return
    const bytes = Buffer.concat(batch.map((waiter) => waiter.line))
    try {
      if (this.#dirty) await this.#handle.truncate(this.#size)
      this.#dirty = true
      await appendBytes(this.#handle, bytes)
      if (!WRITES_SYNC) await this.#handle.datasync()
      this.#dirty = false
    } catch (cause) {
      const fault = new Fault('spool', `cannot write ${this.#options.file}: ${messageOf(cause)}`, { cause })
      for (const waiter of batch) waiter.reject(fault)
      return
    }
    this.#size += bytes.length
    this.#pending += batch.length
    for (const waiter of batch) waiter.resolve()
    this.#announce()
  }

  /** Sends what is there, one by one, until all is answered or the daemon cannot be reached. */
  flush(): Promise<Flushed> {
    this.#flushing ??= this.#sendAll(this.#era).finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  async #sendAll(era: number): Promise<Flushed> {
    while (this.#acked < this.#size) {
      const { line, next } = await readLine(this.#handle, this.#acked, this.#size)
      const entry = await this.#parse(line)
      const sent = entry === null ? null : await this.#send(entry)
      if (era !== this.#era) return { is: 'stopped' }
      if (sent?.is === 'unreachable') return sent
      this.#acknowledging = this.#acknowledge(next)
      await this.#acknowledging
      if (entry !== null && sent?.is === 'rejected') this.#reject(entry, sent.why)
    }
    await this.#keepingAcked
    return { is: 'drained' }
  }

  async #send(entry: SpoolEntry): Promise<Sent> {
    try {
      return await this.#options.send(entry)
    } catch (cause) {
      return { is: 'unreachable', why: messageOf(cause) }
    }
  }

  /** A line that the disk has spoilt is kept aside; it must not hold up all that follow. */
  async #parse(line: Buffer): Promise<SpoolEntry | null> {
    try {
      return SpoolEntry.parse(JSON.parse(line.toString('utf8')))
    } catch (cause) {
      await keepAside(this.#options, line, `cannot be read: ${messageOf(cause)}`)
      return null
    }
  }

  #reject(entry: SpoolEntry, why: string): void {
    this.#options.log(`the daemon rejected ${entry.event.type} of run ${entry.runId}: ${why}`)
    this.#options.onRejected?.(entry, why)
  }

  async #acknowledge(offset: number): Promise<void> {
    this.#acked = offset
    this.#pending -= 1
    if (this.#acked === this.#size && this.#size > COMPACT_BYTES) {
      this.#turn = this.#turn.then(() => this.#compact())
      await this.#turn
    }
    this.#keepingAcked ??= this.#keepAcked().finally(() => {
      this.#keepingAcked = null
    })
    this.#announce()
  }

  /** One file for all that was answered meanwhile. A crash sends again what it does not say, which is harmless. */
  async #keepAcked(): Promise<void> {
    try {
      while (this.#ackedInFile !== this.#acked) {
        const offset = this.#acked
        await replaceLightly(`${this.#options.file}.acked`, `${offset}\n`)
        this.#ackedInFile = offset
      }
    } catch (cause) {
      this.#options.log(`cannot write ${this.#options.file}.acked: ${messageOf(cause)}`)
    }
  }

  /** The offset first: a crash in between sends old entries again, which is harmless; the reverse would skip new ones. */
  async #compact(): Promise<void> {
    await this.#keepingAcked
    if (this.#acked !== this.#size) return
    try {
      await replaceFile(`${this.#options.file}.acked`, '0\n')
      this.#ackedInFile = 0
      await this.#handle.truncate(0)
      await this.#handle.datasync()
      this.#size = 0
      this.#acked = 0
    } catch (cause) {
      this.#options.log(`cannot compact ${this.#options.file}: ${messageOf(cause)}`)
    }
  }

  /** Sends in the background from now on. */
  start(): void {
    if (this.#running !== null) return
    const abort = new AbortController()
    this.#running = { abort, loop: this.#loop(abort.signal) }
  }

  /** Ends the sending; does not wait for an answer that is under way. */
  async stop(): Promise<void> {
    this.#era += 1
    const running = this.#running
    this.#running = null
    running?.abort.abort()
    this.#announce()
    await running?.loop
  }

  /** Stops, finishes the appends under way and lets go of the file. */
  async close(): Promise<void> {
    await this.stop()
    await this.#acknowledging.catch(() => undefined)
    await this.#turn
    await this.#keepingAcked
    await this.#handle.close()
  }

  async #loop(signal: AbortSignal): Promise<void> {
    let backoffMs = 1_000
    while (!signal.aborted) {
      const changed = this.#changed.promise
      const before = this.#pending
      const flushed = await Promise.race([this.#tryFlush(), aborted(signal)])
      if (flushed === null || flushed.is === 'stopped') continue
      if (flushed.is === 'drained') {
        backoffMs = 1_000
        if (this.#acked === this.#size) await changed
        continue
      }
      if (this.#pending < before) backoffMs = 1_000
      this.#options.log(`${this.#pending} reports wait; next try in ${backoffMs} ms: ${flushed.why}`)
      await this.#options.clock.sleep(backoffMs, signal).catch(() => undefined)
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MS_MAX)
    }
  }

  /** A disk that cannot be read or a callback that throws must not end the sending for good. */
  async #tryFlush(): Promise<Flushed> {
    try {
      return await this.flush()
    } catch (cause) {
      return { is: 'unreachable', why: messageOf(cause) }
    }
  }

  /** True when everything was answered, false when the time is over before that. */
  async drained(timeoutMs: number): Promise<boolean> {
    await this.#turn
    const over = new AbortController()
    const time = this.#options.clock.sleep(timeoutMs, over.signal).then(
      () => true,
      () => true,
    )
    if (this.#running === null) await Promise.race([this.#tryFlush(), time])
    let late = false
    while (this.#pending > 0 && !late) {
      late = await Promise.race([this.#changed.promise.then(() => false), time])
    }
    over.abort()
    return this.#pending === 0
  }

  #announce(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
}
