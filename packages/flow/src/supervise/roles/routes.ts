// From a recorded event to what follows for the roles: pure.
import type { Config } from '@treadle/contracts/config'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { RoleName } from '@treadle/contracts/role'
import type { NewEvent } from '../../ports/events.ts'
import type { SubjectJob, SubjectJobName } from '../../ports/jobs.ts'
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

interface RoutedJob {
  readonly name: SubjectJobName
  readonly job: SubjectJob
}

/** The jobs that an event makes. Each is one by its event, however often it is told. */
export function jobsOf({ id, event }: Pick<NewEvent, 'id' | 'event'>, config: RouteConfig): RoutedJob[] {
  const subject = subjectIn(event)
  if (subject === null) return []
  return reactionsTo(event.type).flatMap(({ reaction: { does } }) =>
    does.is === 'job' && (does.setting === null || SETTINGS[does.setting](config))
      ? [{ name: does.job, job: { subject, eventId: id, type: event.type } }]
      : [],
  )
}

/** The idea or specification that an event is about; null: about none. */
export function subjectIn(event: TreadleEvent): string | null {
  if ('spec' in event) return event.spec ?? null
  return 'idea' in event ? event.idea : null
}
