// Reads one report that comes over standard input and ends: a line that says what it is, then its bytes.
import { readSync } from 'node:fs'
import { type ReportOrder, readNow } from './report-order.ts'

export type OrderHead = Omit<ReportOrder, 'data'> & { readonly lengths: readonly number[] }

const STDIN = 0
const CHUNK = 1024 * 1024
const NEWLINE = 0x0a

function readAll(): Buffer {
  const pieces: Buffer[] = []
  for (;;) {
    const piece = Buffer.allocUnsafe(CHUNK)
    const length = readSome(piece)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(piece.subarray(0, length))
  }
}

/** A pipe that has nothing yet says so with an error; it is asked again. */
function readSome(into: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, into)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const all = readAll()
const from = all.indexOf(NEWLINE) + 1
const { lengths, ...order }: OrderHead = JSON.parse(all.toString('utf8', 0, from))
let at = from
const data = lengths.map((length) => {
  at += length
  return all.subarray(at - length, at)
})
process.stdout.write(JSON.stringify(readNow({ ...order, data })))
