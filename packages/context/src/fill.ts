// Fills a token budget with parts by priority, and says what was left out and why.
import assert from 'node:assert/strict'
import { markFor, writeBlock } from './block.ts'
import { cutToFit } from './cut.ts'
import { CUT_ABOVE, type Part, type PartName, PRIORITIES, type Trust } from './parts.ts'

/** How many tokens a text has. Counts of blocks are added up; see `writeBlock` for why that holds. */
export type CountTokens = (text: string) => number

export interface FillRequest {
  /** Several parts of one name keep the order in which they are given. */
  readonly parts: readonly Part[]
  readonly budgetTokens: number
  readonly count: CountTokens
}

interface Segment {
  readonly name: PartName
  readonly origin: string
  readonly trust: Trust
  /** Of the whole block, the lines around the text included. */
  readonly tokens: number
  readonly truncated: boolean
  readonly text: string
}

/** absent and empty: nothing to say; too_big: would not fit; after_cut: a more important part took the rest. */
type DropReason = 'absent' | 'empty' | 'too_big' | 'after_cut'

interface Dropped {
  readonly name: PartName
  readonly origin: string
  readonly trust: Trust
  readonly tokens: number
  readonly why: DropReason
}

export interface Filled {
  readonly segments: readonly Segment[]
  readonly dropped: readonly Dropped[]
  readonly used: number
  readonly budget: number
  /** The prompt: all segments, each between its two marked lines. */
  readonly text: string
}

export function fillContext({ parts, budgetTokens, count }: FillRequest): Filled {
  assert(Number.isInteger(budgetTokens) && budgetTokens >= 0, 'a budget is a whole number of tokens')
  const mark = markFor(parts)
  const segments: Segment[] = []
  const dropped: Dropped[] = []
  const blocks: string[] = []
  let used = 0
  let stopped = false
  for (const part of parts.toSorted((a, b) => PRIORITIES[b.name] - PRIORITIES[a.name])) {
    const { name, origin, trust } = part
    const drop = (tokens: number, why: DropReason) => dropped.push({ name, origin, trust, tokens, why })
    const text = part.text?.toWellFormed()
    if (text === undefined || text.trim() === '') {
      drop(0, text === undefined ? 'absent' : 'empty')
      continue
    }
    const block = (some: string) => writeBlock(mark, { part, text: some, truncated: some !== text })
    const tokens = count(block(text))
    if (stopped) {
      drop(tokens, 'after_cut')
      continue
    }
    const room = budgetTokens - used
    stopped = tokens > room && PRIORITIES[name] > CUT_ABOVE
    const kept = keptOf(text, { whole: tokens <= room, cut: stopped }, (some) => count(block(some)) <= room)
    if (kept === null) {
      drop(tokens, 'too_big')
      continue
    }
    const taken = kept === text ? tokens : count(block(kept))
    used += taken
    blocks.push(block(kept))
    segments.push({ name, origin, trust, tokens: taken, truncated: kept !== text, text: kept })
  }
  return { segments, dropped, used, budget: budgetTokens, text: blocks.join('') }
}

interface Keep {
  readonly whole: boolean
  readonly cut: boolean
}

function keptOf(text: string, { whole, cut }: Keep, fits: (some: string) => boolean): string | null {
  if (whole) return text
  return cut ? cutToFit(text, fits) : null
}
