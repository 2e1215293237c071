// Alerts as the reader meets them: the gravest first, each with what can be done.
import type { Agent } from '@treadle/contracts/agent'
import type { Config } from '@treadle/contracts/config'
import type { AlertLevel } from '@treadle/contracts/cost'
import type { AlertNoise, HealthCheck } from '@treadle/contracts/health'
import {
  ALERT_TYPES,
  agentAbout,
  HealthAlert,
  isAtLeast,
  type Notification,
  type NotificationType,
  needsDecision,
} from '@treadle/contracts/notification'
import type { EngineCooldown } from '@treadle/contracts/routes/system'
import type { Tone } from '@treadle/contracts/words/state'
import { duration } from '@treadle/contracts/words/time'
import type { Route } from '../parts/route.model.ts'
import { DAYS, QUEUE } from '../parts/route.model.ts'

export const LEVEL: Record<AlertLevel, { readonly words: string; readonly tone: Tone }> = {
  info: { words: 'Info', tone: 'busy' },
  warning: { words: 'Warning', tone: 'attention' },
  error: { words: 'Error', tone: 'bad' },
  critical: { words: 'Critical', tone: 'bad' },
}
const WORST_FIRST: readonly AlertLevel[] = ['critical', 'error', 'warning', 'info']

/** Alerts with the gravest first, of those the newest. */
export function orderAlerts(alerts: readonly Notification[]): Notification[] {
  const rank = ({ level }: Notification) => WORST_FIRST.indexOf(level)
  return alerts.toSorted(
    (one, other) => rank(one) - rank(other) || Date.parse(other.updatedAt) - Date.parse(one.updatedAt),
  )
}

const RESTARTS: ReadonlySet<NotificationType> = new Set([
  'health.agent_stuck',
  'health.agent_unresponsive',
  'health.error_rate',
  'alert.component_down',
])

/** The agent that it would help to start again; null where that is no remedy, or the agent is gone. */
export function toRestart(alert: Notification, agents: readonly Agent[]): Agent | null {
  const id = RESTARTS.has(alert.type) && alert.resolvedAt === null ? agentAbout(alert) : null
  return agents.find((agent) => agent.id === id && agent.wanted !== 'stopped') ?? null
}

/** The screen that shows what an alert is about. */
export function alertTarget(alert: Notification): { readonly route: Route; readonly words: string } {
  if (alert.type.startsWith('question.')) return { route: QUEUE, words: 'Answer' }
  if (alert.item !== null)
    return alert.type === 'review.waiting'
      ? { route: { is: 'review', item: alert.item }, words: 'Review' }
      : { route: { is: 'item', item: alert.item }, words: 'Open the item' }
  const agentId = agentAbout(alert)
  if (agentId !== null) return { route: { is: 'activity', agentId }, words: `What ${agentId} did` }
  if (alert.type.startsWith('health.queue')) return { route: { is: 'work' }, words: 'See the board' }
  if (alert.subject.startsWith('budget'))
    return { route: { is: 'costs', days: DAYS }, words: 'See the costs' }
  return { route: { is: 'health' }, words: 'See the health' }
}

export function alertsIn(told: readonly Notification[]): Notification[] {
  return told.filter(({ type }) => ALERT_TYPES.includes(type))
}

/** Toasts are messages of the editor's own: for what is grave, what needs a decision, and every step of a budget. */
export function isToast(told: Pick<Notification, 'level' | 'type' | 'blocking'>): boolean {
  return isAtLeast(told.level, 'warning') || needsDecision(told) || told.type === 'budget.crossed'
}

/** An alert's fate: it stands, somebody has seen it, or it is over by itself. */
export function alertOutcome(alert: Notification, now: number): string {
  const { updatedAt, resolvedAt, acknowledgedAt, acknowledgedBy } = alert
  const began = Date.parse(updatedAt)
  const seen = acknowledgedAt !== null && acknowledgedBy !== 'treadle' ? `seen by ${acknowledgedBy}` : null
  if (resolvedAt !== null) {
    const over = `over after ${duration(Math.max(0, Date.parse(resolvedAt) - began))}`
    return seen === null ? over : `${over}, ${seen}`
  }
  const stands = HealthAlert.safeParse(alert.type).success || alert.type === 'budget.crossed'
  if (seen !== null) return stands ? `lasts, ${seen}` : seen
  return stands ? `ongoing for ${duration(Math.max(0, now - began))}` : 'not seen yet'
}

export interface Threshold {
  readonly name: string
  readonly words: string
  readonly setting: string
}

/** An engine that rests, in a sentence. */
export function cooldownLine({ engine, until, why, triesOne = false }: EngineCooldown, now: number): string {
  const left = duration(Math.max(0, Date.parse(until) - now))
  return `The engine ${engine} is resting for another ${left}${triesOne ? ', then tries one' : ''}: ${why}`
}

/** Thresholds as they are now, each with the setting that moves it. */
export function thresholdsOf({ limits, monitoring }: Pick<Config, 'limits' | 'monitoring'>): Threshold[] {
  const { errorsDegraded, errorsCritical, queueLow, queueHigh } = monitoring
  return [
    {
      name: 'Heartbeat',
      words: `degraded after ${duration(limits.degradedMs)}, unresponsive after ${duration(limits.unresponsiveMs)}`,
      setting: 'limits.degradedMs, limits.unresponsiveMs',
    },
    {
      name: 'Errors within an hour',
      words: `degraded from ${errorsDegraded} on, critical above ${errorsCritical}`,
      setting: 'monitoring.errorsDegraded, monitoring.errorsCritical',
    },
    {
      name: 'No progress',
      words: `stuck after ${duration(monitoring.stuckMs)}`,
      setting: 'monitoring.stuckMs',
    },
    {
      name: 'No progress anywhere',
      words: `stalled after ${duration(monitoring.stallMs)}`,
      setting: 'monitoring.stallMs',
    },
    {
      name: 'Task at work',
      words: `stuck after ${duration(monitoring.taskDatabaseMs)} (database), ${duration(monitoring.taskTestsMs)} (tests), else ${duration(monitoring.taskMs)}`,
      setting: 'monitoring.taskDatabaseMs, monitoring.taskTestsMs, monitoring.taskMs',
    },
    {
      name: 'Component',
      words: `down after ${duration(monitoring.componentMs)} without a sign of life`,
      setting: 'monitoring.componentMs, monitoring.components',
    },
    {
      name: 'Queue',
      words: `low below ${queueLow}, high above ${queueHigh}`,
      setting: 'monitoring.queueLow, monitoring.queueHigh',
    },
    {
      name: 'Budget left',
      words: 'warning at 50% or less, critical below 25%',
      setting: 'agents.dailyBudgetUSD, agents.monthlyBudgetUSD',
    },
    {
      name: 'Budget overrun',
      words: `critical above ${monitoring.overrunPercent}%`,
      setting: 'monitoring.overrunPercent',
    },
    {
      name: 'Agents that crashed within an hour',
      words: `critical above ${monitoring.crashPercent}%`,
      setting: 'monitoring.crashPercent',
    },
  ]
}

export const HEALTH_TONES: Record<HealthCheck['health'], Tone> = {
  healthy: 'good',
  low: 'busy',
  high: 'attention',
  warning: 'attention',
  degraded: 'attention',
  unresponsive: 'bad',
  stuck: 'bad',
  stalled: 'bad',
  critical: 'bad',
}

export const CHECK_WORDS: Record<HealthCheck['check'], string> = {
  responsiveness: 'Heartbeat',
  error_rate: 'Errors',
  stuck: 'Progress',
  queue: 'Queue',
  budget: 'Budget',
  crew: 'Crew',
  loop: 'Flow of work',
  data: 'Files',
  git: 'Git configuration',
  tasks: 'Tasks',
  components: 'Components',
  deadlocks: 'Waiting in a circle',
  builds: 'Builds',
}

/** Kinds of alert that mostly go away by themselves: their threshold may be too tight. */
export function noisy(noise: readonly AlertNoise[]): string[] {
  return noise
    .filter(({ raised, brief }) => raised >= 4 && brief * 2 > raised)
    .map(
      ({ type, raised, brief }) =>
        `${brief} of ${raised} alerts “${type.replace(/^(?:health|alert)\./, '').replaceAll('_', ' ')}” of the last 7 days cleared by themselves within two checks. Its threshold may be too tight.`,
    )
}
