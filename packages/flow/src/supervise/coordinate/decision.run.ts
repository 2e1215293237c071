// A decision that somebody asked for: brought to a person as a question, and its answer brought back.
import type { TreadleEvent } from '@treadle/contracts/event'
import { AgentId } from '@treadle/contracts/ids'
import {
  alertOfDecision,
  DECISION_TEMPLATE,
  decisionAskedAbout,
  type QuestionRecord,
} from '@treadle/contracts/question'
import { placeQuestion } from '../../ask/place.run.ts'
import type { FactJob } from '../../ports/jobs.ts'
import { hasStartedSince } from './component.run.ts'
import type { PmWorld } from './pm-world.ts'
import { followStuck } from './stuck.run.ts'

type Requested = Extract<TreadleEvent, { type: 'decision.requested' }>

export function runForward(world: PmWorld, job: FactJob, event: Requested): Promise<void> {
  const { store } = world
  const { by, text, context, options, decisionId: decision } = event
  return store.tx(async () => {
    if (job.item !== null) await store.items.lock(job.item)
    // It is over already, and so is what was to be decided about it.
    const alert = event.alert === null ? null : await store.notifications.find(event.alert)
    if (alert !== null && alert.resolvedAt !== null) return
    await placeQuestion(
      world,
      {
        type: 'blocking',
        agent: by,
        phase: '',
        text,
        context,
        options: options.map((label) => ({ label })),
        allowFreeText: options.length === 0,
        event: 'decision.requested',
        template: DECISION_TEMPLATE,
        // Asked once, however often the job is done.
        subject: decision,
        item: job.item,
        runId: job.runId,
        ideaId: job.item === null ? '' : `${job.item.projectNumber}/${job.item.number}`,
        sessionId: job.runId ?? '',
        tags: ['decision'],
      },
      { conventions: '', askedAs: null },
    )
  })
}

/** The answer goes back to whoever asked, as an event; what it asks for is done in the same transaction. */
export async function runAnswered(world: PmWorld, questionId: string): Promise<void> {
  const record = (await world.store.questions.find(questionId))?.record
  const decision = record === undefined ? null : decisionAskedAbout(record)
  if (record === undefined || decision === null || record.answer === null) return
  const component = await world.store.tx(() => follow(world, record, decision))
  if (component === null) return
  // Done already by whoever was killed over it: it has started since.
  const row = await world.store.agents.find(component)
  if (row === null || !hasStartedSince(row, new Date(record.answer.at))) await world.restart(component)
}

/** The component that is to be restarted; null: none. */
async function follow(world: PmWorld, record: QuestionRecord, decision: string): Promise<AgentId | null> {
  const { store, now } = world
  const { item, runId, answer, agent } = record
  if (answer === null) return null
  const alertId = alertOfDecision(decision)
  const alert = alertId === null ? null : await store.notifications.find(alertId)
  if (item !== null) await store.items.lock(item)
  const isNew = await store.events.append({
    id: `decision:${decision}:made`,
    at: now(),
    item,
    agentId: null,
    runId,
    state: null,
    event: {
      type: 'decision.made',
      decisionId: decision,
      for: agent,
      by: answer.by,
      text: answer.text,
      option: answer.option,
      alert: alertId,
    },
  })
  if (alert?.type === 'alert.stuck_task' && isNew && item !== null)
    await followStuck(world, { ref: item, runId, decision }, answer)
  if (alert?.type !== 'alert.component_down' || answer.option !== 'restart' || alert.resolvedAt !== null)
    return null
  return alert.context !== null && 'component' in alert.context
    ? AgentId.parse(alert.context.component)
    : null
}
