// A package as npm packs it: a compressed tar archive, made without npm.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

const BLOCK = 512

/** The archive and what a lock file says of it; the same files are the same bytes. */
export function packageArchive(files: Readonly<Record<string, string>>): {
  bytes: Buffer
  integrity: string
} {
  const parts = Object.entries(files).flatMap(([name, text]) => entry(`package/${name}`, Buffer.from(text)))
  const bytes = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]))
  return { bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` }
}

/** A header in the format ustar, and the text filled up to whole blocks. */
function entry(name: string, text: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  // While it is added up the sum itself counts as spaces.
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, text, Buffer.alloc((BLOCK - (text.length % BLOCK)) % BLOCK)]
}
