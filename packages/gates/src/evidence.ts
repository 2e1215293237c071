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
  readonly bytesMax?: number
}

interface Stored {
  readonly sha256: string
  readonly bytes: number
  readonly tail: string
}

/** Takes output as it comes; holds no more of it in memory than the tail and an unfinished line. */
export interface Sink {
  write(stream: 'stdout' | 'stderr', chunk: Buffer): void
  finish(): Stored
  discard(): void
}

const gibibyte = 1024 ** 3
const lineBytesMax = 256 * 1024
const overlap = 1_024

export function openSink(options: SinkOptions): Sink {
  const bytesMax = options.bytesMax ?? gibibyte
  const temporary = join(options.dir, `tmp-${randomUUID()}`)
  const file = orFault(() => {
    mkdirSync(options.dir, { recursive: true })
    return openSync(temporary, 'wx', 0o600)
  })
  const hash = createHash('sha256')
  // The streams are redacted apart: a key printed on one must not be hidden behind lines of the other.
  const pending = { stdout: new Pending(), stderr: new Pending() }
  const redactors = { stdout: makeRedactor(options.secrets), stderr: makeRedactor(options.secrets) }
  let bytes = 0
  let tail = ''
  let cut = false
  let closed = false

  const put = (text: string): void => {
    if (text === '') return
    tail = (tail + text).slice(-options.tailBytes * 2)
    if (cut) return
    cut = bytes + text.length > bytesMax
    const kept = cut
      ? `${text.slice(0, bytesMax - bytes)}\n[output cut here: more than ${bytesMax} bytes]\n`
      : text
    const data = Buffer.from(kept, 'latin1')
    hash.update(data)
    bytes += data.length
    writeFully(file, data)
  }

  return {
    write: (stream, chunk) => {
      const text = pending[stream].add(chunk.toString('latin1'))
      if (text !== '') put(redactors[stream].redact(text))
    },
    finish: () => {
      for (const stream of ['stdout', 'stderr'] as const)
        put(redactors[stream].redact(pending[stream].take()))
      const sha256 = hash.digest('hex')
      orFault(() => {
        fsyncSync(file)
        closeSync(file)
        closed = true
        keep(options.dir, temporary, sha256)
      })
      return { sha256, bytes, tail: readable(tail, options.tailBytes) }
    },
    discard: () => {
      if (!closed) closeSync(file)
      closed = true
      rmSync(temporary, { force: true })
    },
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
  if (!Sha256.safeParse(sha256).success) return null
  const path = join(evidenceDir, sha256.slice(0, 2), sha256)
  if (!existsSync(path)) return null
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, maxBytes)
    const data = Buffer.alloc(length)
    const { bytesRead } = await file.read(data, 0, length, size - length)
    const text = data.subarray(0, bytesRead).toString('utf8')
    return {
      text: length < size ? text.replace(/^\uFFFD{1,3}/, '') : text,
      bytes: size,
      complete: length === size,
    }
  } finally {
    await file.close()
  }
}
