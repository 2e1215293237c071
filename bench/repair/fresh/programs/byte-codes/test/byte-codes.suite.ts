import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeBase32, encodeBase32 } from '../src/base32.ts'
import { checksum, FrameReader, writeFrame } from '../src/frames.ts'
import { packRuns, unpackRuns } from '../src/runs.ts'
import { readVarint, unzigzag, writeVarint, zigzag } from '../src/varint.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const ascii = (text: string) => new TextEncoder().encode(text)

const pairs: [string, string][] = [
  ['', ''],
  ['f', 'MY======'],
  ['fo', 'MZXQ===='],
  ['foo', 'MZXW6==='],
  ['foob', 'MZXW6YQ='],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI======'],
]

describe('base32', () => {
  it('encodes', () => {
    for (const [plain, coded] of pairs) assert.equal(encodeBase32(ascii(plain)), coded)
  })

  it('decodes', () => {
    for (const [plain, coded] of pairs) assert.deepEqual(decodeBase32(coded), ascii(plain))
  })

  it('forgives spaces, small letters and missing fill', () => {
    assert.deepEqual(decodeBase32('mzxw 6ytb\noi'), ascii('foobar'))
  })

  it('refuses what it cannot read', () => {
    assert.throws(() => decodeBase32('MZ1Q'), /unknown character 1/)
    assert.throws(() => decodeBase32('MZX'), /a character is missing/)
    assert.throws(() => decodeBase32('MZ'), /bits are left over/)
    assert.throws(() => decodeBase32('M=Y'), SyntaxError)
  })
})

describe('varint', () => {
  it('writes small numbers in one byte', () => {
    assert.deepEqual(writeVarint(0), [0])
    assert.deepEqual(writeVarint(127), [127])
    assert.deepEqual(writeVarint(128), [128, 1])
    assert.deepEqual(writeVarint(300), [172, 2])
  })

  it('reads from any place', () => {
    assert.deepEqual(readVarint(bytes(9, 172, 2, 7), 1), { value: 300, next: 3 })
    assert.deepEqual(readVarint(bytes(5)), { value: 5, next: 1 })
  })

  it('takes large numbers', () => {
    const large = Number.MAX_SAFE_INTEGER
    assert.deepEqual(readVarint(Uint8Array.from(writeVarint(large))), { value: large, next: 8 })
    assert.throws(() => readVarint(bytes(255, 255, 255, 255, 255, 255, 255, 31)), /too large/)
  })

  it('refuses what is no number', () => {
    assert.throws(() => writeVarint(-1), /cannot write -1/)
    assert.throws(() => writeVarint(1.5), RangeError)
    assert.throws(() => readVarint(bytes(128, 129)), /no end/)
    assert.throws(() => readVarint(bytes(1), 1), /no end/)
  })

  it('folds negative numbers in', () => {
    assert.deepEqual([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4])
    assert.deepEqual([0, 1, 2, 3, 4].map(unzigzag), [0, -1, 1, -2, 2])
  })
})

describe('runs', () => {
  it('packs', () => {
    assert.deepEqual(packRuns(bytes(7, 7, 7, 0, 9, 9)), bytes(3, 7, 1, 0, 2, 9))
    assert.deepEqual(packRuns(bytes()), bytes())
    assert.deepEqual(packRuns(new Uint8Array(200)), bytes(200, 1, 0))
  })

  it('unpacks', () => {
    assert.deepEqual(unpackRuns(bytes(3, 7, 1, 0, 2, 9)), bytes(7, 7, 7, 0, 9, 9))
    assert.equal(unpackRuns(bytes(200, 1, 5)).length, 200)
  })

  it('has a limit', () => {
    assert.equal(unpackRuns(bytes(3, 1, 2, 2), 5).length, 5)
    assert.throws(() => unpackRuns(bytes(3, 1, 3, 2), 5), /more than 5 bytes/)
    assert.throws(() => unpackRuns(bytes(3, 1, 3)), /a run has no byte/)
  })
})

describe('frames', () => {
  it('have a checksum', () => {
    assert.equal(checksum(ascii('abcde')), 0xc8f0)
    assert.equal(checksum(bytes()), 0)
    assert.notEqual(checksum(bytes(1, 2)), checksum(bytes(2, 1)))
    assert.deepEqual(writeFrame(bytes(1, 2)), bytes(2, 1, 2, 4, 3))
  })

  it('are read one after the other', () => {
    const reader = new FrameReader()
    const stream = bytes(...writeFrame(bytes(1, 2)), ...writeFrame(bytes()), ...writeFrame(bytes(9)))
    assert.deepEqual(reader.push(stream), [bytes(1, 2), bytes(), bytes(9)])
    assert.equal(reader.pending, 0)
  })

  it('are read in pieces', () => {
    const reader = new FrameReader()
    const frame = writeFrame(new Uint8Array(130).fill(3))
    assert.deepEqual(reader.push(frame.slice(0, 1)), [])
    assert.deepEqual(reader.push(frame.slice(1, 133)), [])
    assert.equal(reader.pending, 133)
    assert.deepEqual(reader.push(bytes(...frame.slice(133), 5)), [new Uint8Array(130).fill(3)])
    assert.equal(reader.pending, 1)
  })

  it('are refused where they were changed, and reading goes on after them', () => {
    const reader = new FrameReader()
    const frame = writeFrame(bytes(1, 2, 3))
    frame[2] = 99
    assert.throws(() => reader.push(frame), /the checksum is wrong/)
    assert.equal(reader.pending, 0)
    assert.deepEqual(reader.push(writeFrame(bytes(4))), [bytes(4)])
  })
})
