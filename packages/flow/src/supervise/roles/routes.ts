// From a recorded event to what follows for the roles: pure.
import type { Config } from '@treadle/contracts/config'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { RoleName } from '@treadle/contracts/role'
import type { NewEvent } from '../../ports/events.ts'
import type { FactJob, SubjectJob, SubjectJobName } from '../../ports/jobs.ts'
import { type Reaction, ROLES, type RoleSetting } from './roles.ts'

export type RouteConfig = Pick<Config, 'specification'>

const SETTINGS: Readonly<Record<RoleSetting, (config: RouteConfig) => boolean>> = {
  'specification.autoGenerate': ({ specification }) => specification.autoGenerate,
}

/** alert.* stands for every event whose name begins so. */
export function isOf(type: string, event: Reaction['event']): boolean {
  return event.endsWith('.*') ? type.startsWith(event.slice(0, -1)) : type === event
}

export function reactionsTo(type: string): { readonly role: RoleName; readonly reaction: Reaction }[] {
  return ROLES.flatMap(({ name, reactions }) =>
    reactions.filter(({ event }) => isOf(type, event)).map((reaction) => ({ role: name, reaction })),
  )
}

type RoutedJob =
  | { readonly name: SubjectJobName; readonly job: SubjectJob }
  | { readonly name: 'coordinate'; readonly job: FactJob }

/** The jobs that an event makes. Each is one by its event, however often it is told. */
export function jobsOf(recorded: RoutedEvent, config: RouteConfig): RoutedJob[] {
  const { id, event } = recorded
  const { type } = event
  const subject = subjectIn(event)
  return reactionsTo(type).flatMap(({ reaction: { does } }): RoutedJob[] => {
    if (does.is !== 'job') return []
    if (does.job === 'coordinate') return needsPm(event) ? [{ name: does.job, job: factJobOf(recorded) }] : []
    const isOn = does.setting === null || SETTINGS[does.setting](config)
    return isOn && subject !== null ? [{ name: does.job, job: { subject, eventId: id, type } }] : []
  })
}

type RoutedEvent = Pick<NewEvent, 'id' | 'event' | 'item' | 'runId' | 'agentId'>

/** Of events that are told often, those in which there is something to decide. */
export function needsPm(event: TreadleEvent): boolean {
  if (event.type === 'agent.status_changed') return event.to === 'failed'
  return event.type !== 'question.answered' || event.decisionId !== undefined
}

function factJobOf({ id, event, item, runId, agentId }: RoutedEvent): FactJob {
  return { eventId: id, type: event.type, event, item, runId, agentId }
}

/** The idea or specification that an event is about; null: about none. */
export function subjectIn(event: TreadleEvent): string | null {
  if ('spec' in event) return event.spec ?? null
  return 'idea' in event ? event.idea : null
}
