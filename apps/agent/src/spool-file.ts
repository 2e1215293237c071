// The bytes of a spool: lines, the offset up to which they were answered, and what a crash has left behind.
import { write } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './replace-file.ts'

const CHUNK_BYTES = 65_536
const NEWLINE = 10

interface LoggedFile {
  readonly file: string
  log(message: string): void
}

/** Cuts off a last line without an end, as a kill or a power cut leaves it, and returns the size that remains. */
export async function cutTorn(handle: FileHandle, spool: LoggedFile): Promise<number> {
  const { size } = await handle.stat()
  const end = await endOfLastLine(handle, size)
  if (end === size) return size
  const torn = Buffer.alloc(size - end)
  await handle.read(torn, 0, torn.length, end)
  await keepAside(spool, torn, 'has no end')
  await handle.truncate(end)
  await handle.sync()
  return end
}

/** Keeps bytes that cannot be used in <file>.torn. */
export async function keepAside(spool: LoggedFile, bytes: Buffer, why: string): Promise<void> {
  const path = `${spool.file}.torn`
  const aside = await open(path, 'a')
  try {
    await aside.appendFile(Buffer.concat([bytes, Buffer.from('\n')]))
    await aside.sync()
  } finally {
    await aside.close()
  }
  await syncFolder(dirname(path))
  spool.log(`a line of ${spool.file} ${why}; ${bytes.length} bytes are kept in ${path}`)
}

/** Where to go on sending. An offset that fits no line means to send all again: the daemon knows what it has. */
export async function readAcked(handle: FileHandle, spool: LoggedFile & { size: number }): Promise<number> {
  const content = await readFile(`${spool.file}.acked`, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '0\n'
    throw cause
  })
  const offset = /^\d{1,15}\n$/.test(content) ? Number(content) : -1
  if (offset === 0 || (await isLineStart(handle, offset, spool.size))) return offset
  spool.log(`${spool.file}.acked does not fit the spool; everything in it is sent again`)
  return 0
}

/** Appends to a file that was opened for it; the handle's own way to do that takes more of the processor than the disk. */
export async function appendBytes({ fd }: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += await writeSome(fd, bytes, done)
}

function writeSome(fd: number, bytes: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, from, bytes.length - from, null, (error, written) =>
      error === null ? resolve(written) : reject(error),
    )
  })
}

/** Counts the lines between two offsets without holding them. */
export async function countLines(handle: FileHandle, from: number, to: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let count = 0
  for (let at = from; at < to; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, to - at), at)
    if (bytesRead === 0) break
    for (const byte of chunk.subarray(0, bytesRead)) if (byte === NEWLINE) count += 1
    at += bytesRead
  }
  return count
}

/** The line that begins at an offset, and where the next begins. */
export async function readLine(
  handle: FileHandle,
  from: number,
  size: number,
): Promise<{ line: Buffer; next: number }> {
  const parts: Buffer[] = []
  for (let at = from; at < size; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    const part = chunk.subarray(0, bytesRead)
    const end = part.indexOf(NEWLINE)
    if (end >= 0) return { line: Buffer.concat([...parts, part.subarray(0, end)]), next: at + end + 1 }
    if (bytesRead === 0) break
    parts.push(part)
    at += bytesRead
  }
  // Somebody else has shortened the file: what is left of it counts as one line.
  return { line: Buffer.concat(parts), next: size }
}

async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - CHUNK_BYTES)
    const { bytesRead } = await handle.read(chunk, 0, to - from, from)
    const end = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (end >= 0) return from + end + 1
    to = from
  }
  return 0
}

async function isLineStart(handle: FileHandle, offset: number, size: number): Promise<boolean> {
  if (offset < 1 || offset > size) return false
  const before = Buffer.alloc(1)
  await handle.read(before, 0, 1, offset - 1)
  return before[0] === NEWLINE
}
