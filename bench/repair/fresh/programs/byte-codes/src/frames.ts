import { readVarint, writeVarint } from './varint.ts'

// A frame is the length of its body, the body, and two bytes of checksum.
export function writeFrame(body: Uint8Array): Uint8Array {
  const sum = checksum(body)
  return Uint8Array.from([...writeVarint(body.length), ...body, sum >> 8, sum & 255])
}

// Fletcher's sum: it sees bytes that changed and bytes that changed places.
export function checksum(bytes: Uint8Array): number {
  let low = 0
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 255
    high = (high + low) % 255
  }
  return (high << 8) | low
}

// Takes bytes in pieces of any size and gives out the bodies that are complete.
export class FrameReader {
  private held = new Uint8Array(0)

  get pending(): number {
    return this.held.length
  }

  push(piece: Uint8Array): Uint8Array[] {
    this.held = Uint8Array.from([...this.held, ...piece])
    const bodies: Uint8Array[] = []
    for (let body = this.take(); body; body = this.take()) bodies.push(body)
    return bodies
  }

  private take(): Uint8Array | undefined {
    if (!this.held.some((byte) => byte < 128)) return undefined
    const { value: length, next } = readVarint(this.held)
    const end = next + length
    if (this.held.length < end + 2) return undefined
    const body = this.held.slice(next, end)
    const sum = ((this.held[end] ?? 0) << 8) | (this.held[end + 1] ?? 0)
    this.held = this.held.slice(end + 2)
    if (sum !== checksum(body)) throw new Error('the checksum is wrong')
    return body
  }
}
