// Every fact that is ever recorded, as one union.
import { z } from 'zod'
import { AgentStatus } from './agent.ts'
import { AlertLevel, Dollars, Period, Tokens } from './cost.ts'
import { GateResult } from './gate.ts'
import { AgentId, CommitId, EventId, Instant, ItemRef, RunId } from './ids.ts'
import { Approval } from './item.ts'
import { LessonVerdict } from './lesson.ts'
import { NewNotification, NotificationChannel, NotificationType } from './notification.ts'
import { Actor, OrderName, PurgedItem } from './order.ts'
import { GoalEnd, Guidance, PaorState, Plan, Question, Reflection } from './paor.ts'
import { AnswerSource, QuestionType } from './question.ts'
import { LeftOut, LessonNote } from './recall.ts'
import { LearnedNote } from './retrospective.ts'
import { Confidence, EngineOutcome, Observation, PhaseRecord, Usage } from './run.ts'

const why = z.string().min(1).max(4_000)
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape })

/** Phases that ended with a move: told with it, so that neither is ever known without the other. */
const records = z.array(PhaseRecord).max(10).optional()

/** What the agent that holds an item may say of it. Each moves the item's machine. */
export const AgentMove = z.discriminatedUnion('type', [
  event('build.started', {
    branch: z.string().min(1).max(300),
    base: CommitId,
    /** Which line of the target the base is the newest of: here, at origin, and why. */
    from: z.string().max(300).optional(),
  }),
  event('build.finished', {
    summary: z.string().max(4_000),
    checkpoint: CommitId,
    confidence: Confidence.nullable().optional(),
    records,
  }),
  event('build.failed', { outcome: EngineOutcome, why, records }),
  event('verify.passed', {
    branch: z.string().min(1).max(300),
    head: CommitId,
    gates: z.array(GateResult).min(1),
    pushed: z.boolean(),
    pushNote: z.string().max(1_000).nullable(),
    records,
  }),
  event('verify.failed', { gates: z.array(GateResult).min(1), why, records }),
  event('claim.released', {
    why,
    /** Its key or its account was refused: nobody is let claim for it for a while. */
    engine: z.string().min(1).max(60).optional(),
  }),
  event('item.escalated', { why }),
])
export type AgentMove = z.infer<typeof AgentMove>

/** What the agent tells of its run; recorded, moves nothing. */
export const RunNote = z.discriminatedUnion('type', [
  event('run.observed', { observation: Observation }),
  event('run.phase', { record: PhaseRecord }),
  event('run.baseline', { base: CommitId, gates: z.array(GateResult) }),
  event('run.used', { usage: Usage }),
  event('run.resumed', { from: z.string().max(100), why }),
  /** Where a goal stands: planning, acting, observing, reflecting. */
  event('run.moved', { to: PaorState }),
  event('run.planned', { plan: Plan }),
  event('run.reflected', { reflection: Reflection }),
  /** It waits for a person. */
  event('run.asked', { question: Question }),
  /** What people said has reached the engine, or its next plan. */
  event('run.heard', { guidance: z.array(z.uuid()).min(1).max(100) }),
  event('run.concluded', { end: GoalEnd }),
  /** A limit of use is reached; the run goes on then, and its clock stands still until it does. */
  event('run.paused', { until: Instant, why }),
  /** The conversation of an engine, so that a later process can go on with it. */
  event('run.session', { engine: z.string().min(1).max(60), session: z.string().min(1).max(200) }),
])
export type RunNote = z.infer<typeof RunNote>

export const RunReport = z.discriminatedUnion('type', [...AgentMove.options, ...RunNote.options])
export type RunReport = z.infer<typeof RunReport>

/** The phases that a report says have ended. */
export function recordsIn(report: RunReport | ItemMove): readonly PhaseRecord[] {
  if (report.type === 'run.phase') return [report.record]
  return 'records' in report ? (report.records ?? []) : []
}

/** What only the daemon may say of an item. */
const DaemonMove = z.discriminatedUnion('type', [
  event('claim.taken', { agentId: AgentId, runId: RunId }),
  event('claim.expired', { why }),
  /** Its holder was not let work for so long; that time does not count. */
  event('claim.extended', { byMs: z.int().min(1), why }),
  event('review.approved', { approval: Approval }),
  event('review.rejected', { by: z.string().min(1), feedback: why }),
  /** Neither checks nor a reviewer could decide it: a person has to. */
  event('review.referred', { why }),
  event('merge.landed', {
    commit: CommitId,
    target: z.string(),
    /** What the owner has to do about a checkout that could not follow. */
    note: z.string().max(4_000).nullable(),
  }),
  event('merge.conflicted', { files: z.array(z.string()), why }),
  event('merge.failed', {
    gates: z.array(GateResult),
    why,
    /** Origin did not take it: nothing was found against the change itself. */
    during: z.literal('push').optional(),
  }),
  /** A small conflict was taken out of the way: the target's side won, and the checks held. */
  event('merge.auto_resolved', {
    head: CommitId,
    onto: CommitId,
    how: z.enum(['rebase', 'merge']),
    files: z.array(z.string()),
  }),
  /** A person has resolved the conflict on the branch. */
  event('merge.resumed', { by: z.string().min(1), head: CommitId }),
  /** Nothing is merged by standing order: the branch is the result. */
  event('merge.delivered', {
    branch: z.string().min(1).max(300),
    head: CommitId,
    pushed: z.boolean(),
    /** Why it was not pushed. */
    note: z.string().max(1_000).nullable(),
  }),
  event('item.withdrawn', { by: z.string().min(1) }),
  event('item.reopened', {
    by: z.string().min(1),
    /** By the undo of a purge: as it was before, and why it stood there. */
    as: PurgedItem.shape.state.optional(),
    reason: PurgedItem.shape.reason.optional(),
  }),
  /** Taken from whoever holds it, and kept for one agent, or for nobody in particular. */
  event('item.assigned', { by: z.string().min(1), to: AgentId.nullable() }),
  event('deadline.passed', { state: z.string() }),
])

export const ItemMove = z.discriminatedUnion('type', [...AgentMove.options, ...DaemonMove.options])
export type ItemMove = z.infer<typeof ItemMove>

const answered = {
  questionId: z.uuid(),
  number: z.int().min(1),
  text: z.string().max(20_000),
  /** The label that was chosen; null for words. */
  option: z.string().max(200).nullable(),
  by: z.string().min(1).max(100),
  how: AnswerSource,
}

/** Facts that move no item. */
export const Fact = z.discriminatedUnion('type', [
  ...RunNote.options,
  event('item.added', { title: z.string() }),
  event('item.commented', { by: z.string().min(1).max(200), text: z.string().min(1).max(16_384) }),
  /** What the owner should know now and not only when looking. */
  event('owner.notified', {
    about: z.enum(['conflict', 'push', 'cost', 'signing', 'review', 'lesson']),
    text: z.string().min(1).max(4_000),
  }),
  event('run.guided', { guidance: Guidance }),
  event('question.asked', {
    question: z.strictObject({
      id: z.uuid(),
      number: z.int().min(1),
      type: QuestionType,
      blocking: z.boolean(),
      agent: z.string().max(100),
      text: z.string().max(20_000),
    }),
  }),
  event('question.answered', answered),
  /** Nobody answered in time, or nobody was to be asked: its default holds. */
  event('question.defaulted', answered),
  event('question.reminded', {
    questionId: z.uuid(),
    number: z.int().min(1),
    blocking: z.boolean(),
    text: z.string().max(20_000),
  }),
  /** Nobody waits for an answer any more. */
  event('question.withdrawn', { questionId: z.uuid(), number: z.int().min(1), why }),
  /** What the crew knows and the run was shown, and what was kept back or left out. */
  event('run.recalled', {
    attempt: z.int().min(1),
    shown: z.array(LessonNote).max(200),
    withheld: z.array(LessonNote).max(200),
    leftOut: z.array(LessonNote.extend(LeftOut.shape)).max(200),
  }),
  /** What a failed attempt taught; recorded with the lesson. */
  event('run.learned', { note: LearnedNote }),
  /** It was looked at once its run was over. */
  event('run.reviewed', { divergences: z.int(), learned: z.int(), summary: z.string().max(1_000) }),
  /** Its trial was looked at, and it is no longer on trial. */
  event('lesson.judged', {
    lessonId: z.uuid(),
    verdict: LessonVerdict,
    looks: z.int(),
    runs: z.int(),
    /** That it helps. */
    probability: z.number().min(0).max(1),
    topic: z.string().max(200).nullable(),
  }),
  event('lesson.reconsidered', {
    lessonId: z.uuid(),
    from: z.number().min(0).max(1),
    to: z.number().min(0).max(1),
    why,
  }),
  /** It stands on a branch of its own in the file that every agent reads. */
  event('lesson.promoted', {
    lessonId: z.uuid(),
    file: z.string().max(200),
    branch: z.string().max(300),
    commit: CommitId,
  }),
  /** Nobody is let claim for this engine until then: its key or its account does not work. */
  event('engine.suspended', { engine: z.string().min(1).max(60), why, until: Instant }),
  event('review.claimed', { reviewId: z.int(), cycle: z.int() }),
  /** It has waited, or was held, for longer than a review may take. */
  event('review.escalated', { reviewId: z.int(), why }),
  event('conflict.predicted', {
    branch: z.string().max(300),
    /** The other branch; the target if `otherItem` is null. */
    other: z.string().max(300),
    otherItem: ItemRef.nullable(),
    files: z.array(z.string()).max(100),
    /** False while one side has edits that are not committed yet. */
    committed: z.boolean(),
  }),
  event('agent.started', { pid: z.int() }),
  event('agent.status_changed', { from: AgentStatus.nullable(), to: AgentStatus }),
  /** It said of itself what does not follow from what it was; it was not believed. */
  event('agent.status_refused', { from: AgentStatus, to: AgentStatus, why }),
  event('agent.crashed', { why }),
  event('agent.stopped', { why }),
  event('recovery.acted', { action: z.string(), why }),
  event('order.given', {
    order: OrderName,
    by: Actor,
    target: z.string().max(200).nullable(),
    impact: z.string().max(4_000),
    outcome: z.string().max(4_000),
    /** Written before it is carried out, by the daemon of this place; what came of it follows under an id of its own. */
    begun: z.string().min(1).max(100).optional(),
    /** It was refused or did not work. */
    failed: z.literal(true).optional(),
    /** What a purge took out of the queue. */
    items: z.array(PurgedItem).max(10_000).optional(),
  }),
  event('cost.logged', {
    model: z.string(),
    tokens: Tokens,
    costUSD: Dollars,
    /** The worst case, until the real figure is known. */
    assumed: z.boolean(),
  }),
  event('budget.crossed', {
    period: Period,
    percent: z.int(),
    level: AlertLevel,
    spentUSD: z.number(),
    limitUSD: z.number(),
    /** What the next call may cost, where that alone no longer fits. */
    nextUSD: Dollars.optional(),
  }),
  /** The owner is told of it, on the terminal and wherever else the settings say. */
  event('notification.created', {
    id: z.int(),
    about: NotificationType,
    level: AlertLevel,
    title: NewNotification.shape.title,
    text: NewNotification.shape.text,
    nextSteps: NewNotification.shape.nextSteps,
    blocking: z.boolean(),
  }),
  event('notification.acknowledged', {
    ids: z.array(z.int()).min(1).max(1_000),
    by: z.string().min(1).max(200),
  }),
  /** What they were about is over. */
  event('notification.resolved', {
    ids: z.array(z.int()).min(1).max(1_000),
    about: z.array(NotificationType).min(1).max(1_000),
    text: z.string().min(1).max(1_000),
  }),
  /** A channel did not take it, however often it was tried. */
  event('notification.failed', { ids: z.array(z.int()).min(1).max(100), channel: NotificationChannel, why }),
  /** It ended because of an error of its own; told by the daemon that came after it. */
  event('daemon.crashed', { why }),
  event('daemon.started', { version: z.string(), store: z.enum(['embedded', 'server']) }),
])
export type Fact = z.infer<typeof Fact>

export const TreadleEvent = z.discriminatedUnion('type', [...ItemMove.options, ...Fact.options])
export type TreadleEvent = z.infer<typeof TreadleEvent>
export type EventType = TreadleEvent['type']

/** What happens inside a run, again and again; everything else is what one wants to read the next morning. */
export const STEP_TYPES: readonly EventType[] = [
  'run.observed',
  'run.phase',
  'run.baseline',
  'run.used',
  'cost.logged',
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
