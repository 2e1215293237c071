import { describe, expect, it } from 'vitest'
import { newest, satisfies } from '../src/range.ts'
import { bump, compareVersions, formatVersion, parseVersion } from '../src/version.ts'

// From the oldest to the newest.
const ladder = [
  '0.0.0-0',
  '0.0.0',
  '0.0.3',
  '0.0.4',
  '0.2.3',
  '0.2.9',
  '0.3.0',
  '1.0.0-1',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.1.0',
  '1.0.0-alpha.2',
  '1.0.0-alpha.11',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-rc-1',
  '1.0.0',
  '1.0.1',
  '1.2.3',
  '1.2.10',
  '1.3.0',
  '1.10.0',
  '2.0.0-rc',
  '2.0.0',
  '10.0.0',
]

describe('versions', () => {
  it('are ordered', () => {
    for (const [i, a] of ladder.entries()) {
      expect(formatVersion(parseVersion(a))).toBe(a)
      expect(formatVersion(parseVersion(` V${a} `))).toBe(a)
      for (const [j, b] of ladder.entries()) {
        expect(compareVersions(parseVersion(a), parseVersion(b)) + 0).toBe(Math.sign(i - j) + 0)
      }
    }
    for (const text of [
      '',
      '1',
      '1.2',
      '1.2.3.4',
      '1.2.x',
      '1.2.3-',
      'a.b.c',
      '1.2.3+b',
      '-1.2.3',
      '1.2.3 4',
    ]) {
      expect(() => parseVersion(text)).toThrow(SyntaxError)
    }
  })

  it('are bumped', () => {
    const table = [
      ['1.2.3', '2.0.0', '1.3.0', '1.2.4'],
      ['0.0.0', '1.0.0', '0.1.0', '0.0.1'],
      ['9.9.9', '10.0.0', '9.10.0', '9.9.10'],
      ['1.2.3-rc.1', '2.0.0', '1.3.0', '1.2.3'],
    ]
    for (const [from = '', major, minor, patch] of table) {
      const version = parseVersion(from)
      expect(formatVersion(bump(version, 'major'))).toBe(major)
      expect(formatVersion(bump(version, 'minor'))).toBe(minor)
      expect(formatVersion(bump(version, 'patch'))).toBe(patch)
      expect(formatVersion(version)).toBe(from)
    }
  })
})

describe('ranges', () => {
  const between = (from: string, to: string) => ladder.slice(ladder.indexOf(from), ladder.indexOf(to))

  it('let through exactly these', () => {
    const table: [string, string[]][] = [
      ['*', ladder],
      ['^1.0.0', between('1.0.0', '2.0.0')],
      ['^0.2.3', between('0.2.3', '0.3.0')],
      ['^0.0.3', ['0.0.3']],
      ['^1.0.0-alpha.2', between('1.0.0-alpha.2', '2.0.0')],
      ['~1.2.3', between('1.2.3', '1.3.0')],
      ['~0.2.3', between('0.2.3', '0.3.0')],
      ['>=1.2.3', ladder.slice(ladder.indexOf('1.2.3'))],
      ['>1.2.3', ladder.slice(ladder.indexOf('1.2.3') + 1)],
      ['<1.0.0', between('0.0.0-0', '1.0.0')],
      ['<=1.0.0', between('0.0.0-0', '1.0.1')],
      ['=1.0.0', ['1.0.0']],
      ['1.0.0-beta', ['1.0.0-beta']],
      ['>=1.0.0 <1.3.0', between('1.0.0', '1.3.0')],
      ['  >0.0.0   <=0.2.3  ', ['0.0.3', '0.0.4', '0.2.3']],
      ['<0.0.3 || >2.0.0', ['0.0.0-0', '0.0.0', '10.0.0']],
      ['1.0.0||1.0.1', ['1.0.0', '1.0.1']],
      ['>2.0.0 <1.0.0', []],
    ]
    for (const [range, expected] of table) {
      expect(ladder.filter((version) => satisfies(version, range))).toEqual(expected)
      expect(newest([...ladder].reverse(), range)).toBe(expected.at(-1) ?? null)
      expect(newest(ladder, range)).toBe(expected.at(-1) ?? null)
    }
    expect(newest([])).toBeNull()
    expect(() => satisfies('1.0.0', '>=1')).toThrow(SyntaxError)
    expect(() => satisfies('nope', '*')).toThrow(SyntaxError)
  })
})
