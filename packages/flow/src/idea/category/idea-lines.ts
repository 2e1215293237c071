// The lines of what a model or a person wrote as Markdown, and which of them stand in a code fence.
import { visibleText } from '@treadle/contracts/category-idea'

export interface IdeaLine {
  readonly text: string
  /** It belongs to a code fence, so it is no heading, label or bullet. */
  readonly isCode: boolean
}

interface Fence {
  readonly sign: string
  readonly length: number
  /** Nothing stands behind it, so it may close a fence. */
  readonly isBare: boolean
}

/** Control characters are gone. A fence that is never closed is none. */
export function ideaLines(text: string): IdeaLine[] {
  return withCode(visibleText(text).split('\n'))
}

export function withCode(lines: readonly string[]): IdeaLine[] {
  const fences = lines.map(fenceIn)
  const longest = longestCloserFrom(fences)
  const isCode = lines.map(() => false)
  for (let at = 0; at < lines.length; at += 1) {
    const open = fences[at] ?? null
    if (open === null || (longest[open.sign]?.[at + 1] ?? 0) < open.length) continue
    let end = at + 1
    while (!closes(fences[end] ?? null, open)) end += 1
    isCode.fill(true, at, end + 1)
    at = end
  }
  return lines.map((text, at) => ({ text, isCode: isCode[at] === true }))
}

export function fenceIn(line: string): Fence | null {
  const [, mark, info = ''] = /^\s{0,12}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return null
  return { sign: mark.charAt(0), length: mark.length, isBare: info.trim() === '' }
}

function closes(fence: Fence | null, open: Fence): boolean {
  return fence?.isBare === true && fence.sign === open.sign && fence.length >= open.length
}

/** For each line the longest fence that could close one, there or below; so that no opening one is looked for in vain. */
function longestCloserFrom(fences: readonly (Fence | null)[]): Readonly<Record<string, number[]>> {
  const longest: Record<string, number[]> = { '`': [], '~': [] }
  for (const [sign, lengths] of Object.entries(longest)) {
    let most = 0
    for (let at = fences.length - 1; at >= 0; at -= 1) {
      const fence = fences[at] ?? null
      if (fence?.isBare === true && fence.sign === sign) most = Math.max(most, fence.length)
      lengths[at] = most
    }
  }
  return longest
}
