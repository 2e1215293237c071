export type Read = { value: number; next: number }

// Seven bits in a byte, the low ones first; the top bit says that more follow.
export function writeVarint(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`cannot write ${value}`)
  const bytes: number[] = []
  let left = value
  while (left >= 128) {
    bytes.push((left % 128) + 128)
    left = Math.floor(left / 128)
  }
  bytes.push(left)
  return bytes
}

export function readVarint(bytes: Uint8Array, start = 0): Read {
  let value = 0
  let factor = 1
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    value += (byte % 128) * factor
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('the number is too large')
    if (byte < 128) return { value, next: at + 1 }
    factor *= 128
  }
  throw new RangeError('the number has no end')
}

// Small negative numbers stay short: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
