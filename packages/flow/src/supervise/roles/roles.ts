// Who reacts to what: the six agents as rows. What an event makes of work is written here and nowhere else;
// route.run.ts applies it in the transaction that records the event.
import type { EventType, Fact, RunNote, TreadleEvent } from '@treadle/contracts/event'
import type { ContextPlan, LaterPart, Power, RoleName, RoleTrigger } from '@treadle/contracts/role'
import type { SubjectJobName } from '../../ports/jobs.ts'

/** What is recorded by one statement of its own, and so makes no work: what agents note of a run, and a claim. */
type Unrouted = RunNote['type'] | 'claim.taken'

/** Every event whose name begins so. */
type FactFamily = 'alert.*'

/** Events about an idea or its specification. */
type SubjectEvent = Extract<TreadleEvent, { idea: string } | { spec?: string | undefined }>

export type Reaction =
  | {
      readonly event: Exclude<SubjectEvent['type'], Unrouted>
      readonly does: {
        readonly is: 'job'
        readonly job: SubjectJobName
        readonly setting: RoleSetting | null
      }
      readonly words: string
    }
  | {
      readonly event: Exclude<EventType, Unrouted>
      readonly does: { readonly is: 'wait' | 'with_it' }
      readonly words: string
    }
  | {
      /** A family such as alert.* stands for each of its events. */
      readonly event: Exclude<Fact['type'], Unrouted> | FactFamily
      readonly does: { readonly is: 'job'; readonly job: 'coordinate'; readonly setting: null }
      readonly words: string
    }
  | {
      /** It may be one that nothing records yet, or a family such as alert.*. */
      readonly event: string
      readonly does: { readonly is: 'later'; readonly part: LaterPart }
      readonly words: string
    }

/** A setting that turns a job on; without it the event waits for a person. */
export type RoleSetting = 'specification.autoGenerate'

export interface RoleRow {
  readonly name: RoleName
  readonly title: string
  readonly role: string
  readonly location: string
  readonly trigger: RoleTrigger
  readonly reactions: readonly Reaction[]
  readonly may: readonly Power[]
  readonly prompts: readonly string[]
  readonly context: ContextPlan
  /** Events that tell what came of a reaction. */
  readonly tells: readonly EventType[]
  /** Null: it works. */
  readonly part: LaterPart | null
}

const decides = { is: 'job', job: 'coordinate', setting: null } as const

const MINUTE_MS = 60_000

export const ROLES: readonly RoleRow[] = [
  {
    name: 'ideation-agent',
    title: 'Ideation Agent',
    role: 'Explore and develop ideas',
    location: 'agents/ideation/',
    trigger: { kind: 'message', words: 'User message', everyMs: null },
    // Whatever is said in a talk is its own, and nothing else wakes it.
    reactions: [],
    may: ['talk', 'ask_people', 'ask_model', 'write_documents'],
    prompts: [
      'idea',
      'idea-exploring',
      'idea-narrowing',
      'idea-validating',
      'idea-refining',
      'idea-complete',
      'idea-guidelines',
      'idea-signals',
    ],
    context: {
      strategy: 'LAZY',
      loads: [
        'at once: where the talk stands and what was understood',
        'with each message: the last 20 messages',
        'once the idea is a candidate: its documents, as they stand in the checkout',
        'if there is one: the profile of whoever talks',
        'with each message: what earlier talks have taught, as far as it is shown while on trial',
      ],
    },
    tells: ['idea.phase_changed', 'idea.artifact_saved', 'idea.said', 'ideation.completed'],
    part: null,
  },
  {
    name: 'specification-agent',
    title: 'Specification Agent',
    role: 'Generate specs from ideas',
    location: 'agents/specification/',
    trigger: { kind: 'event_or_request', words: 'Event / API', everyMs: null },
    reactions: [
      {
        event: 'ideation.completed',
        does: { is: 'job', job: 'spec', setting: 'specification.autoGenerate' },
        words: 'The specification of the idea is generated',
      },
      {
        event: 'spec.revision_requested',
        does: { is: 'with_it' },
        words: 'The next revision, with the changes that were asked for, is recorded with it',
      },
      {
        event: 'spec.generated',
        does: { is: 'job', job: 'spec', setting: null },
        words: 'What the catalogue asks about it is asked',
      },
      {
        event: 'question.answered',
        does: { is: 'job', job: 'spec', setting: null },
        words: 'If it is about a specification: what the answer asks for is carried out',
      },
      {
        event: 'spec.approved',
        does: { is: 'job', job: 'spec', setting: null },
        words: 'What was still asked about it is over',
      },
    ],
    may: ['ask_people', 'ask_model', 'write_documents'],
    prompts: [],
    context: {
      strategy: 'EAGER',
      loads: [
        'before it begins: README and brief of the idea, and every other document of it',
        'before it begins: conventions of CLAUDE.md, owners of files, the files of the repository',
        'before it begins: gotchas and patterns that fit the files',
        'read once, and kept for the whole generation',
      ],
    },
    tells: ['spec.generated', 'spec.refused'],
    part: null,
  },
  {
    name: 'build-agent',
    title: 'Build Agent',
    role: 'Execute code tasks',
    location: 'coding-loops/agents/',
    trigger: { kind: 'event', words: 'Event', everyMs: null },
    reactions: [
      {
        event: 'spec.approved',
        does: { is: 'job', job: 'build', setting: null },
        words: 'The build begins',
      },
      {
        event: 'build.resume',
        does: { is: 'job', job: 'build', setting: null },
        words: 'An interrupted build goes on',
      },
      {
        event: 'task.retry',
        does: { is: 'job', job: 'build', setting: null },
        words: 'A failed task is tried again',
      },
      {
        event: 'work.assigned',
        does: { is: 'with_it' },
        words: 'Work that was reassigned is kept for the agent that takes it up',
      },
    ],
    may: ['ask_people', 'ask_model', 'change_code'],
    prompts: ['build-task', 'build'],
    context: {
      strategy: 'PHASED',
      loads: [
        'first: specification, tasks, conventions',
        'with each task: gotchas of that task',
        'on demand: files that are referred to',
      ],
    },
    tells: ['build.began', 'build.stopped', 'build.completed', 'task.failed', 'task.skipped'],
    part: null,
  },
  {
    name: 'sia-agent',
    title: 'SIA (Self-Improvement Agent)',
    role: 'Learn from outcomes',
    location: 'coding-loops/agents/',
    trigger: { kind: 'event', words: 'Event', everyMs: null },
    reactions: [
      {
        event: 'build.completed',
        does: { is: 'job', job: 'learn', setting: null },
        words: 'The outcome of the build is reviewed',
      },
      {
        event: 'ideation.completed',
        does: { is: 'job', job: 'learn', setting: null },
        words: 'The talk is reviewed',
      },
      {
        event: 'spec.generated',
        does: { is: 'job', job: 'learn', setting: null },
        words: 'The quality of the specification is reviewed',
      },
      {
        event: 'task.failed',
        does: { is: 'job', job: 'learn', setting: null },
        words: 'What to avoid is recorded at once',
      },
    ],
    may: ['ask_people', 'propose_documents', 'record_lessons'],
    prompts: [],
    context: {
      strategy: 'EAGER',
      loads: [
        'the history of the run and of each attempt',
        'the change',
        'what was planned',
        'earlier reviews',
      ],
    },
    // Runs of items are looked at already, by the job `learn` that comes with their end.
    tells: ['run.reviewed', 'build.reviewed'],
    part: null,
  },
  {
    name: 'monitor-agent',
    title: 'Monitor Agent',
    role: 'Watch system health',
    location: 'coding-loops/agents/',
    trigger: { kind: 'timer', words: 'Timer', everyMs: 2 * MINUTE_MS },
    reactions: [],
    may: ['raise_alerts'],
    prompts: [],
    context: {
      strategy: 'TARGETED',
      loads: [
        'agents that run and what each has to do',
        'tasks in hand, with the agent that has each',
        'when each component last gave a sign of life',
        'who waits for whom',
        'alerts that are not over',
      ],
    },
    tells: ['alert.stuck_task', 'alert.deadlock', 'alert.component_down', 'alert.build_failed'],
    part: null,
  },
  {
    name: 'pm-agent',
    title: 'PM Agent',
    role: 'Coordinate and resolve',
    location: 'coding-loops/agents/',
    trigger: { kind: 'event', words: 'Event', everyMs: null },
    reactions: [
      {
        event: 'alert.*',
        does: decides,
        words: 'A stuck task, a deadlock, a failed build or a component that is down is resolved',
      },
      {
        event: 'conflict.detected',
        does: { is: 'with_it' },
        words: 'Who may change a file is decided, and recorded with it',
      },
      { event: 'decision.requested', does: decides, words: 'The decision is brought to a person' },
      {
        event: 'question.answered',
        does: decides,
        words: 'If it is a decision that was asked for: the answer goes back to whoever asked',
      },
      {
        event: 'agent.status_changed',
        does: decides,
        words: 'If the agent was given up: its work goes to those that run',
      },
    ],
    may: ['ask_people', 'assign_work', 'restart_parts'],
    prompts: [],
    context: { strategy: 'TARGETED', loads: ['what the alert is about', 'who has which load'] },
    tells: ['pm.decided', 'work.assigned', 'decision.made'],
    part: null,
  },
]

/** Facts that only inform: nobody has anything to do because of them. What moves an item makes its work by the state. */
export const INFORMING: readonly EventType[] = [
  'item.added',
  'item.edited',
  'item.commented',
  'run.guided',
  'run.recalled',
  'run.learned',
  'run.reviewed',
  'review.claimed',
  'review.escalated',
  'conflict.predicted',
  'question.asked',
  'question.defaulted',
  'question.reminded',
  'question.withdrawn',
  'lesson.judged',
  'lesson.reconsidered',
  'lesson.promoted',
  'engine.suspended',
  'engine.rested',
  'environment.step',
  'environment.ready',
  'environment.untested',
  'environment.not_ready',
  'agent.started',
  'agent.status_refused',
  'agent.crashed',
  'agent.stopped',
  'order.given',
  'cost.logged',
  'budget.crossed',
  'owner.notified',
  'notification.created',
  'notification.acknowledged',
  'notification.resolved',
  'notification.failed',
  'recovery.acted',
  'resources.short',
  'resources.enough',
  'daemon.crashed',
  'daemon.started',
  // A message is answered in the transaction that keeps it: by the next question, or by a thought that is asked for.
  'idea.started',
  'idea.said',
  'idea.artifact_saved',
  'idea.candidate_created',
  'idea.phase_changed',
  'idea.interview_began',
  // An improvement is an item of the queue with its event.
  'idea.generated',
  'idea.rejected',
  'category.exhausted',
  'category.all_exhausted',
  'category.template_missing',
  'item.valued',
  'build.began',
  'build.stop',
  'build.stopped',
  'build.reviewed',
  'build.spec_changed',
  'task.skipped',
  'spec.refused',
  'spec.reviewed',
  'spec.template_changed',
  'idea.reviewed',
  // What follows the end of a thought is in thought-ends.run.ts, in the transaction of that end.
  'thought.asked',
  'thought.claimed',
  'thought.said',
  'thought.given_back',
  'thought.answered',
  'thought.failed',
  'thought.withdrawn',
  'pm.decided',
  'decision.made',
]
