// An agent's figures held against the others of its kind.
import type { AgentMetrics } from '@treadle/contracts/metrics'
import type { Tone } from '@treadle/contracts/words/state'
import type { Figure } from './figures.model.ts'

type Verdict = 'better' | 'same' | 'worse' | 'unclear'

/** The margin around the median within which two agents do about the same. */
const SAME = 0.1
/** Items that a comparison needs: fewer may be luck. */
const ITEMS_MIN = 2
/** Agents that a comparison needs. */
const PEERS_MIN = 2

interface JudgeFacts {
  readonly value: number
  /** The figures of all agents of the same kind, its own among them. */
  readonly peers: readonly number[]
  readonly better: 'more' | 'less'
}

export function judgeFigure({ value, peers, better }: JudgeFacts): Verdict {
  if (peers.length < PEERS_MIN) return 'unclear'
  const middle = median(peers)
  if (Math.abs(value - middle) <= Math.abs(middle) * SAME) return 'same'
  return value > middle === (better === 'more') ? 'better' : 'worse'
}

/** A verdict on one figure; null if neither direction is the better one. */
export function judgeAgent(
  figure: Figure,
  agent: AgentMetrics,
  all: readonly AgentMetrics[],
): Verdict | null {
  if (figure.better === null) return null
  const value = toldOf(figure, agent)
  if (value === null) return 'unclear'
  const peers = all.filter(({ role }) => role === agent.role).map((peer) => toldOf(figure, peer))
  return judgeFigure({ value, peers: peers.filter((peer) => peer !== null), better: figure.better })
}

/** An agent's value of a figure, if there is enough behind it. */
function toldOf({ of, perItem }: Figure, agent: AgentMetrics): number | null {
  return perItem && agent.tasksCompleted.inPeriod < ITEMS_MIN ? null : of(agent)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const above = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] ?? 0) + above) / 2
}

export const VERDICTS: Readonly<
  Record<Verdict, { readonly sign: string; readonly words: string; readonly tone: Tone }>
> = {
  better: { sign: '▲', words: 'better', tone: 'good' },
  same: { sign: '=', words: 'about the same', tone: 'plain' },
  worse: { sign: '▼', words: 'worse', tone: 'attention' },
  unclear: { sign: '', words: 'too little to say', tone: 'plain' },
}
