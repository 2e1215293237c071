// What the monitor looks at: tasks at work for too long, components without a sign of life, and waiting in a circle. Pure.
import type { Build } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { CheckHealth, CheckName } from '@treadle/contracts/health'
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { agentSubject, type MonitorAlert } from '@treadle/contracts/notification'
import { itemSubject } from '../notify/words.ts'
import type { AlertFact, Finding } from './judge.ts'

type Thresholds = Config['monitoring']

const MINUTE_MS = 60_000
const MONITOR = 'monitor'

/** A task: an item that was made of one of a specification. Any other item may rightly take a day. */
export function isTask({ specTask }: Pick<Item, 'specTask'>): boolean {
  return specTask !== null
}

export interface WatchedTask {
  readonly item: Pick<
    Item,
    'projectNumber' | 'number' | 'title' | 'phase' | 'fence' | 'runId' | 'claimedByAgentId'
  >
  /** From when its time at work counts. */
  readonly since: Date
  /** For an answer, the end of a limit of use, or because its agent is paused: its clock stands still. */
  readonly waits: boolean
}

/** How long a task of a phase may be at work. */
export function stuckAfterMs(
  phase: string | null,
  { taskDatabaseMs, taskTestsMs, taskMs }: Thresholds,
): number {
  if (phase === 'database') return taskDatabaseMs
  return phase === 'tests' ? taskTestsMs : taskMs
}

interface Looked<Facts> {
  readonly facts: readonly Facts[]
  /** Subjects of the alerts of this kind that are not over. */
  readonly standing: readonly string[]
  readonly now: number
}

export function judgeTasks({ facts, standing, now }: Looked<WatchedTask>, thresholds: Thresholds): Finding[] {
  const stuck = facts.filter(
    ({ item, since, waits }) =>
      !waits &&
      now - since.getTime() > stuckAfterMs(item.phase, thresholds) &&
      item.claimedByAgentId !== null,
  )
  const found = stuck.map(({ item, since }) => {
    const { projectNumber, number, title, phase, fence, runId, claimedByAgentId } = item
    const duration = now - since.getTime()
    return alerting('tasks', {
      alert: 'alert.stuck_task',
      subject: itemSubject(item),
      health: 'stuck',
      text: `Task ${itemLabel(item)} stuck for ${Math.floor(duration / MINUTE_MS)} min`,
      details: [
        title,
        `${claimedByAgentId ?? 'An agent'} has been at work on it since ${since.toISOString()}.`,
      ],
      fact: {
        item: { projectNumber, number },
        runId,
        source: claimedByAgentId ?? MONITOR,
        context: { task_id: `${projectNumber}/${number}`, duration, phase, fence },
      },
    })
  })
  const well = `${facts.length === 1 ? '1 task is' : `${facts.length} tasks are`} at work`
  return withRest(found, { check: 'tasks', alert: 'alert.stuck_task', well, standing })
}

export interface WatchedComponent {
  readonly component: AgentId
  readonly lastHeartbeat: string | null
  /** Before that nothing could be expected of it. */
  readonly since: Date
}

export function judgeComponents(
  { facts, standing, now }: Looked<WatchedComponent>,
  { componentMs }: Pick<Thresholds, 'componentMs'>,
): Finding[] {
  const down = facts.filter(({ lastHeartbeat, since }) => {
    const sign = Math.max(lastHeartbeat === null ? 0 : Date.parse(lastHeartbeat), since.getTime())
    return now - sign > componentMs
  })
  const found = down.map(({ component, lastHeartbeat }) =>
    alerting('components', {
      alert: 'alert.component_down',
      subject: agentSubject(component),
      health: 'unresponsive',
      text: `Component ${component} not responding`,
      details: [
        lastHeartbeat === null
          ? 'It has never given a sign of life.'
          : `Its last sign of life was at ${lastHeartbeat}.`,
      ],
      fact: {
        item: null,
        runId: null,
        source: MONITOR,
        context: { component, last_heartbeat: lastHeartbeat },
      },
    }),
  )
  const well = `${facts.length - down.length} of ${facts.length} components give signs of life`
  return withRest(found, { check: 'components', alert: 'alert.component_down', well, standing })
}

const SUBJECT_MAX = 200

export function judgeDeadlocks({
  facts,
  standing,
}: Pick<Looked<readonly string[]>, 'facts' | 'standing'>): Finding[] {
  const found = facts.map((cycle) =>
    alerting('deadlocks', {
      alert: 'alert.deadlock',
      subject: `deadlock ${cycle.length} ${cycle.join(' ')}`.slice(0, SUBJECT_MAX).trim(),
      health: 'critical',
      text: `Deadlock detected: ${[...cycle, ...cycle.slice(0, 1)].join(' -> ')}`,
      details: ['Each of them waits for the next, and none can go on.'],
      fact: { item: null, runId: null, source: MONITOR, context: { cycle: [...cycle] } },
    }),
  )
  return withRest(found, {
    check: 'deadlocks',
    alert: 'alert.deadlock',
    well: 'Nobody waits in a circle',
    standing,
  })
}

/** A build that failed so long ago is history. */
const FAILED_MS = 24 * 60 * MINUTE_MS

export function judgeBuilds({ facts, standing, now }: Looked<Build>): Finding[] {
  const failed = facts.filter(
    ({ status, completedAt, startedAt }) =>
      status === 'failed' && now - Date.parse(completedAt ?? startedAt) < FAILED_MS,
  )
  const found = failed.map(({ id, spec, projectNumber, delivery, why }) =>
    alerting('builds', {
      alert: 'alert.build_failed',
      subject: `build ${id}`,
      health: 'critical',
      text: `The build of ${spec} failed`,
      details: why === null ? [] : [why],
      fact: {
        item: delivery === null ? null : { projectNumber, number: delivery },
        runId: null,
        source: MONITOR,
        context: { build: id, why: why ?? 'no reason was given' },
      },
    }),
  )
  const well = 'No build has failed within a day'
  return withRest(found, { check: 'builds', alert: 'alert.build_failed', well, standing })
}

interface Alerting extends Pick<Finding, 'subject' | 'text' | 'details'> {
  readonly alert: MonitorAlert
  readonly health: CheckHealth
  readonly fact: AlertFact
}

function alerting(check: CheckName, told: Alerting): Finding {
  return { check, agentId: null, over: [], ...told }
}

/** What was told before and is not found any more is over; where nothing is found, that is said. */
function withRest(
  found: readonly Finding[],
  rest: {
    readonly check: CheckName
    readonly alert: MonitorAlert
    readonly well: string
    readonly standing: readonly string[]
  },
): Finding[] {
  const { check, alert: type, well, standing } = rest
  const subjects = new Set(found.map(({ subject }) => subject))
  const over = standing.filter((subject) => !subjects.has(subject)).map((subject) => ({ type, subject }))
  const summary: Finding = {
    check,
    subject: check,
    agentId: null,
    health: 'healthy',
    text: well,
    alert: null,
    details: [],
    over,
  }
  return found.length > 0 && over.length === 0 ? [...found] : [...found, summary]
}
