const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

// Five bytes become eight characters; a shorter rest is filled up with "=".
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((held >> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  if (bits > 0) text += alphabet.charAt((held << (5 - bits)) & 31)
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=')
}

// Small letters, spaces and missing "=" are forgiven; bits that are left over must be zero.
export function decodeBase32(text: string): Uint8Array {
  const clean = text.replace(/\s/g, '').replace(/=+$/, '').toUpperCase()
  if ([1, 3, 6].includes(clean.length % 8)) throw new SyntaxError('a character is missing')
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const char of clean) {
    const value = alphabet.indexOf(char)
    if (value < 0) throw new SyntaxError(`unknown character ${char}`)
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(held >> bits)
    held &= (1 << bits) - 1
  }
  if (held !== 0) throw new SyntaxError('bits are left over')
  return Uint8Array.from(bytes)
}
