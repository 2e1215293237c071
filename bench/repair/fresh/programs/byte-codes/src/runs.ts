import { readVarint, writeVarint } from './varint.ts'

// Bytes as pairs of how often and which; good for data with long runs.
export function packRuns(bytes: Uint8Array): Uint8Array {
  const packed: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    let end = at + 1
    while (end < bytes.length && bytes[end] === byte) end += 1
    packed.push(...writeVarint(end - at), byte)
    at = end
  }
  return Uint8Array.from(packed)
}

export function unpackRuns(packed: Uint8Array, limit = 1_000_000): Uint8Array {
  const bytes: number[] = []
  for (let at = 0; at < packed.length; ) {
    const { value: count, next } = readVarint(packed, at)
    const byte = packed[next]
    if (byte === undefined) throw new RangeError('a run has no byte')
    if (bytes.length + count > limit) throw new RangeError(`more than ${limit} bytes`)
    for (let done = 0; done < count; done += 1) bytes.push(byte)
    at = next + 1
  }
  return Uint8Array.from(bytes)
}
