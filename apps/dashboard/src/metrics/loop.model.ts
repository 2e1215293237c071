// The health of the loop in words: does the crew keep itself busy?
import type { LoopMetrics, QueueLevel } from '@treadle/contracts/metrics'
import type { Tone } from '@treadle/contracts/words/state'
import { duration } from '@treadle/contracts/words/time'

export interface LoopFact {
  readonly id: 'queue' | 'gap' | 'completeness' | 'coverage'
  readonly name: string
  readonly value: string
  readonly tone: Tone
  /** The judgement in words, beside the colour. */
  readonly verdict: string
  /** The meaning of the figure, or why there is nothing to measure. */
  readonly meaning: string
}

const LEVELS: Readonly<
  Record<QueueLevel, { readonly verdict: string; readonly tone: Tone; readonly hint: string }>
> = {
  low: { verdict: 'low', tone: 'attention', hint: 'Add items, or agents will soon have nothing to do.' },
  healthy: { verdict: 'healthy', tone: 'good', hint: 'Enough to do for everybody.' },
  high: { verdict: 'high', tone: 'attention', hint: 'More waits than the crew gets done.' },
}

export function loopFacts(loop: LoopMetrics): LoopFact[] {
  const { queueDepth, target, level, handoffGapMs, cycleCompleteness, categoryCoverage } = loop
  const { verdict, tone, hint } = LEVELS[level]
  return [
    {
      id: 'queue',
      name: 'Queue depth',
      value: queueDepth === 1 ? '1 item' : `${queueDepth} items`,
      tone,
      verdict,
      meaning: `Items that can be claimed now; ${target.min} to ${target.max} is the aim. ${hint}`,
    },
    measured({
      id: 'gap',
      name: 'Cycle time of the loop',
      value: handoffGapMs === null ? null : duration(handoffGapMs),
      meaning: 'From the end of a delivered run to the next claim of the same agent.',
      nothing: 'No agent has claimed another item after a delivery yet.',
    }),
    measured({
      id: 'completeness',
      name: 'Cycle completeness',
      value: cycleCompleteness === null ? null : percent(cycleCompleteness),
      meaning:
        'Agents that went from executing over reviewing and ideating back to executing in the last 24 hours.',
      nothing: 'No agent has looked for new ideas in the last 30 days.',
    }),
    measured({
      id: 'coverage',
      name: 'Category coverage',
      value: categoryCoverage === null ? null : percent(categoryCoverage),
      meaning: 'Of the 21 categories, those that items of the last 30 days belong to.',
      nothing: 'No item has a category yet; a label such as category:testing gives it one.',
    }),
  ]
}

function measured(given: {
  readonly id: LoopFact['id']
  readonly name: string
  readonly value: string | null
  readonly meaning: string
  readonly nothing: string
}): LoopFact {
  const { id, name, value, meaning, nothing } = given
  if (value === null)
    return { id, name, value: '–', tone: 'plain', verdict: 'nothing to measure', meaning: nothing }
  return { id, name, value, tone: 'plain', verdict: '', meaning }
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

interface Gauge {
  /** The depth of the queue in percent of the gauge's width; `from` and `to` are the ends of the aim. */
  readonly depth: number
  readonly from: number
  readonly to: number
}

/** The gauge of the queue: the aim lies in the middle; a deeper queue fills it. */
export function gaugeOf({ queueDepth, target }: Pick<LoopMetrics, 'queueDepth' | 'target'>): Gauge {
  const whole = Math.max(1, target.min + target.max)
  const percentOf = (depth: number) => Math.min(100, (depth / whole) * 100)
  return { depth: percentOf(queueDepth), from: percentOf(target.min), to: percentOf(target.max) }
}
