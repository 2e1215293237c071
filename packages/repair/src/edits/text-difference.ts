// How texts that came differ from those that tests wait for.
import type { TestResult } from '../run/protocol.ts'

/** How a text that came differs from the one that was waited for. */
export interface TextDifference {
  /** What is the same before and after it. */
  readonly before: string
  readonly after: string
  readonly came: string
  readonly wanted: string
}

const TEXT_MAX = 4_000
const DIFFERENCES_MAX = 4

export function differencesOf(failing: readonly TestResult[]): TextDifference[] {
  const found = failing.flatMap(({ failure }) => {
    const [came, wanted] = [quotedText(failure?.actual), quotedText(failure?.expected)]
    return came === null || wanted === null || came === wanted ? [] : [difference(came, wanted)]
  })
  return found.slice(0, DIFFERENCES_MAX)
}

function quotedText(shown: string | null | undefined): string | null {
  const inside = /^(['"`])([\s\S]*)\1$/.exec(shown ?? '')?.[2]
  return inside === undefined || inside.length > TEXT_MAX ? null : inside
}

function difference(came: string, wanted: string): TextDifference {
  const max = Math.min(came.length, wanted.length)
  let head = 0
  while (head < max && came[head] === wanted[head]) head += 1
  let tail = 0
  while (tail < max - head && came.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1
  return {
    before: came.slice(0, head),
    after: came.slice(came.length - tail),
    came: came.slice(head, came.length - tail),
    wanted: wanted.slice(head, wanted.length - tail),
  }
}
