// An agent in words: what it is doing, and whether it is well.
import type { Agent, AgentHealth, AgentStatus } from '@treadle/contracts/agent'
import { Category } from '@treadle/contracts/categories'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { CATEGORY_TITLES } from '@treadle/contracts/words/category'
import { duration, timeAgo } from '@treadle/contracts/words/time'

const HEALTH_WORDS: Record<AgentHealth, string> = {
  healthy: 'Healthy',
  degraded: 'Degraded',
  unresponsive: 'Unresponsive',
}

const RUNNING: readonly AgentStatus[] = ['idle', 'working', 'reviewing', 'ideating', 'paused']

/** The signs of life of an agent; health is said only of a process that runs. */
export function healthWords(agent: Agent, now: number): string[] {
  const health = RUNNING.includes(agent.status) ? HEALTH_WORDS[agent.health] : null
  const seen = agent.lastHeartbeatAt ? `seen ${timeAgo(agent.lastHeartbeatAt, now)}` : 'not seen yet'
  return [health, pendingWords(agent), seen].filter((sign) => sign !== null)
}

/** True if the last error of an agent still matters: it is down, or its signs of life are bad. */
export function isTroubled({ status, health }: Pick<Agent, 'status' | 'health'>): boolean {
  return status === 'crashed' || status === 'failed' || (RUNNING.includes(status) && health !== 'healthy')
}

/** An order that has not taken effect yet, in words. */
function pendingWords({ status, wanted }: Pick<Agent, 'status' | 'wanted'>): string | null {
  const running = RUNNING.includes(status)
  if (wanted === 'stopped' && running) return 'stopping'
  if (wanted === 'paused' && running && status !== 'paused') return 'pauses at the next checkpoint'
  if (wanted === 'running' && status === 'paused') return 'resuming'
  if (wanted === 'running' && (status === 'stopped' || status === 'crashed')) return 'starting'
  return null
}

export interface Work {
  readonly ref: ItemRef
  /** The item in hand; null while the page has not read it. */
  readonly item: Item | null
  readonly review: Review | null
}

export function workOf(agent: Agent, items: readonly Item[], reviews: readonly Review[]): Work | null {
  const review =
    reviews.find(({ claimedByAgentId, status }) => claimedByAgentId === agent.id && status === 'in_review') ??
    null
  const reviewed =
    review === null ? null : { projectNumber: review.projectNumber, number: review.issueNumber }
  const ref = agent.item ?? reviewed
  if (ref === null) return null
  const item = items.find(({ projectNumber, number }) => isSame(ref, { projectNumber, number })) ?? null
  return { ref, item, review }
}

function isSame(a: ItemRef, b: ItemRef): boolean {
  return a.projectNumber === b.projectNumber && a.number === b.number
}

export interface CrewCounts {
  readonly total: number
  /** Agents with a process that is not paused. */
  readonly active: number
  readonly paused: number
  readonly stopped: number
}

export function countCrew(agents: readonly Agent[]): CrewCounts {
  const paused = agents.filter(({ status }) => status === 'paused').length
  const stopped = agents.filter(({ status }) => !RUNNING.includes(status)).length
  return { total: agents.length, active: agents.length - paused - stopped, paused, stopped }
}

export function countWords(counts: CrewCounts): string {
  return countParts(counts)
    .map(({ words }) => words)
    .join('')
}

interface CountPart {
  readonly words: string
  readonly isNobody: boolean
}

export function countParts({ total, active, paused, stopped }: CrewCounts): CountPart[] {
  const agents = total === 1 ? '1 agent' : `${total} agents`
  return [
    { words: `${agents}: ${active} active`, isNobody: false },
    { words: `, ${paused} paused`, isNobody: paused === 0 },
    { words: `, ${stopped} stopped`, isNobody: stopped === 0 },
  ]
}

export type Switch = 'pause' | 'resume' | 'start'

/** The order that a card's one button gives: the opposite of how the agent is. */
export function switchOf({ status, wanted }: Pick<Agent, 'status' | 'wanted'>): Switch {
  if (wanted === 'paused' || status === 'paused') return 'resume'
  return wanted === 'stopped' || !RUNNING.includes(status) ? 'start' : 'pause'
}

export function canStop({ status, wanted }: Pick<Agent, 'status' | 'wanted'>): boolean {
  return wanted !== 'stopped' && (RUNNING.includes(status) || wanted === 'running')
}

/** A claimed item is prepared, built, verified and delivered; what is improved is built again. */
const PHASES: Partial<Record<ItemState, { readonly number: number; readonly words: string }>> = {
  claimed: { number: 1, words: 'preparing' },
  building: { number: 2, words: 'building' },
  improving: { number: 2, words: 'improving' },
  verifying: { number: 3, words: 'verifying' },
  in_review: { number: 4, words: 'delivering' },
  merging: { number: 4, words: 'delivering' },
}
const PHASE_COUNT = 4

export interface Progress {
  readonly text: string
  readonly percent: number
}

export function progressOf(item: Item | null, review: Review | null): Progress | null {
  if (review !== null) return reviewProgress(review)
  const phase = item === null ? undefined : PHASES[item.state]
  if (item === null || phase === undefined) return null
  const percent = Math.round((100 * phase.number) / PHASE_COUNT)
  const again = item.attempts > 1 ? `, attempt ${item.attempts}` : ''
  return {
    text: `Phase ${phase.number} of ${PHASE_COUNT}, ${phase.words}${again} · ${percent}% complete`,
    percent,
  }
}

function reviewProgress({ criteria }: Review): Progress {
  const done = criteria.filter(({ status }) => status !== 'pending').length
  const percent = criteria.length === 0 ? 0 : Math.round((100 * done) / criteria.length)
  return { text: `${done} of ${criteria.length} criteria validated`, percent }
}

/** What an agent that looks for an improvement is doing; events newest first. */
export function ideatingWords(
  { id, status }: Pick<Agent, 'id' | 'status'>,
  events: readonly StoredEvent[],
): string | null {
  if (status !== 'ideating') return null
  const last = events.find(
    ({ agentId, event }) =>
      agentId === id &&
      (event.type === 'thought.claimed' || event.type === 'thought.said') &&
      isLook(event.kind),
  )
  if (last === undefined || !('subject' in last.event)) return 'Analyzing repository…'
  const category = Category.safeParse(last.event.subject)
  const named = category.success ? CATEGORY_TITLES[category.data] : last.event.subject
  return last.event.type === 'thought.said'
    ? `Writing up an improvement: ${named}…`
    : `Analyzing repository: ${named}…`
}

function isLook(kind: string): boolean {
  return kind === 'category_idea' || kind === 'category_survey'
}

/** The time since an item was claimed, in words. */
export function elapsedOf(item: Item | null, now: number): string | null {
  if (item === null || item.claimedAt === null) return null
  return duration(Math.max(0, now - Date.parse(item.claimedAt)))
}
