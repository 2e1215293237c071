// Passes text on as long as its lines have a bounded length: a program that never ends its line must not fill the memory
// of whoever waits for it.
import { Transform, type TransformCallback } from 'node:stream'

/** What one message of a program may have; images and whole files come in one. */
export const LINE_BYTES_MAX = 32 * 1024 * 1024
const NEWLINE = 0x0a

/** Ends at a line that is too long, says so once, and takes the rest in without keeping it. */
export class LineLimit extends Transform {
  readonly #max: number
  readonly #onTooLong: () => void
  #length = 0
  #isOver = false

  constructor(bytesMax: number, onTooLong: () => void) {
    super()
    this.#max = bytesMax
    this.#onTooLong = onTooLong
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (!this.#isOver) this.#pass(chunk)
    done()
  }

  #pass(chunk: Buffer): void {
    const first = chunk.indexOf(NEWLINE)
    const line = this.#length + (first === -1 ? chunk.length : first)
    this.#length = first === -1 ? line : chunk.length - 1 - chunk.lastIndexOf(NEWLINE)
    this.#isOver = line > this.#max
    this.push(this.#isOver ? null : chunk)
    if (this.#isOver) this.#onTooLong()
  }
}
