// Outputs by content hash on disk: `<dir>/<first two digits>/<SHA-256>`.
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Sha256 } from '@treadle/contracts/ids'
import { Fault, messageOf } from '@treadle/flow/fault'
import { withoutControlCodes } from './control-codes.ts'
import { makeRedactor } from './redact.ts'

export interface SinkOptions {
  readonly dir: string
  readonly tailBytes: number
  readonly secrets: readonly string[]
  /** How much of an output is kept: of a longer one the beginning and the end. */
  readonly bytesMax?: number
}

interface Stored {
  readonly sha256: string
  /** What was kept. */
  readonly bytes: number
  /** What there was in all, if not all of it was kept. */
  readonly printedBytes?: number
  readonly tail: string
}

/** Takes output as it comes; holds no more of it in memory than the tail and an unfinished line. */
export interface Sink {
  write(stream: 'stdout' | 'stderr', chunk: Buffer): void
  finish(): Stored
  discard(): void
}

const bytesMaxDefault = 100 * 1024 ** 2
const endBytesMax = 4 * 1024 ** 2
const lineBytesMax = 256 * 1024
const overlap = 1_024

export function openSink(options: SinkOptions): Sink {
  const temporary = join(options.dir, `tmp-${randomUUID()}`)
  const file = orFault(() => {
    mkdirSync(options.dir, { recursive: true })
    return openSync(temporary, 'wx', 0o600)
  })
  const kept = new KeptFile(file, options.bytesMax ?? bytesMaxDefault)
  // The streams are redacted apart: a key printed on one must not be hidden behind lines of the other.
  const pending = { stdout: new Pending(), stderr: new Pending() }
  const redactors = { stdout: makeRedactor(options.secrets), stderr: makeRedactor(options.secrets) }
  let tail = ''
  let closed = false

  const put = (text: string): void => {
    if (text === '') return
    tail = (tail + text).slice(-options.tailBytes * 2)
    kept.add(text)
  }

  return {
    write: (stream, chunk) => {
      const text = pending[stream].add(chunk.toString('latin1'))
      if (text !== '') put(redactors[stream].redact(text))
    },
    finish: () => {
      for (const stream of ['stdout', 'stderr'] as const)
        put(redactors[stream].redact(pending[stream].take()))
      const stored = kept.end()
      orFault(() => {
        fsyncSync(file)
        closeSync(file)
        closed = true
        keep(options.dir, temporary, stored.sha256)
      })
      return { ...stored, tail: readable(tail, options.tailBytes) }
    },
    discard: () => {
      if (!closed) closeSync(file)
      closed = true
      rmSync(temporary, { force: true })
    },
  }
}

/** How much of the end is kept of an output that is cut. */
export function endBytesOf(bytesMax: number = bytesMaxDefault): number {
  return Math.min(endBytesMax, Math.floor(bytesMax / 4))
}

/** The file of one output: its beginning as it comes; of what is too much for it, the end. */
class KeptFile {
  readonly #file: number
  readonly #hash = createHash('sha256')
  readonly #startMax: number
  readonly #end: LastOf
  #bytes = 0
  #printed = 0

  constructor(file: number, bytesMax: number) {
    const endMax = endBytesOf(bytesMax)
    this.#file = file
    this.#startMax = bytesMax - endMax
    this.#end = new LastOf(endMax)
  }

  /** One character stands for one byte. */
  add(text: string): void {
    this.#printed += text.length
    const room = this.#startMax - this.#bytes
    if (room > 0) this.#write(text.slice(0, room))
    if (text.length > room) this.#end.add(text.slice(Math.max(room, 0)))
  }

  end(): Omit<Stored, 'tail'> {
    const end = this.#end.take()
    const left = this.#printed - this.#bytes - end.length
    if (left > 0) this.#write(`\n[output cut here: ${left} of ${this.#printed} bytes are not kept]\n`)
    this.#write(end)
    const kept = { sha256: this.#hash.digest('hex'), bytes: this.#bytes }
    return left > 0 ? { ...kept, printedBytes: this.#printed } : kept
  }

  #write(text: string): void {
    const data = Buffer.from(text, 'latin1')
    this.#hash.update(data)
    this.#bytes += data.length
    writeFully(this.#file, data)
  }
}

const pieceCharsMin = 64 * 1024

/** The last characters of a text that comes in pieces, held in few strings however small the pieces are. */
class LastOf {
  readonly #max: number
  #pieces: string[] = []
  #length = 0

  constructor(max: number) {
    this.#max = max
  }

  add(text: string): void {
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.length < pieceCharsMin) this.#pieces[this.#pieces.length - 1] = last + text
    else this.#pieces.push(text)
    this.#length += text.length
    for (
      let [first] = this.#pieces;
      first && this.#length - first.length >= this.#max;
      [first] = this.#pieces
    ) {
      this.#pieces.shift()
      this.#length -= first.length
    }
  }

  take(): string {
    return this.#max === 0 ? '' : this.#pieces.join('').slice(-this.#max)
  }
}

/** What has come of a line that is not at its end; looked at again only when something new can be given out. */
class Pending {
  #parts: string[] = []
  #length = 0

  /** What may be given out with this much more. */
  add(text: string): string {
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length <= lineBytesMax && !text.includes('\n')) return ''
    const all = this.take()
    const end = safeEnd(all)
    this.#parts = [all.slice(end)]
    this.#length = all.length - end
    return all.slice(0, end)
  }

  take(): string {
    const all = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return all
  }
}

function safeEnd(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  if (text.length - line <= lineBytesMax) return line
  // A line too long to hold is cut at a space, where no token can be cut in two.
  const space = text.lastIndexOf(' ', text.length - overlap)
  return space > line ? space : text.length - overlap
}

function writeFully(file: number, data: Buffer): void {
  orFault(() => {
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at)
  })
}

function orFault<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const hint = 'Is the disk full, or the folder not writable?'
    throw new Fault('evidence', `the output could not be kept: ${messageOf(error)}`, { hint, cause: error })
  }
}

function keep(dir: string, temporary: string, sha256: string): void {
  const folder = join(dir, sha256.slice(0, 2))
  mkdirSync(folder, { recursive: true })
  renameSync(temporary, join(folder, sha256))
}

/** The last bytes as text for people and prompts: no control sequences, no byte that a database refuses. */
function readable(latin1: string, bytesMax: number): string {
  const text = Buffer.from(latin1.slice(-bytesMax), 'latin1')
    .toString('utf8')
    .replace(/^\uFFFD{1,3}/, '')
  return plainText(text)
}

export function plainText(text: string): string {
  return withoutControlCodes(text).replaceAll('\0', '␀').replaceAll('\r\n', '\n').toWellFormed()
}

/** A text that we made ourselves, such as a prompt or a diff. */
export function keepText(
  options: { evidenceDir: string; tailBytes: number; secrets?: readonly string[] },
  text: string,
): string {
  const sink = openSink({
    dir: options.evidenceDir,
    tailBytes: options.tailBytes,
    secrets: options.secrets ?? [],
  })
  sink.write('stdout', Buffer.from(text))
  return sink.finish().sha256
}

/** The end of a stored output, at most `maxBytes` of it; null if there is none of that hash. */
export async function readEvidence(
  evidenceDir: string,
  sha256: string,
  maxBytes: number,
): Promise<{ text: string; bytes: number; complete: boolean } | null> {
  const found = await readEvidenceBytes(evidenceDir, sha256, maxBytes)
  if (found === null) return null
  const { data, bytes, complete } = found
  const text = data.toString('utf8')
  return { text: complete ? text : text.replace(/^\uFFFD{1,3}/, ''), bytes, complete }
}

/** The same as it is on disk. */
export async function readEvidenceBytes(
  evidenceDir: string,
  sha256: string,
  maxBytes: number,
): Promise<{ data: Buffer; bytes: number; complete: boolean } | null> {
  if (!Sha256.safeParse(sha256).success) return null
  const path = join(evidenceDir, sha256.slice(0, 2), sha256)
  if (!existsSync(path)) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, maxBytes)
    const data = Buffer.alloc(length)
    const { bytesRead } = await file.read(data, 0, length, size - length)
    return { data: data.subarray(0, bytesRead), bytes: size, complete: length === size }
  } finally {
    await file.close()
  }
}
