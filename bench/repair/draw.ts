// Numbers and orders drawn at random from a fixed seed, the same on every machine.
import { createHash } from 'node:crypto'

// From 0 (included) to 1 (excluded), decided by the seed and the key alone.
export function drawNumber(seed: string, key: string): number {
  const digest = createHash('sha256').update(`${seed}\n${key}`).digest()
  return digest.readUInt32BE(0) / 2 ** 32
}

export function drawOrder<T>(seed: string, items: readonly T[], keyOf: (item: T) => string): T[] {
  const drawn = items.map((item) => ({ item, number: drawNumber(seed, keyOf(item)) }))
  return drawn.sort((a, b) => a.number - b.number).map(({ item }) => item)
}
