// Improvements that the crew thought of itself, in words.
import type { IdeaMetrics } from '@treadle/contracts/metrics-report'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'

export interface IdeaFact {
  readonly name: string
  readonly value: string
  readonly meaning: string
}

/** Empty: the crew has not looked for any. */
export function ideaFacts(ideas: IdeaMetrics): IdeaFact[] {
  const { generated, merged, withdrawn, refused, nothing } = ideas
  if (generated + merged + withdrawn + refused + nothing === 0) return []
  return [
    {
      name: 'Made',
      value: String(generated),
      meaning: `${known(ideas.perWeekAndCategory, rounded)} a week for each category that was looked at; looking has cost ${usd(ideas.lookCostUSD)}.`,
    },
    {
      name: 'Merged',
      value: `${merged} (${share(ideas.mergedShare)})`,
      meaning: `Of those that are over; ${withdrawn} were withdrawn (${share(ideas.withdrawnShare)}).`,
    },
    {
      name: 'Refused',
      value: `${refused} (${share(ideas.refusedShare)})`,
      meaning: `Of the ideas that came. ${nothing} ${nothing === 1 ? 'answer was' : 'answers were'} that nothing is worth doing.`,
    },
    {
      name: 'Cost for a merged one',
      value: known(ideas.costPerMergedUSD, usd),
      meaning: 'Looking and building together.',
    },
    {
      name: 'Categories looked at',
      value: share(ideas.categoryCoverage),
      meaning: 'Of the 21 categories, in this period.',
    },
    {
      name: 'From work to its own work',
      value: known(ideas.circleMs, duration),
      meaning:
        "From an agent's last claim before an idea to the first claim of that idea; below 4 hours is the aim.",
    },
  ]
}

const NOTHING = '–'

function known(value: number | null, words: (value: number) => string): string {
  return value === null ? NOTHING : words(value)
}

function share(value: number | null): string {
  return value === null ? NOTHING : `${Math.round(value * 100)}%`
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}
