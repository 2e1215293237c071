import { describe, expect, it } from 'vitest'
import { applyEdits, diffLines, hunks, render, similarity } from '../src/line-diff.ts'

const diff = (before: string, after: string) => render(diffLines([...before], [...after]))

describe('diffLines', () => {
  it('keeps what is common', () => {
    expect(diff('abcd', 'acxd')).toBe(' a\n-b\n c\n+x\n d')
    expect(diff('abc', 'abc')).toBe(' a\n b\n c')
  })

  it('puts removals before additions', () => {
    expect(diff('ab', 'xy')).toBe('-a\n-b\n+x\n+y')
    expect(diff('', 'a')).toBe('+a')
    expect(diff('a', '')).toBe('-a')
  })

  it('finds the longest common part', () => {
    expect(diff('xaby', 'abz')).toBe('-x\n a\n b\n-y\n+z')
  })
})

describe('hunks', () => {
  it('have context and are joined when near', () => {
    const edits = diffLines([...'abcdefghij'], [...'abXdefghiY'])
    const found = hunks(edits, 1)
    expect(found.map((hunk) => [hunk.start, render(hunk.edits)])).toEqual([
      [1, ' b\n-c\n+X\n d'],
      [9, ' i\n-j\n+Y'],
    ])
    expect(hunks(edits, 4)).toHaveLength(1)
    expect(hunks(edits, 4)[0]?.edits).toEqual(edits)
  })

  it('are none without changes', () => {
    expect(hunks(diffLines(['a'], ['a']))).toEqual([])
  })
})

describe('applyEdits', () => {
  it('turns one text into the other', () => {
    const before = ['one', 'two', 'three']
    const after = ['zero', 'one', 'three', 'four']
    expect(applyEdits(before, diffLines(before, after))).toEqual(after)
    expect(applyEdits(before, [{ is: 'removed', line: 'one' }])).toEqual(['two', 'three'])
  })

  it('refuses another text', () => {
    expect(() => applyEdits(['x'], [{ is: 'same', line: 'y' }])).toThrow('line 1 does not match')
  })
})

describe('similarity', () => {
  it('is from 0 to 1', () => {
    expect(similarity([...'abcd'], [...'abxy'])).toBe(0.5)
    expect(similarity(['a'], ['a'])).toBe(1)
    expect(similarity([], [])).toBe(1)
    expect(similarity(['a'], [])).toBe(0)
  })
})
