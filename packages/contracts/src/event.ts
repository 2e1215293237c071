// Every fact that is ever recorded, as one union. Each prefix has a file of its own in event/, with its sentences.
import { z } from 'zod'
import { agentEvents } from './event/agent.ts'
import { alertEvents } from './event/alert.ts'
import { buildEvents } from './event/build.ts'
import { categoryEvents } from './event/category.ts'
import { claimEvents } from './event/claim.ts'
import { costEvents } from './event/cost.ts'
import { engineEvents } from './event/engine.ts'
import { environmentEvents } from './event/environment.ts'
import { ideaEvents } from './event/idea.ts'
import { itemEvents } from './event/item.ts'
import { lessonEvents } from './event/lesson.ts'
import { lockEvents } from './event/lock.ts'
import { mergeEvents } from './event/merge.ts'
import { notificationEvents } from './event/notification.ts'
import { orderEvents } from './event/order.ts'
import { pmEvents } from './event/pm.ts'
import { questionEvents } from './event/question.ts'
import { resourceEvents } from './event/resources.ts'
import { reviewEvents } from './event/review.ts'
import { runEvents } from './event/run.ts'
import { specEvents } from './event/spec.ts'
import { superviseEvents } from './event/supervise.ts'
import { thoughtEvents } from './event/thought.ts'
import { verifyEvents } from './event/verify.ts'
import { AgentId, EventId, Instant, ItemRef, RunId } from './ids.ts'
import type { PhaseRecord } from './run.ts'

/** A new prefix is a file in event/ and a line here. */
export const EVENTS = [
  buildEvents,
  verifyEvents,
  claimEvents,
  itemEvents,
  runEvents,
  reviewEvents,
  mergeEvents,
  questionEvents,
  lessonEvents,
  engineEvents,
  environmentEvents,
  agentEvents,
  orderEvents,
  costEvents,
  notificationEvents,
  superviseEvents,
  ideaEvents,
  categoryEvents,
  specEvents,
  thoughtEvents,
  lockEvents,
  alertEvents,
  pmEvents,
  resourceEvents,
] as const

type Kind = 'agentMoves' | 'runNotes' | 'daemonMoves' | 'facts'
type EventIn<Part, K extends Kind> = Part extends Readonly<Record<K, readonly (infer E)[]>> ? E : never
/** The events of one kind, of whatever prefix. */
type OfKind<K extends Kind> = EventIn<(typeof EVENTS)[number], K>

function ofKind<K extends Kind>(kind: K): [OfKind<K>, ...OfKind<K>[]] {
  const parts: readonly Partial<Record<Kind, readonly unknown[]>>[] = EVENTS
  return parts.flatMap((part) => part[kind] ?? []) as [OfKind<K>, ...OfKind<K>[]]
}

/** What the agent that holds an item may say of it. Each moves the item's machine. */
export const AgentMove = z.discriminatedUnion('type', ofKind('agentMoves'))
export type AgentMove = z.infer<typeof AgentMove>

/** What the agent tells of its run; recorded, moves nothing. */
export const RunNote = z.discriminatedUnion('type', ofKind('runNotes'))
export type RunNote = z.infer<typeof RunNote>

export const RunReport = z.discriminatedUnion('type', [...AgentMove.options, ...RunNote.options])
export type RunReport = z.infer<typeof RunReport>

/** The phases that a report says have ended. */
export function recordsIn(report: RunReport | ItemMove): readonly PhaseRecord[] {
  if (report.type === 'run.phase') return [report.record]
  return 'records' in report ? (report.records ?? []) : []
}

/** What only the daemon may say of an item. */
const DaemonMove = z.discriminatedUnion('type', ofKind('daemonMoves'))

export const ItemMove = z.discriminatedUnion('type', [...AgentMove.options, ...DaemonMove.options])
export type ItemMove = z.infer<typeof ItemMove>

/** Facts that move no item. */
export const Fact = z.discriminatedUnion('type', [...RunNote.options, ...ofKind('facts')])
export type Fact = z.infer<typeof Fact>

export const TreadleEvent = z.discriminatedUnion('type', [...ItemMove.options, ...Fact.options])
export type TreadleEvent = z.infer<typeof TreadleEvent>
export type EventType = TreadleEvent['type']

/** What happens inside a run, again and again; everything else is what one wants to read the next morning. */
export const STEP_TYPES: readonly EventType[] = [
  'run.said',
  'run.began',
  'run.observed',
  'run.phase',
  'run.preparing',
  'run.baseline',
  'run.used',
  'cost.logged',
  'thought.said',
  'agent.status_changed',
]

/** `<transaction>.<sequence>`: safe to resume from, also while others are still committing. */
export const Cursor = z.string().regex(/^\d{1,20}\.\d{1,20}$/, 'must be <number>.<number>')
export type Cursor = z.infer<typeof Cursor>
export const CURSOR_START: Cursor = '0.0'

export const StoredEvent = z.strictObject({
  cursor: Cursor,
  id: EventId,
  at: Instant,
  item: ItemRef.nullable(),
  agentId: AgentId.nullable(),
  runId: RunId.nullable(),
  /** State of the item after the event, where one moved. */
  state: z.string().nullable(),
  event: TreadleEvent,
})
export type StoredEvent = z.infer<typeof StoredEvent>
