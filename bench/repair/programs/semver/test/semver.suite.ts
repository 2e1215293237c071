import { describe, expect, it } from 'vitest'
import { newest, satisfies } from '../src/range.ts'
import { bump, compareVersions, formatVersion, parseVersion } from '../src/version.ts'

const compare = (a: string, b: string) => compareVersions(parseVersion(a), parseVersion(b))

describe('versions', () => {
  it('are read and written', () => {
    expect(parseVersion('v1.20.3-beta.2')).toEqual({ major: 1, minor: 20, patch: 3, pre: ['beta', '2'] })
    expect(formatVersion(parseVersion('1.2.3'))).toBe('1.2.3')
    expect(formatVersion(parseVersion('1.2.3-rc.1'))).toBe('1.2.3-rc.1')
    expect(() => parseVersion('1.2')).toThrow(SyntaxError)
  })

  it('are compared by number', () => {
    expect(compare('1.10.0', '1.9.9')).toBe(1)
    expect(compare('1.2.3', '1.2.3')).toBe(0)
    expect(compare('1.2.3', '2.0.0')).toBe(-1)
  })

  it('come after their pre-releases', () => {
    expect(compare('1.0.0-alpha', '1.0.0')).toBe(-1)
    expect(compare('1.0.0-alpha.10', '1.0.0-alpha.9')).toBe(1)
    expect(compare('1.0.0-alpha', '1.0.0-alpha.1')).toBe(-1)
    expect(compare('1.0.0-1', '1.0.0-alpha')).toBe(-1)
    expect(compare('1.0.0-beta', '1.0.0-alpha')).toBe(1)
  })

  it('are bumped', () => {
    const bumped = (text: string, part: 'major' | 'minor' | 'patch') =>
      formatVersion(bump(parseVersion(text), part))
    expect(bumped('1.2.3', 'major')).toBe('2.0.0')
    expect(bumped('1.2.3', 'minor')).toBe('1.3.0')
    expect(bumped('1.2.3', 'patch')).toBe('1.2.4')
    expect(bumped('1.2.3-rc.1', 'patch')).toBe('1.2.3')
  })
})

describe('ranges', () => {
  it('with carets and tildes', () => {
    expect(satisfies('1.9.0', '^1.2.3')).toBe(true)
    expect(satisfies('2.0.0', '^1.2.3')).toBe(false)
    expect(satisfies('1.2.2', '^1.2.3')).toBe(false)
    expect(satisfies('0.3.0', '^0.2.3')).toBe(false)
    expect(satisfies('0.0.4', '^0.0.3')).toBe(false)
    expect(satisfies('1.2.9', '~1.2.3')).toBe(true)
    expect(satisfies('1.3.0', '~1.2.3')).toBe(false)
  })

  it('with bounds and alternatives', () => {
    expect(satisfies('1.5.0', '>=1.0.0 <2.0.0')).toBe(true)
    expect(satisfies('2.0.0', '>=1.0.0 <2.0.0')).toBe(false)
    expect(satisfies('3.0.0', '1.0.0 || >=3.0.0')).toBe(true)
    expect(satisfies('1.0.1', '<=1.0.0 || >1.0.1')).toBe(false)
    expect(satisfies('9.9.9', '*')).toBe(true)
  })

  it('the newest that fits', () => {
    const versions = ['1.2.0', '1.10.0', '2.0.0', '1.9.0']
    expect(newest(versions, '^1.0.0')).toBe('1.10.0')
    expect(newest(versions)).toBe('2.0.0')
    expect(newest(versions, '^3.0.0')).toBeNull()
  })
})
