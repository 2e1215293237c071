// How things are: facts in, one finding for each thing that was looked at. Pure.

import type { AgentHealth, AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import type { AlertContext } from '@treadle/contracts/alert'
import type { Config } from '@treadle/contracts/config'
import { type AlertLevel, fromMicros } from '@treadle/contracts/cost'
import type { CheckHealth, CheckName } from '@treadle/contracts/health'
import { type AgentId, type ItemRef, itemLabel, type RunId } from '@treadle/contracts/ids'
import { agentSubject, type HealthAlert, type NotificationType } from '@treadle/contracts/notification'
import { spendLabel } from '@treadle/contracts/words/money'
import { judgeHealth } from '../agent-health.ts'
import { type Budget, judgeBudget, reached, THRESHOLDS } from '../spend/budget.ts'

export const LEVELS: Readonly<Record<HealthAlert, AlertLevel>> = {
  'health.queue_low': 'info',
  'health.agent_degraded': 'warning',
  'health.errors_rising': 'warning',
  'health.queue_high': 'warning',
  'health.git_changed': 'warning',
  'health.agent_unresponsive': 'error',
  'health.error_rate': 'error',
  'health.loop_stalled': 'error',
  'health.agent_stuck': 'critical',
  'health.all_crashed': 'critical',
  'health.crash_rate': 'critical',
  'health.budget_overrun': 'critical',
  'health.data_damaged': 'critical',
  'alert.stuck_task': 'warning',
  'alert.component_down': 'error',
  'alert.build_failed': 'error',
  'alert.deadlock': 'critical',
}

/** What an alert of the monitor says beside its words. */
export interface AlertFact {
  readonly item: ItemRef | null
  readonly runId: RunId | null
  readonly source: string
  readonly context: AlertContext
}

interface AlertKey {
  readonly type: NotificationType
  readonly subject: string
}

export interface Finding {
  readonly check: CheckName
  /** Also that of the alert. */
  readonly subject: string
  readonly agentId: AgentId | null
  readonly health: CheckHealth
  readonly text: string
  readonly alert: HealthAlert | null
  /** What an alert says below its title: what is known that may help. */
  readonly details: readonly string[]
  /** What does not hold any more, if it did. */
  readonly over: readonly AlertKey[]
  /** Of an alert of the monitor. */
  readonly fact?: AlertFact
}

export interface AgentHealthFacts {
  readonly id: AgentId
  readonly status: AgentStatus
  readonly wanted: AgentWanted
  readonly phase: string | null
  readonly item: ItemRef | null
  readonly lastHeartbeatAt: string | null
  readonly startedAt: string | null
  readonly lastError: string | null
  /** For an answer of a person, or the end of a limit of use. */
  readonly waits: boolean
  readonly progressAt: Date | null
  /** Within the last hour. */
  readonly errors: number
  readonly crashes: number
}

type Limits = Pick<Config['limits'], 'degradedMs' | 'unresponsiveMs'>
type Thresholds = Config['monitoring']

function finding(
  check: CheckName,
  subject: string,
  judged: Omit<Finding, 'check' | 'subject' | 'over' | 'details'> & { readonly details?: readonly string[] },
  all: readonly HealthAlert[],
): Finding {
  const over = all.filter((type) => type !== judged.alert).map((type) => ({ type, subject }))
  return { details: [], ...judged, check, subject, over }
}

const RESPONSE: readonly HealthAlert[] = ['health.agent_degraded', 'health.agent_unresponsive']
const RESPONSE_ALERT: Readonly<Record<AgentHealth, HealthAlert | null>> = {
  healthy: null,
  degraded: 'health.agent_degraded',
  unresponsive: 'health.agent_unresponsive',
}

/** Who is told to be quiet is not sick, and who has just been started need not have said anything yet. */
export function judgeResponse(agent: AgentHealthFacts, now: number, limits: Limits): Finding {
  const { id, status, wanted, lastHeartbeatAt, startedAt, lastError } = agent
  const subject = agentSubject(id)
  const known = (health: AgentHealth, text: string, details: readonly string[] = []) =>
    finding(
      'responsiveness',
      subject,
      { agentId: id, health, text, details, alert: RESPONSE_ALERT[health] },
      RESPONSE,
    )
  if (wanted !== 'running') return known('healthy', `${id} is ${wanted}`)
  if (status === 'failed')
    return known('unresponsive', `${id} was given up and is not started again`, errorLines(lastError))
  const sign = Math.max(timeOf(lastHeartbeatAt), timeOf(startedAt))
  // A crash is told as such; only one that stays down is silent.
  const health = judgeHealth({ now, status: 'idle', lastHeartbeatAt: sign === 0 ? null : sign, limits })
  if (health === 'healthy') return known('healthy', `${id} gives signs of life`)
  return known(health, `${id} has given no sign of life${health === 'degraded' ? ' for a while' : ''}`, [
    ...(sign === 0 ? [] : [`The last one was at ${new Date(sign).toISOString()}.`]),
    doingLine(agent),
    ...errorLines(lastError),
  ])
}

const ERRORS: readonly HealthAlert[] = ['health.errors_rising', 'health.error_rate']

export function judgeErrors(agent: AgentHealthFacts, thresholds: Thresholds): Finding {
  const { id, errors, crashes, lastError } = agent
  const { errorsDegraded, errorsCritical } = thresholds
  const critical = errors > errorsCritical
  const rising = errors >= errorsDegraded
  const count = `${errors} ${errors === 1 ? 'error' : 'errors'} within the last hour`
  const details = [...(crashes === 0 ? [] : [`${crashes} of them crashes.`]), ...errorLines(lastError)]
  const text = `${id} had ${count}`
  const well = { agentId: id, health: 'healthy', text, alert: null } as const
  if (agent.wanted !== 'running' || !rising) return finding('error_rate', agentSubject(id), well, ERRORS)
  const judged = critical
    ? ({ health: 'critical', alert: 'health.error_rate' } as const)
    : ({ health: 'degraded', alert: 'health.errors_rising' } as const)
  return finding('error_rate', agentSubject(id), { ...judged, agentId: id, text, details }, ERRORS)
}

const STUCK: readonly HealthAlert[] = ['health.agent_stuck']
const AT_WORK: ReadonlySet<AgentStatus> = new Set(['working', 'reviewing', 'ideating'])

/** It lives, is at work, waits for nobody, and nothing has come of it for too long. Who is idle is never stuck. */
export function judgeStuck(agent: AgentHealthFacts, now: number, { stuckMs }: Thresholds): Finding {
  const { id, status, wanted, waits } = agent
  const since = Math.max(agent.progressAt?.getTime() ?? 0, timeOf(agent.startedAt))
  const works = wanted === 'running' && AT_WORK.has(status)
  const stuck = works && !waits && since > 0 && now - since > stuckMs
  const well = waits ? `${id} waits for an answer` : `${id} ${works ? 'makes progress' : `is ${status}`}`
  return finding(
    'stuck',
    agentSubject(id),
    stuck
      ? {
          agentId: id,
          health: 'stuck',
          text: `${id} is stuck: it is ${status} and makes no progress`,
          alert: 'health.agent_stuck',
          details: [
            doingLine(agent),
            `The last that was recorded of it was at ${new Date(since).toISOString()}.`,
            ...errorLines(agent.lastError),
          ],
        }
      : { agentId: id, health: 'healthy', text: well, alert: null },
    STUCK,
  )
}

const QUEUE: readonly HealthAlert[] = ['health.queue_low', 'health.queue_high']

/** Nobody is told of a low queue while nobody is there to work on it. */
export function judgeQueue(
  { queued, works }: { readonly queued: number; readonly works: boolean },
  { queueLow, queueHigh }: Thresholds,
): Finding {
  const aim = `${queueLow} to ${queueHigh} are the aim.`
  // Without a number: an alert stands for a while, and the queue moves.
  const low = queued < queueLow
  const high = queued > queueHigh
  const wait = queued === 1 ? '1 item waits' : `${queued} items wait`
  const judged = (health: CheckHealth, text: string, alert: HealthAlert | null) =>
    finding('queue', 'queue', { agentId: null, health, text, alert, details: [aim] }, QUEUE)
  if (low)
    return judged(
      'low',
      `The queue is low: fewer than ${queueLow} items wait`,
      works ? 'health.queue_low' : null,
    )
  if (high) return judged('high', `The queue is high: more than ${queueHigh} items wait`, 'health.queue_high')
  const well = judged('healthy', `${wait} in the queue`, null)
  // At the very edge an alert stays as it is, so that it does not come and go with each item.
  const edge = [
    ...(queued === queueLow ? ['health.queue_low'] : []),
    ...(queued === queueHigh ? ['health.queue_high'] : []),
  ]
  return { ...well, over: well.over.filter(({ type }) => !edge.includes(type)) }
}

/** What a threshold tells when it is reached is over when it is not reached any more: a new day, a higher limit. */
export function judgeMoney(budget: Budget, { overrunPercent }: Thresholds): Finding {
  const { period, spent, limit } = budget
  const subject = `budget ${period}`
  const overrun = spent * 100 > limit * overrunPercent
  const label = spendLabel(fromMicros(spent), fromMicros(limit))
  const crossed = reached(budget)
  const judged = finding(
    'budget',
    subject,
    {
      agentId: null,
      health: judgeBudget(budget),
      text: overrun
        ? `More than ${overrunPercent}% of the ${period} budget is spent: ${label}`
        : `${label} of the ${period} budget is spent`,
      alert: overrun ? 'health.budget_overrun' : null,
    },
    ['health.budget_overrun'],
  )
  // A call that was refused crosses the last one before the money is spent.
  const stands = (percent: number) =>
    crossed.some((threshold) => threshold.percent === percent) || (percent === 100 && budget.refused)
  const over = THRESHOLDS.filter(({ percent }) => !stands(percent)).map(({ percent }) => ({
    type: 'budget.crossed' as const,
    subject: `budget ${period} ${percent}`,
  }))
  return { ...judged, over: [...judged.over, ...over] }
}

const CREW: readonly HealthAlert[] = ['health.all_crashed', 'health.crash_rate']
/** Longer than it takes to start one again after a crash or two. */
const DOWN_MS = 10_000
/** One agent that fell over once says nothing about the crew. */
const CRASHES_MIN = 3

export function judgeCrew(agents: readonly AgentHealthFacts[], now: number, thresholds: Thresholds): Finding {
  const wanted = agents.filter(({ wanted: w }) => w === 'running')
  const down = wanted.filter((agent) => isDown(agent, now))
  const fallen = wanted.filter(({ status, crashes }) => status === 'failed' || crashes > 0)
  const crashes = wanted.reduce((sum, agent) => sum + agent.crashes, 0)
  const many = crashes >= CRASHES_MIN && fallen.length * 100 > wanted.length * thresholds.crashPercent
  const details = fallen.flatMap(({ id, lastError }) => errorLines(lastError).map((line) => `${id}: ${line}`))
  const judged = (health: CheckHealth, text: string, alert: HealthAlert | null) =>
    finding('crew', 'crew', { agentId: null, health, text, alert, details }, CREW)
  if (wanted.length > 0 && down.length === wanted.length)
    return judged('critical', `All agents have crashed: ${namesOf(down)}`, 'health.all_crashed')
  if (many) {
    const who = `${fallen.length} of ${wanted.length} running agents crashed`
    return judged('critical', `${who} within the last hour, ${crashes} times in all`, 'health.crash_rate')
  }
  const up = wanted.length - down.length
  return judged('healthy', `${up} of ${wanted.length} agents that are to run do`, null)
}

function isDown({ status, lastHeartbeatAt }: AgentHealthFacts, now: number): boolean {
  return status === 'failed' || (status === 'crashed' && now - timeOf(lastHeartbeatAt) > DOWN_MS)
}

export interface LoopFacts {
  readonly queued: number
  readonly held: number
  readonly movedAt: Date | null
  readonly startedAt: Date
  /** Why nothing is claimed at present. */
  readonly holds: readonly string[]
  readonly agents: readonly AgentHealthFacts[]
}

/** There is work and somebody to do it, and for too long nothing has been recorded of any item. */
export function judgeLoop(facts: LoopFacts, now: number, { stallMs }: Thresholds): Finding {
  const { queued, held, movedAt, startedAt, agents, holds } = facts
  const works = agents.filter(({ wanted, waits }) => wanted === 'running' && !waits)
  const since = Math.max(movedAt?.getTime() ?? 0, startedAt.getTime())
  const stalled = works.length > 0 && queued + held > 0 && now - since > stallMs
  return finding(
    'loop',
    'loop',
    stalled
      ? {
          agentId: null,
          health: 'stalled',
          text: 'Nothing moves any more, and work waits',
          alert: 'health.loop_stalled',
          details: [
            `Nothing was recorded of any item since ${new Date(since).toISOString()}.`,
            `${queued} items can be claimed, ${held} are in hand.`,
            ...holds.map((hold) => `Nothing new is claimed: ${hold}.`),
            ...agents.map(doingLine),
          ],
        }
      : {
          agentId: null,
          health: 'healthy',
          text: queued + held === 0 ? 'There is nothing to do' : 'Work moves on',
          alert: null,
        },
    ['health.loop_stalled'],
  )
}

/** What of that which is kept cannot be read. */
export function judgeData(damaged: readonly string[]): Finding {
  return finding(
    'data',
    'data',
    {
      agentId: null,
      health: damaged.length === 0 ? 'healthy' : 'critical',
      text:
        damaged.length === 0 ? 'Session files can be read' : `What is kept is damaged: ${damaged.join('; ')}`,
      alert: damaged.length === 0 ? null : 'health.data_damaged',
    },
    ['health.data_damaged'],
  )
}

/** A change of the repository's git configuration since the last start: nothing of it runs in our commands. */
export function judgeGit(changes: readonly string[]): Finding {
  const changed = changes.length > 0
  return finding(
    'git',
    'git',
    {
      agentId: null,
      health: changed ? 'warning' : 'healthy',
      text: changed
        ? `The git configuration of the repository has changed: ${changes.join(', ').slice(0, 2_000)}`
        : 'The git configuration is as it was at the start',
      alert: changed ? 'health.git_changed' : null,
      details: changed ? ["Treadle's own git commands run nothing of it. Yours do."] : [],
    },
    ['health.git_changed'],
  )
}

function timeOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at)
}

function doingLine({ id, status, phase, item, progressAt }: AgentHealthFacts): string {
  const at = item === null ? 'with no item' : `on ${itemLabel(item)}${phase === null ? '' : `, ${phase}`}`
  const last = progressAt === null ? '' : `; last heard of at ${progressAt.toISOString()}`
  return `${id} is ${status} ${at}${last}.`
}

function errorLines(lastError: string | null): string[] {
  return lastError === null ? [] : [`Its last error: ${lastError}`]
}

function namesOf(agents: readonly AgentHealthFacts[]): string {
  return agents.map(({ id }) => id).join(', ')
}
