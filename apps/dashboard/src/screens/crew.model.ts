// An agent in words: what it is doing, and whether it is well.
import type { Agent, AgentHealth, AgentStatus } from '@treadle/contracts/agent'
import { agentNumber, type ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { timeAgo } from '@treadle/contracts/words/time'

const STATUS_WORDS: Record<AgentStatus, string> = {
  idle: 'Idle',
  working: 'Working',
  reviewing: 'Reviewing',
  ideating: 'Ideating',
  paused: 'Paused',
  stopped: 'Stopped',
  crashed: 'Crashed',
  failed: 'Failed',
}
export function statusWords(status: AgentStatus): string {
  return STATUS_WORDS[status]
}

const HEALTH_WORDS: Record<AgentHealth, string> = {
  healthy: 'Healthy',
  degraded: 'Degraded',
  unresponsive: 'Unresponsive',
}

const RUNNING: readonly AgentStatus[] = ['idle', 'working', 'reviewing', 'ideating', 'paused']

/** The signs of life of an agent; health is said only of a process that runs. */
export function signsOf(agent: Agent, now: number): string[] {
  const health = RUNNING.includes(agent.status) ? HEALTH_WORDS[agent.health] : null
  const seen = agent.lastHeartbeatAt ? `seen ${timeAgo(agent.lastHeartbeatAt, now)}` : 'not seen yet'
  return [health, pendingWords(agent), seen].filter((sign) => sign !== null)
}

/** What was ordered and has not happened yet. */
function pendingWords({ status, wanted }: Pick<Agent, 'status' | 'wanted'>): string | null {
  const running = RUNNING.includes(status)
  if (wanted === 'stopped' && running) return 'stopping'
  if (wanted === 'paused' && running && status !== 'paused') return 'pauses at the next checkpoint'
  if (wanted === 'running' && status === 'paused') return 'resuming'
  if (wanted === 'running' && (status === 'stopped' || status === 'crashed')) return 'starting'
  return null
}

export function workOf(agent: Agent, items: readonly Item[]): { ref: ItemRef; title: string | null } | null {
  const ref = agent.item
  if (!ref) return null
  const item = items.find(({ projectNumber, number }) => isSame(ref, { projectNumber, number }))
  return { ref, title: item?.title ?? null }
}

function isSame(a: ItemRef, b: ItemRef): boolean {
  return a.projectNumber === b.projectNumber && a.number === b.number
}

/** By number; the reviewer last. */
export function orderAgents(agents: readonly Agent[]): Agent[] {
  const rank = ({ id }: Agent) => agentNumber(id) ?? Number.MAX_SAFE_INTEGER
  return agents.toSorted((a, b) => rank(a) - rank(b))
}

export function crewSummary(agents: readonly Agent[]): string {
  const busy = agents.filter(
    ({ status }) => status === 'working' || status === 'reviewing' || status === 'ideating',
  )
  const down = agents.filter(({ status }) => !RUNNING.includes(status))
  const paused = agents.filter(({ status }) => status === 'paused')
  const idle = agents.length - busy.length - down.length - paused.length
  const parts = [
    [busy.length, 'busy'],
    [idle, 'idle'],
    [paused.length, 'paused'],
    [down.length, 'not running'],
  ] as const
  return parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}
