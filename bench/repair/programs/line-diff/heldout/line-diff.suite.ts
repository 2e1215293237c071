import { describe, expect, it } from 'vitest'
import { applyEdits, diffLines, type Edit, hunks, render, similarity } from '../src/line-diff.ts'

let state = 29
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const randomText = () => Array.from({ length: random(9) }, () => 'abc'.charAt(random(3)))

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [x, ...restA] = a
  const [y, ...restB] = b
  if (x === undefined || y === undefined) return 0
  if (x === y) return 1 + longestCommon(restA, restB)
  return Math.max(longestCommon(restA, b), longestCommon(a, restB))
}

function slowHunks(edits: readonly Edit[], context: number): { start: number; edits: Edit[] }[] {
  const near = edits.map((_, index) =>
    edits.some((edit, other) => edit.is !== 'same' && Math.abs(other - index) <= context),
  )
  const found: { start: number; edits: Edit[] }[] = []
  for (const [index, edit] of edits.entries()) {
    if (!near[index]) continue
    if (near[index - 1]) found.at(-1)?.edits.push(edit)
    else found.push({ start: index, edits: [edit] })
  }
  return found
}

describe('random texts', () => {
  it('have shortest diffs that apply', () => {
    for (let round = 0; round < 200; round += 1) {
      const before = randomText()
      const after = randomText()
      const edits = diffLines(before, after)
      const common = longestCommon(before, after)
      const pick = (...kinds: Edit['is'][]) =>
        edits.filter((edit) => kinds.includes(edit.is)).map((edit) => edit.line)
      expect(pick('same', 'removed')).toEqual(before)
      expect(pick('same', 'added')).toEqual(after)
      expect(pick('same')).toHaveLength(common)
      expect(applyEdits(before, edits)).toEqual(after)
      const total = before.length + after.length
      expect(similarity(before, after)).toBe(total === 0 ? 1 : (2 * common) / total)
    }
  })

  it('have hunks that show every change once', () => {
    for (let round = 0; round < 200; round += 1) {
      const edits = Array.from({ length: random(16) }, (_, index): Edit => {
        const is = random(4) === 0 ? 'added' : 'same'
        return { is, line: `${index}` }
      })
      for (const context of [0, 1, 2, 3]) {
        const expected = slowHunks(edits, context)
        expect(hunks(edits, context)).toEqual(expected)
        if (context === 2) expect(hunks(edits)).toEqual(expected)
      }
    }
  })
})

describe('fixed cases', () => {
  const diff = (before: string, after: string) => render(diffLines([...before], [...after]))

  it('orders edits', () => {
    expect(diff('abc', 'axc')).toBe(' a\n-b\n+x\n c')
    expect(diff('ab', 'ba')).toBe('-a\n b\n+a')
    expect(diff('', '')).toBe('')
    expect(diff('aab', 'ab')).toBe(' a\n-a\n b')
    expect(diff('q', 'qrs')).toBe(' q\n+r\n+s')
  })

  it('applies a part and refuses a wrong one', () => {
    const edits: Edit[] = [
      { is: 'same', line: 'a' },
      { is: 'added', line: 'n' },
    ]
    expect(applyEdits(['a', 'b', 'c'], edits)).toEqual(['a', 'n', 'b', 'c'])
    expect(() => applyEdits(['a'], [...edits, { is: 'removed', line: 'b' }])).toThrow('line 2 does not match')
    expect(() => applyEdits([], [{ is: 'removed', line: 'b' }])).toThrow('line 1 does not match')
    expect(diffLines(['', 'a'], ['a', ''])).toHaveLength(3)
  })
})
