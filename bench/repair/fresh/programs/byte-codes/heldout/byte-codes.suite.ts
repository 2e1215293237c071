import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeBase32, encodeBase32 } from '../src/base32.ts'
import { checksum, FrameReader, writeFrame } from '../src/frames.ts'
import { packRuns, unpackRuns } from '../src/runs.ts'
import { readVarint, unzigzag, writeVarint, zigzag } from '../src/varint.ts'

let state = 43
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const drawBytes = (longest: number, values = 256) =>
  Uint8Array.from({ length: random(longest + 1) }, () => random(values))

// By way of a text of zeros and ones.
function slowBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  const letters = groups.map((group) => {
    const value = Number.parseInt(group.padEnd(5, '0'), 2)
    return value < 26 ? String.fromCharCode(65 + value) : String(value - 24)
  })
  while (letters.length % 8 !== 0) letters.push('=')
  return letters.join('')
}

describe('base32', () => {
  it('agrees with zeros and ones, and comes back', () => {
    for (let round = 0; round < 400; round += 1) {
      const bytes = drawBytes(23)
      const text = encodeBase32(bytes)
      assert.equal(text, slowBase32(bytes))
      assert.deepEqual(decodeBase32(text), bytes)
      assert.deepEqual(decodeBase32(text.replace(/=/g, '').toLowerCase()), bytes)
      assert.deepEqual(decodeBase32([...text].join(' ')), bytes)
    }
  })

  it('refuses texts that nothing is encoded as', () => {
    for (let length = 1; length <= 16; length += 1) {
      const text = 'A'.repeat(length)
      if ([1, 3, 6].includes(length % 8)) assert.throws(() => decodeBase32(text), /a character is missing/)
      else assert.equal(decodeBase32(text).length, Math.floor((length * 5) / 8))
    }
    for (const char of ['0', '1', '8', '9', '-', 'ä', '=']) {
      assert.throws(() => decodeBase32(`AAA${char}AAAA`), {
        message: `unknown character ${char.toUpperCase()}`,
      })
    }
    for (const text of ['AB', 'AAAB', 'AAAAB', 'AAAAAAB', 'AAAAAAAAAP']) {
      assert.throws(() => decodeBase32(text), /bits are left over/)
    }
  })
})

describe('varint', () => {
  it('agrees with big integers, and comes back', () => {
    for (let round = 0; round < 500; round += 1) {
      const value = Math.floor(2 ** random(53)) + random(2 ** 20) * random(2)
      const expected: number[] = []
      let rest = BigInt(value)
      do {
        const low = Number(rest & 127n)
        rest >>= 7n
        expected.push(rest > 0n ? low | 128 : low)
      } while (rest > 0n)
      assert.deepEqual(writeVarint(value), expected)
      const before = drawBytes(4)
      const after = drawBytes(4)
      const all = Uint8Array.from([...before, ...expected, ...after])
      assert.deepEqual(readVarint(all, before.length), { value, next: before.length + expected.length })
    }
    for (const value of [0, 1, 127, 128, 16383, 16384, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      assert.equal(readVarint(Uint8Array.from(writeVarint(value))).value, value)
    }
  })

  it('refuses what it cannot hold', () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      assert.throws(() => writeVarint(value), { name: 'RangeError', message: `cannot write ${value}` })
    }
    assert.throws(() => readVarint(Uint8Array.from([])), /the number has no end/)
    assert.throws(() => readVarint(Uint8Array.from([128, 255])), /the number has no end/)
    assert.throws(() => readVarint(Uint8Array.from([128, 128, 128, 128, 128, 128, 128, 16])), /too large/)
    assert.equal(readVarint(Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 15])).value, 2 ** 53 - 1)
  })

  it('folds negative numbers', () => {
    const order = [0]
    for (let size = 1; size <= 300; size += 1) order.push(-size, size)
    assert.deepEqual(
      order.map(zigzag),
      order.map((_, index) => index),
    )
    for (const [index, value] of order.entries()) assert.equal(unzigzag(index), value)
  })
})

describe('runs', () => {
  it('come back, and are as short as they can be', () => {
    for (let round = 0; round < 300; round += 1) {
      const parts = Array.from({ length: random(8) }, () => {
        return Array.from({ length: random(5) === 0 ? 120 + random(300) : random(5) }, () => 0).fill(
          random(3),
        )
      })
      const bytes = Uint8Array.from(parts.flat())
      const packed = packRuns(bytes)
      assert.deepEqual(unpackRuns(packed), bytes)
      let expected = 0
      for (const run of String.fromCharCode(...bytes).match(/([\s\S])\1*/g) ?? [])
        expected += run.length < 128 ? 2 : 3
      assert.equal(packed.length, expected)
    }
  })

  it('are checked', () => {
    assert.throws(() => unpackRuns(Uint8Array.from([1])), /a run has no byte/)
    assert.throws(() => unpackRuns(Uint8Array.from([1, 1, 128])), /the number has no end/)
    assert.throws(() => unpackRuns(Uint8Array.from([11, 1]), 10), /more than 10 bytes/)
    assert.throws(() => unpackRuns(Uint8Array.from([10, 1, 1, 2]), 10), /more than 10 bytes/)
    assert.equal(unpackRuns(Uint8Array.from([10, 1]), 10).length, 10)
    assert.throws(
      () => unpackRuns(Uint8Array.from([...writeVarint(1_000_001), 1])),
      /more than 1000000 bytes/,
    )
    assert.deepEqual(unpackRuns(Uint8Array.from([0, 5, 1, 6])), Uint8Array.from([6]))
  })
})

function slowSum(bytes: Uint8Array): number {
  const low = bytes.reduce((sum, byte) => sum + byte, 0)
  const high = bytes.reduce((sum, byte, index) => sum + byte * (bytes.length - index), 0)
  return (high % 255) * 256 + (low % 255)
}

describe('frames', () => {
  it('have a sum that weighs places', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = drawBytes(40)
      assert.equal(checksum(bytes), slowSum(bytes))
      const frame = [...writeFrame(bytes)]
      const sum = slowSum(bytes)
      assert.deepEqual(frame, [...writeVarint(bytes.length), ...bytes, Math.floor(sum / 256), sum % 256])
    }
  })

  it('come out of pieces of any size', () => {
    for (let round = 0; round < 150; round += 1) {
      const bodies = Array.from({ length: random(5) + 1 }, () => drawBytes(random(4) === 0 ? 300 : 6))
      const stream = bodies.flatMap((body) => [...writeFrame(body)])
      const reader = new FrameReader()
      const found: Uint8Array[] = []
      let fed = 0
      for (let at = 0; at < stream.length; ) {
        const size = random(random(3) === 0 ? 200 : 5) + 1
        fed = Math.min(stream.length, at + size)
        found.push(...reader.push(Uint8Array.from(stream.slice(at, at + size))))
        const complete = found.reduce((sum, body) => sum + writeFrame(body).length, 0)
        assert.equal(reader.pending, fed - complete)
        const next = bodies[found.length]
        if (next) assert.ok(reader.pending < writeFrame(next).length)
        at += size
      }
      assert.deepEqual(found, bodies)
      assert.equal(reader.pending, 0)
      assert.deepEqual(reader.push(new Uint8Array(0)), [])
    }
  })

  it('are refused where a byte or its place changed', () => {
    for (let round = 0; round < 150; round += 1) {
      const body = Uint8Array.from({ length: 2 + random(9) }, () => random(200))
      const frame = writeFrame(body)
      const at = 1 + random(body.length)
      const changed = (frame[at] ?? 0) + 1 + random(50)
      const reader = new FrameReader()
      const broken = Uint8Array.from(frame, (byte, index) => (index === at ? changed : byte))
      assert.throws(() => reader.push(broken), /the checksum is wrong/)
      assert.equal(reader.pending, 0)
      assert.deepEqual(reader.push(frame), [body])
    }
    const frame = [...writeFrame(Uint8Array.from([1, 2, 3]))]
    assert.throws(() => new FrameReader().push(Uint8Array.from([3, 2, 1, 3, ...frame.slice(4)])), /checksum/)
    const swapped = Uint8Array.from([...frame.slice(0, 4), frame[5] ?? 0, frame[4] ?? 0])
    assert.throws(() => new FrameReader().push(swapped), /checksum/)
  })
})
