import { CheckName } from '@treadle/contracts/health'
import { HealthAlert, type Notification, type NotificationType } from '@treadle/contracts/notification'
import { alertDecision, DECISION_TEMPLATE } from '@treadle/contracts/question'
import { withdrawQuestion } from '../../ask/settle.run.ts'
import { isWaiting, WAIT_EVENTS } from '../../ask/waiting.ts'
import { messageOf } from '../../fault.ts'
import type { AgentRow } from '../../ports/agents.ts'
import type { AgentHealthCounts } from '../../ports/health.ts'
import { append, tell } from '../notify/notify.run.ts'
import { runBudgets } from '../spend/spend.run.ts'
import { type AlertChoice, decideAlerts, NOBODY } from './decide.ts'
import type { HealthWorld } from './health-world.ts'
import {
  type AgentHealthFacts,
  type Finding,
  judgeCrew,
  judgeData,
  judgeErrors,
  judgeGit,
  judgeLoop,
  judgeMoney,
  judgeQueue,
  judgeResponse,
  judgeStuck,
} from './judge.ts'
import { lookAtBuilds, lookAtComponents, lookAtTasks, lookForDeadlocks } from './monitor-facts.run.ts'
import { askAgain, publishAlert } from './tell-alert.run.ts'
import { alertOf } from './words.ts'

export interface HealthCheckResult {
  readonly found: readonly Finding[]
  readonly skipped: readonly { readonly check: CheckName; readonly why: string }[]
  /** What was not told before, or had been over. */
  readonly raised: readonly Finding[]
  readonly resolved: number
}

const HOUR_MS = 3_600_000
const WAITS_MAX = 100
/** What a check can find to be over. */
const LASTING: readonly NotificationType[] = [...HealthAlert.options, 'budget.crossed']

/** Checks of the monitor, which are made less often than the others. */
export const MONITOR_CHECKS: ReadonlySet<CheckName> = new Set(['tasks', 'components', 'deadlocks', 'builds'])

export async function runHealthChecks(
  world: HealthWorld,
  wanted: readonly CheckName[] = CheckName.options,
): Promise<HealthCheckResult> {
  const now = world.now().getTime()
  const { limits, monitoring } = world.config()
  // Asked once, however many checks need it; each of them fails by itself if it cannot be answered.
  const crew = crewFacts(world)
  crew.catch(() => undefined)
  const checks: Record<CheckName, () => Promise<Finding[]>> = {
    responsiveness: async () => (await crew).map((agent) => judgeResponse(agent, now, limits)),
    error_rate: async () => (await crew).map((agent) => judgeErrors(agent, monitoring)),
    stuck: async () => (await crew).map((agent) => judgeStuck(agent, now, monitoring)),
    queue: async () => [
      judgeQueue(
        {
          queued: (await world.store.healthCounts.ofLoop()).queued,
          works: (await crew).some(({ wanted }) => wanted === 'running'),
        },
        monitoring,
      ),
    ],
    budget: async () => (await runBudgets(world)).budgets.map((budget) => judgeMoney(budget, monitoring)),
    crew: async () => [judgeCrew(await crew, now, monitoring)],
    loop: async () => [
      judgeLoop(
        {
          ...(await world.store.healthCounts.ofLoop()),
          startedAt: world.awakeSince(),
          holds: await world.holds(),
          agents: await crew,
        },
        now,
        monitoring,
      ),
    ],
    git: async () => [judgeGit(await world.gitChanges())],
    tasks: () => lookAtTasks(world, new Date(now)),
    components: () => lookAtComponents(world, new Date(now)),
    deadlocks: () => lookForDeadlocks(world, new Date(now)),
    builds: () => lookAtBuilds(world, new Date(now)),
    data: async () => [judgeData(await world.damaged((await crew).map(({ id }) => id)))],
  }
  const found: Finding[] = []
  const skipped: { check: CheckName; why: string }[] = []
  for (const check of wanted) {
    try {
      found.push(...(await world.within(checks[check]())))
    } catch (error) {
      skipped.push({ check, why: messageOf(error).slice(0, 1_000) })
      world.onSkipped(check, error)
    }
  }
  try {
    return { found, skipped, ...(await settle(world, found, now)) }
  } catch (error) {
    const why = `What was found could not be told: ${messageOf(error)}`.slice(0, 1_000)
    world.onSkipped('data', error)
    return { found, skipped: [...skipped, { check: 'data', why }], raised: [], resolved: 0 }
  }
}

async function crewFacts(world: HealthWorld): Promise<AgentHealthFacts[]> {
  const { store, now } = world
  const rows = (await store.agents.list()).filter(world.isMine)
  const since = new Date(now().getTime() - HOUR_MS)
  const signs = await store.healthCounts.ofAgents(
    rows.map(({ id }) => id),
    since,
  )
  const facts: AgentHealthFacts[] = []
  for (const row of rows) facts.push(await factsOf(world, row, signs))
  return facts
}

async function factsOf(
  { store, now, awakeSince }: HealthWorld,
  row: AgentRow,
  signs: readonly AgentHealthCounts[],
): Promise<AgentHealthFacts> {
  const known = signs.find(({ agentId }) => agentId === row.id)
  const { item, runId } = row
  const waits =
    item !== null &&
    runId !== null &&
    isWaiting(await store.events.ofItem(item, WAITS_MAX, WAIT_EVENTS), runId, now())
  return {
    ...row,
    startedAt: row.startedAt === null ? null : later(row.startedAt, awakeSince()),
    waits,
    progressAt: known?.progressAt ?? null,
    errors: known?.errors ?? 0,
    crashes: known?.crashes ?? 0,
  }
}

function later(at: string, other: Date): string {
  return Date.parse(at) > other.getTime() ? at : other.toISOString()
}

/** One transaction, one daemon at a time: what is told is in the log, and nothing is told twice. */
function settle(
  world: HealthWorld,
  found: readonly Finding[],
  lookedAt: number,
): Promise<Pick<HealthCheckResult, 'raised' | 'resolved'>> {
  const { store, now, redact } = world
  const { notifications } = store
  const { repeatAfterMs } = world.config().notifications
  const since = new Date(now().getTime() - repeatAfterMs)
  return store.tx(async () => {
    await notifications.lockAlerts()
    const standing = await notifications.standing(LASTING)
    const ended = await notifications.ended(HealthAlert.options, since)
    const choice = decideAlerts({ lookedAt, found, standing, ended, repeatAfterMs })
    for (const finding of choice.raise) {
      const told = alertOf(finding, redact)
      if (told !== null) await publishAlert(world, finding, { id: await tell(world, told), count: 1 })
    }
    const lasted = choice.again.map((each) => ({ ...each, unseen: true }))
    for (const { id, finding, unseen } of [...choice.reopen, ...lasted]) {
      const told = alertOf(finding, redact)
      const { count } = [...standing, ...ended].find((each) => each.id === id) ?? { count: 1 }
      if (told === null) continue
      await notifications.reopen(id, told, { at: now(), unseen })
      await publishAlert(world, finding, { id, count: count + 1 })
    }
    await reword(world, choice, standing)
    const over = standing.filter(({ id }) => choice.resolve.includes(id))
    await resolve(world, over)
    const back = [...choice.reopen, ...choice.again].map(({ finding }) => finding)
    return { raised: [...choice.raise, ...back], resolved: over.length }
  })
}

/** The figures of what lasts move on; nobody is told again. */
async function reword(
  world: HealthWorld,
  { lasting }: AlertChoice,
  standing: readonly Notification[],
): Promise<void> {
  const { store, redact } = world
  for (const { id, finding } of lasting) {
    const told = alertOf(finding, redact)
    const before = standing.find((each) => each.id === id)
    if (told !== null && (before?.title !== told.title || before.text !== told.text))
      await store.notifications.reword(id, told)
    if (before !== undefined) await askAgain(world, finding, before)
  }
}

/** Nothing is checked any more: what the checks said counts no longer. */
export function endHealthAlerts(world: Pick<HealthWorld, 'store' | 'now'>): Promise<void> {
  const { notifications } = world.store
  return world.store.tx(async () => {
    await notifications.lockAlerts()
    await resolve(world, await notifications.standing(HealthAlert.options))
  })
}

async function resolve(
  world: Pick<HealthWorld, 'store' | 'now'>,
  over: readonly Notification[],
): Promise<void> {
  const [first] = over
  if (first === undefined) return
  const at = world.now()
  const ids = over.map(({ id }) => id)
  await world.store.notifications.resolve(ids, NOBODY, at)
  for (const alert of over) await withdrawAsked(world, alert)
  const more = over.length === 1 ? '' : ` and ${over.length - 1} more`
  await append(world, `notice:${first.id}:${at.toISOString()}:over`, {
    type: 'notification.resolved',
    ids,
    about: over.map(({ type }) => type),
    text: `${first.title}${more}`,
  })
}

/** What a person was asked about an alert is needless once that is over. */
async function withdrawAsked(
  { store, now }: Pick<HealthWorld, 'store' | 'now'>,
  { id, count, title }: Notification,
): Promise<void> {
  const asked = await store.questions.about(DECISION_TEMPLATE, alertDecision(id, count))
  const kept = asked?.status === 'open' ? await store.questions.lock(asked.id) : null
  if (kept?.record.status !== 'open') return
  await withdrawQuestion(store, kept.record, { why: `it is over by itself: ${title}`, now: now() })
}
