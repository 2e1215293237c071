// Whether a decision wants a code, and whether the code that came with it is the right one.
import type { ApprovalConfig } from '@treadle/contracts/config/approval'
import type { RestsOn } from '@treadle/contracts/item'

/** What keeps the key from the crew without anybody's doing. */
export type Isolation = Exclude<RestsOn, 'code'>

export function wantsCode(confirm: ApprovalConfig['confirm'], isolation: Isolation): boolean {
  if (confirm === 'auto') return isolation === 'nothing'
  return confirm === 'always'
}

/** A code is good for two minutes, for one decision, and for three tries. */
export const CODE_MS = 120_000
const CODE_TRIES_MAX = 3
/** So many wrong codes within this time, whatever they were for, and none is taken until it is over. */
const WRONG_MAX = 10
export const WRONG_MS = 600_000

interface CodeFacts {
  readonly now: number
  /** As it came with the decision; null: none did. */
  readonly given: string | null
  /** The code that was shown for this decision; null: none was, or it is used up. */
  readonly shown: { readonly code: string; readonly expiresAt: number; readonly tries: number } | null
  /** When wrong codes were given, in milliseconds. */
  readonly wrong: readonly number[]
}

type CodeChoice =
  | { readonly is: 'taken' }
  /** Not done; `wrong` counts against whoever tries. */
  | { readonly is: 'ask'; readonly why: string; readonly wrong: boolean; readonly spent: boolean }
  | { readonly is: 'locked'; readonly until: number }

export function decideCode({ now, given, shown, wrong }: CodeFacts): CodeChoice {
  const recent = wrong.filter((at) => now - at < WRONG_MS)
  if (recent.length >= WRONG_MAX) return { is: 'locked', until: (recent[0] ?? now) + WRONG_MS }
  const ask = { is: 'ask', wrong: false, spent: false } as const
  if (given === null) return { ...ask, why: 'it wants a code' }
  if (shown === null) return { ...ask, why: 'no code was shown for this, or it was used' }
  if (now >= shown.expiresAt) return { ...ask, why: 'the code has expired', spent: true }
  if (given === shown.code) return { is: 'taken' }
  const spent = shown.tries + 1 >= CODE_TRIES_MAX
  return {
    is: 'ask',
    why: spent ? 'the code was wrong three times' : 'the code is wrong',
    wrong: true,
    spent,
  }
}
