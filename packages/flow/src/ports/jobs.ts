// Jobs of the daemon: work with exactly one handler.
import type { BuildId } from '@treadle/contracts/build'
import type { EventType, TreadleEvent } from '@treadle/contracts/event'
import type { Slug } from '@treadle/contracts/idea'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'

interface ItemJob {
  readonly item: ItemRef
  /** A job about one run of the item; there is one for each. */
  readonly runId?: RunId | undefined
}

/** A job about an idea or its specification, because of an event that was recorded. There is one for each event. */
export interface SubjectJob {
  readonly subject: Slug
  readonly eventId: EventId
  readonly type: EventType
}

/** A build whose items have moved. */
interface BuildJob {
  readonly build: BuildId
}

/** A job about a fact itself, whatever it is about. There is one for each event. */
export interface FactJob {
  readonly eventId: EventId
  readonly type: EventType
  readonly event: TreadleEvent
  readonly item: ItemRef | null
  readonly runId: RunId | null
  readonly agentId: AgentId | null
}

/** What each queue takes. */
export interface JobData {
  readonly review: ItemJob
  readonly merge: ItemJob
  /** A run that has moved on, or something that was planned. */
  readonly learn: ItemJob | SubjectJob
  readonly spec: SubjectJob
  /** A specification that was approved, or a build that is to be looked at. */
  readonly build: SubjectJob | BuildJob
  /** What the PM agent decides, and what follows from it. */
  readonly coordinate: FactJob
}
export type JobName = keyof JobData
/** The queues that work for roles: what an event about an idea or a specification makes. */
export type SubjectJobName = {
  [N in JobName]: SubjectJob extends JobData[N] ? N : never
}[JobName]
/** The queues that work for items, by their states. */
export type ItemJobName = { [N in JobName]: ItemJob extends JobData[N] ? N : never }[JobName]

export interface Jobs {
  /**
   * Inside a transaction the job exists only if that commits. At most one waiting job per item, run, build or
   * event, and queue.
   */
  send<N extends JobName>(name: N, job: JobData[N]): Promise<void>
  /** The same, unless such a job waits or runs: what runs is not lost. */
  sendIfLost<N extends JobName>(name: N, job: JobData[N]): Promise<void>
}
