// What is told of building: of an item by its agent, and of a whole specification.
import { z } from 'zod'
import { BuildId, TaskDecision, TaskErrorClass } from '../build.ts'
import { Slug } from '../idea.ts'
import { CommitId } from '../ids.ts'
import { Confidence, EngineOutcome } from '../run.ts'
import { TaskId } from '../specification.ts'
import { OUTCOME_WORDS } from '../words/outcome.ts'
import { count, event, firstLine, line, records, type Sentences, why } from './shape.ts'

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [
  event('build.started', {
    branch: z.string().min(1).max(300),
    base: CommitId,
    /** Which line of the target the base is the newest of: here, at origin, and why. */
    from: z.string().max(300).optional(),
    /** What was delivered before, and whether the work begins with it, cannot, or is not to. */
    delivery: z.strictObject({ head: CommitId, how: z.enum(['carried', 'conflicted', 'anew']) }).optional(),
  }),
  event('build.finished', {
    summary: z.string().max(4_000),
    checkpoint: CommitId,
    confidence: Confidence.nullable().optional(),
    records,
  }),
  event('build.failed', { outcome: EngineOutcome, why, records }),
] as const

/** A build of a specification. */
const build = { build: BuildId, spec: Slug }
const by = z.string().min(1).max(200)

/** Facts that move no item. */
const facts = [
  event('build.began', {
    ...build,
    revision: z.int().min(1),
    userSlug: Slug,
    branch: z.string().max(300),
    tasks: z.int().min(0),
  }),
  event('build.stop', { ...build, by }),
  event('build.resume', { ...build, by }),
  /** It stands: nothing new of it is begun until somebody resumes it. */
  event('build.stopped', { ...build, why }),
  /** It is over, well or not. */
  event('build.completed', {
    ...build,
    outcome: z.enum(['completed', 'failed']),
    complete: z.int().min(0),
    skipped: z.int().min(0),
    why: why.nullable(),
  }),
  /** Somebody looked back on how it went. */
  event('build.reviewed', { ...build, look: z.int().min(1), gaps: z.int().min(0), learned: z.int().min(0) }),
  /** Its specification was changed while it ran. */
  event('build.spec_changed', { ...build, revision: z.int().min(1), why }),
  event('task.failed', {
    ...build,
    task: TaskId,
    attempt: z.int().min(1),
    class: TaskErrorClass,
    decision: TaskDecision,
    why,
  }),
  event('task.retry', { ...build, task: TaskId, by, why: z.string().max(4_000) }),
  event('task.skipped', { ...build, task: TaskId, why }),
] as const

type Delivery = z.infer<(typeof agentMoves)[0]>['delivery']

const DELIVERY_WORDS: { readonly [How in NonNullable<Delivery>['how']]: (name: string) => string } = {
  carried: (name) => `, with the delivered change ${name} in it`,
  conflicted: (name) => `; the delivered change ${name} conflicts with it, and is in the prompt`,
  anew: (name) => `; starts over, without the delivered change ${name}`,
}

function deliveryWords(delivery: Delivery): string {
  return delivery === undefined ? '' : DELIVERY_WORDS[delivery.how](delivery.head.slice(0, 8))
}

export const DECISION_WORDS: { readonly [D in TaskDecision]: string } = {
  RETRY: 'it is tried again',
  INSTALL_AND_RETRY: 'the package is installed, and it is tried again',
  REBASE_AND_RETRY: 'it is tried again on the newest branch',
  SKIP: 'it is skipped',
  ESCALATE: 'a person has to look',
}

export const buildEvents = {
  agentMoves,
  facts,
  sentences: {
    'build.started': ({ branch, from, delivery }, { agent, item }) =>
      line(
        `${agent} started building ${item}`,
        `on ${branch}${from === undefined ? '' : ` from ${from}`}${deliveryWords(delivery)}`,
        'busy',
      ),
    'build.finished': ({ summary }, { agent, item }) =>
      line(`${agent} finished building ${item}`, summary, 'busy'),
    'build.failed': ({ outcome, why }, { item }) =>
      line(`Building ${item} failed: ${OUTCOME_WORDS[outcome]}`, why, 'bad'),
    'build.began': ({ spec, revision, tasks, branch }) =>
      line(
        `The build of ${spec} began`,
        `revision ${revision}, ${count(tasks, 'task')} on ${branch}`,
        'good',
      ),
    'build.stop': ({ spec, by }) => line(`${by} stopped the build of ${spec}`),
    'build.resume': ({ spec, by }) => line(`${by} resumed the build of ${spec}`, null, 'good'),
    'build.stopped': ({ spec, why }) => line(`The build of ${spec} stopped`, why, 'attention'),
    'build.completed': ({ spec, outcome, complete, skipped, why }) =>
      outcome === 'completed'
        ? line(
            `The build of ${spec} is merged`,
            `${count(complete, 'task')}${skipped === 0 ? '' : `, ${skipped} skipped`}`,
            'good',
          )
        : line(`The build of ${spec} failed`, why, 'attention'),
    'build.reviewed': ({ spec, gaps, learned }) =>
      line(
        `Retrospective for the build of ${spec}`,
        `${count(gaps, 'gap')}, ${count(learned, 'lesson')} from its runs`,
      ),
    'build.spec_changed': ({ spec, why }) =>
      line(`The specification of ${spec} was changed while it is built`, why, 'attention'),
    'task.failed': ({ spec, task, attempt, decision, why }) =>
      line(
        `Attempt ${attempt} of task ${task} of ${spec} failed`,
        `${DECISION_WORDS[decision]}: ${firstLine(why)}`,
        decision === 'ESCALATE' || decision === 'SKIP' ? 'bad' : 'attention',
      ),
    'task.retry': ({ spec, task, by }) => line(`${by} had task ${task} of ${spec} tried again`),
    'task.skipped': ({ spec, task, why }) => line(`Task ${task} of ${spec} is skipped`, why, 'attention'),
  } satisfies Sentences<(typeof agentMoves)[number] | (typeof facts)[number]>,
}
