// The figures of an agent in words: what each is called, what it means, and how it reads.
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentMetrics } from '@treadle/contracts/metrics'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'

export interface Figure {
  readonly id: string
  readonly name: string
  /** The meaning of the figure, for whoever does not know its name. */
  readonly meaning: string
  readonly of: (agent: AgentMetrics) => number | null
  readonly words: (value: number) => string
  /** The better direction; null if neither is. */
  readonly better: 'more' | 'less' | null
  /** True for a figure made from items that are done: too few of them say nothing. */
  readonly perItem: boolean
}

const count = (value: number) => String(value)
const decimal = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2))
const percent = (value: number) => `${Math.round(value * 100)}%`

const COMPLETED: readonly Figure[] = [
  {
    id: 'completed',
    name: 'Completed',
    meaning: 'Items that are done: merged, or delivered where nothing is merged. For a reviewer, reviews.',
    of: ({ tasksCompleted }) => tasksCompleted.inPeriod,
    words: count,
    better: 'more',
    perItem: false,
  },
  {
    id: 'last24h',
    name: 'Completed, 24 hours',
    meaning: 'In the last 24 hours, whatever the period.',
    of: ({ tasksCompleted }) => tasksCompleted.last24h,
    words: count,
    better: null,
    perItem: false,
  },
  {
    id: 'last7d',
    name: 'Completed, 7 days',
    meaning: 'In the last 7 days, whatever the period.',
    of: ({ tasksCompleted }) => tasksCompleted.last7d,
    words: count,
    better: null,
    perItem: false,
  },
  {
    id: 'total',
    name: 'Completed in total',
    meaning: 'Since the agent began, or since it was last reset.',
    of: ({ tasksCompleted }) => tasksCompleted.total,
    words: count,
    better: null,
    perItem: false,
  },
  {
    id: 'perDay',
    name: 'Completed a day',
    meaning: 'Completed in the period, for each day of it.',
    of: ({ completedPerDay }) => completedPerDay,
    words: decimal,
    better: 'more',
    perItem: false,
  },
]

const QUALITY: readonly Figure[] = [
  {
    id: 'cycle',
    name: 'Average cycle time',
    meaning: 'From the claim of an item to its completion.',
    of: ({ averageCycleMs }) => averageCycleMs,
    words: duration,
    better: 'less',
    perItem: true,
  },
  {
    id: 'reviewPass',
    name: 'Review pass rate',
    meaning: 'Items approved by their first review.',
    of: ({ reviewPassRate }) => reviewPassRate,
    words: percent,
    better: 'more',
    perItem: true,
  },
  {
    id: 'reviews',
    name: 'Reviews per item',
    meaning: 'Reviews that a completed item has taken.',
    of: ({ reviewsPerItem }) => reviewsPerItem,
    words: decimal,
    better: 'less',
    perItem: true,
  },
  {
    id: 'firstPass',
    name: 'First-pass success',
    meaning: 'Runs whose first attempt held, of all with a retrospective.',
    of: ({ firstPassSuccess }) => firstPassSuccess,
    words: percent,
    better: 'more',
    perItem: true,
  },
  {
    id: 'mergePass',
    name: 'Merge pass rate',
    meaning: 'Merges whose tests held, of all that were tested.',
    of: ({ mergePassRate }) => mergePassRate,
    words: percent,
    better: 'more',
    perItem: true,
  },
  {
    id: 'errorsPerItem',
    name: 'Errors per item',
    meaning: 'Errors for each item that it had in hand.',
    of: ({ errorsPerItem }) => errorsPerItem,
    words: decimal,
    better: 'less',
    perItem: true,
  },
]

const EFFORT: readonly Figure[] = [
  {
    id: 'costPerItem',
    name: 'Cost per item, in total',
    meaning: 'What an item that was completed in the period has cost from its first day on.',
    of: ({ costPerItemUSD }) => costPerItemUSD,
    words: usd,
    better: 'less',
    perItem: true,
  },
  {
    id: 'cost',
    name: 'Cost in the period',
    meaning: 'What was spent in the period.',
    of: ({ costUSD }) => costUSD,
    words: usd,
    better: null,
    perItem: false,
  },
  {
    id: 'uptime',
    name: 'Time working',
    meaning: 'Working, reviewing or ideating, of all time since it was measured.',
    of: ({ uptime }) => uptime,
    words: percent,
    better: 'more',
    perItem: false,
  },
  {
    id: 'errors',
    name: 'Errors',
    meaning: 'Runs that failed through its own fault, and crashes.',
    of: ({ errors }) => errors,
    words: count,
    better: null,
    perItem: false,
  },
  {
    id: 'crashes',
    name: 'Crashes',
    meaning: 'Times its process ended without being told to.',
    of: ({ crashes }) => crashes,
    words: count,
    better: 'less',
    perItem: false,
  },
]

/** Everything that is measured of an agent. */
export const FIGURES: readonly Figure[] = [...COMPLETED, ...QUALITY, ...EFFORT]

/** Figures by which agents are compared. */
export const COMPARED: readonly Figure[] = FIGURES.filter(
  ({ id }) => !['last24h', 'last7d', 'errors'].includes(id),
)

const NOTHING = '–'

export function figureWords({ of, words }: Figure, agent: AgentMetrics): string {
  const value = of(agent)
  return value === null ? NOTHING : words(value)
}

/** Words that set an agent apart from those that build in this crew. */
export function apartWords(
  { agentId, role }: Pick<AgentMetrics, 'agentId' | 'role'>,
  crew: CrewIds,
): string[] {
  return [
    ...(role === 'review' ? ['reviewer'] : []),
    // Of an agent outside the crew, only what was paid or done in its name is known.
    ...(crew.has(agentId) ? [] : ['not in the crew']),
  ]
}

export type CrewIds = ReadonlySet<AgentId>
