// Asks the owner whether the crew's own improvements should be rolled back where they do not do well, and does what the
// answer says.
import type { NewQuestion } from '@treadle/contracts/question'
import { type QuestionWorld, runAsk } from '@treadle/flow/ask/question.run'
import { runMetricsReport } from '@treadle/flow/supervise/metrics/report.run'
import { plannedRollback } from '@treadle/flow/supervise/orders/planned-rollback'
import type { World } from '../world.ts'
import { rollBack } from './roll-back.ts'

const TEMPLATE = 'monitor/planned_rollback'
const EVENT = 'planned_rollback'
const ROLL_BACK = 'Roll it back'
const KEEP = 'Keep it on'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TWO_WEEKS_MS = 14 * DAY_MS
const ANSWERS_MAX = 20
const MONTH = 7

const dueAt = new WeakMap<World, number>()

/** Part of every sweep: the figures are looked at once an hour, answers at once. */
export async function sweepPlanned(world: World, asking: QuestionWorld): Promise<void> {
  const isOn = world.config().flags.enable_ideation === true
  if (!isOn || world.config().monitoring.rollback === 'never') return
  await followAnswer(world)
  const now = world.now().getTime()
  if (now < (dueAt.get(world) ?? 0)) return
  dueAt.set(world, now + HOUR_MS)
  const until = new Date(now - TWO_WEEKS_MS)
  const { generated } = await world.store.metrics.ownIdeas({ since: new Date(0), until })
  const report = await runMetricsReport(world, '7d')
  const planned = plannedRollback({ isOn, report, isOld: generated > 0 })
  if (planned === null) return
  // Asked once a month about each reason, whatever the answer.
  const subject = `${planned.reason}:${world.now().toISOString().slice(0, MONTH)}`
  await runAsk(asking, question(planned.why, subject))
}

function question(why: string, subject: string): NewQuestion {
  return {
    type: 'clarifying',
    agent: 'monitor',
    phase: '',
    text: `Shall the crew stop looking for improvements itself? ${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    context:
      'Nothing that is open is lost: phase 4 is turned off, and flags.enable_ideation turns it on again.',
    options: [{ label: ROLL_BACK }, { label: KEEP }],
    allowFreeText: false,
    defaultOption: KEEP,
    expiresAfter: '24h',
    event: EVENT,
    template: TEMPLATE,
    subject,
    item: null,
    runId: null,
    ideaId: '',
    sessionId: '',
    tags: ['rollback'],
  }
}

/** Each answer is carried out once. */
async function followAnswer(world: World): Promise<void> {
  const { store, now } = world
  const answered = await store.questions.list({ event: EVENT, status: 'answered', limit: ANSWERS_MAX })
  for (const { id, answer, number } of answered) {
    if (answer?.option !== ROLL_BACK || now().getTime() - Date.parse(answer.at) > DAY_MS) continue
    const why = `${answer.by} answered question ${number} so`
    await rollBack(world, { id: `planned:${id}`, phase: 4, why, by: answer.by })
  }
}
