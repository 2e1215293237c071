// The roles as they are shown: their rows, and what each has done last.
import type { EventType, StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { MonitorAlert } from '@treadle/contracts/notification'
import type { RoleReaction, RoleView } from '@treadle/contracts/role'
import type { Store } from '../../ports/store.ts'
import { type Reaction, ROLES, type RoleRow } from './roles.ts'
import { isOf, needsPm, subjectIn } from './routes.ts'

/** The newest that tells something of one role is among so many. */
const LOOK_BACK = 20

export async function readRoles(store: Pick<Store, 'events'>): Promise<RoleView[]> {
  const views: RoleView[] = []
  for (const row of ROLES) views.push({ ...viewOf(row), last: await lastOf(store, row) })
  return views
}

function viewOf({
  name,
  title,
  role,
  location,
  trigger,
  reactions,
  may,
  prompts,
  context,
  part,
}: RoleRow): Omit<RoleView, 'last'> {
  return {
    name,
    title,
    role,
    location,
    trigger,
    reactsTo: reactions.map(reactionOf),
    may: [...may],
    prompts: [...prompts],
    context,
    part,
  }
}

function reactionOf({ event, does, words }: Reaction): RoleReaction {
  return {
    event,
    does: does.is,
    words,
    setting: does.is === 'job' ? does.setting : null,
    part: does.is === 'later' ? does.part : null,
  }
}

async function lastOf(store: Pick<Store, 'events'>, row: RoleRow): Promise<RoleView['last']> {
  const outcome = await newestOf(store, row.tells, (stored) => !isOfPerson(stored))
  const to = await newestOf(store, wokenBy(row), (stored) =>
    row.trigger.kind === 'message' ? isOfPerson(stored) : wakes(row, stored),
  )
  const at = outcome ?? to
  if (at === null) return null
  return {
    at: at.at,
    to: to === null ? null : wordsOf(to),
    outcome: outcome === null ? null : wordsOf(outcome),
  }
}

/** Not every event of a type is about something that it has to do with. */
function wakes({ reactions }: RoleRow, { event }: StoredEvent): boolean {
  const isAny = reactions.some(
    ({ event: type, does }) => does.is === 'job' && does.job === 'coordinate' && isOf(event.type, type),
  )
  return isAny ? needsPm(event) : subjectIn(event) !== null
}

/** The events that wake it now: those of later parts do not yet. */
function wokenBy({ trigger, reactions, tells }: RoleRow): EventType[] {
  if (trigger.kind === 'message') return ['idea.said']
  const now = reactions.flatMap((reaction) => (isNow(reaction) ? typesOf(reaction.event) : []))
  // What it has told itself is what came of it.
  return now.filter((type) => !tells.includes(type))
}

function typesOf(event: Exclude<Reaction, { does: { is: 'later' } }>['event']): EventType[] {
  return event === 'alert.*' ? [...MonitorAlert.options] : [event]
}

function isNow(reaction: Reaction): reaction is Exclude<Reaction, { does: { is: 'later' } }> {
  return reaction.does.is !== 'later'
}

function isOfPerson({ event }: StoredEvent): boolean {
  return event.type === 'idea.said' && event.role === 'user'
}

async function newestOf(
  { events }: Pick<Store, 'events'>,
  types: readonly EventType[],
  fits: (stored: StoredEvent) => boolean,
): Promise<StoredEvent | null> {
  let newest: StoredEvent | null = null
  for (const type of types) {
    const found = (await events.newest({ type, limit: LOOK_BACK })).find(fits)
    if (found !== undefined && (newest === null || Date.parse(found.at) > Date.parse(newest.at)))
      newest = found
  }
  return newest
}

function wordsOf(stored: StoredEvent): string {
  const { text, detail } = sentence(stored)
  return detail === null ? text : `${text}: ${detail}`
}
