// A change that was sent back, as the engine is told of it: what was asked for, and the change itself.
import type { Part } from '@treadle/context/parts'
import type { Item } from '@treadle/contracts/item'
import { asChecklist, changesIn, findingsIn } from '../work/asked-for.ts'
import type { Requested, Rework } from '../work/rework.ts'

const DIFF_CHARS_MAX = 40_000
const SENT_BACK: Readonly<Record<NonNullable<Item['sentBackBy']>, string>> = {
  review: 'The review sent the last delivery back.',
  merge: 'The last delivery could not be merged.',
  push: 'The last delivery could not be pushed.',
  person: 'The last delivery was given back.',
}

interface ReworkFacts {
  readonly item: Pick<Item, 'needsRework' | 'reason' | 'sentBackBy' | 'startsAnew'>
  readonly rework: Rework | null
  readonly asked: Requested
}

export function reworkParts(facts: ReworkFacts): Part[] {
  const { rework } = facts
  return [
    ...requestParts(facts),
    { name: 'task', origin: 'where the files stand', trust: 'owner', text: whereText(facts) },
    { name: 'task', origin: 'the delivered change', trust: 'project', text: changeText(rework) },
  ]
}

/** What was asked for by whoever sent it back: the words of a person are the owner's. */
export function requestParts({ item, asked }: ReworkFacts): Part[] {
  const reason = item.needsRework ? item.reason : null
  const { requested } = asked
  const sentBy = senderOf(item, asked)
  if (sentBy !== 'person' || reason === null) {
    const trust = sentBy === 'reviewer' || reason === null ? 'reviewer' : 'tool'
    return [{ name: 'task', origin: 'what was sent back', trust, text: listText(item, requested) }]
  }
  const own = new Set(changesIn(reason))
  const earlier = requested.filter((change) => !own.has(change))
  return [
    { name: 'task', origin: 'whoever sent it back', trust: 'owner', text: wordsText(reason) },
    { name: 'task', origin: 'earlier reviews', trust: 'reviewer', text: openText(earlier) },
  ]
}

function senderOf({ sentBackBy }: ReworkFacts['item'], { sentBy }: Requested): Requested['sentBy'] {
  if (sentBackBy === 'person') return 'person'
  return sentBackBy === 'review' ? sentBy : null
}

function wordsText(reason: string): string {
  return ['## Sent back', 'The last delivery was sent back with these words:', asChecklist(reason)].join(
    '\n\n',
  )
}

function listText({ needsRework, reason, sentBackBy }: ReworkFacts['item'], requested: readonly string[]) {
  const why = needsRework ? (reason ?? '') : ''
  const findings = sentBackBy === 'review' ? findingsIn(why, requested) : why.trim()
  const open = openText(requested)
  if (findings === '' && open === null) return null
  return [
    '## Sent back',
    ...(sentBackBy === null ? [] : [SENT_BACK[sentBackBy]]),
    ...(open === null ? [] : [open]),
    ...(findings === '' ? [] : [findings]),
  ].join('\n\n')
}

function openText(requested: readonly string[]): string | null {
  if (requested.length === 0) return null
  const entries = requested.map((change) => `- [ ] ${change.replace(/\s*\n\s*/g, ' ')}`)
  return `What was asked for; each stays open until the next review finds it done:\n\n${entries.join('\n')}`
}

const ANEW =
  'Start over: the files here are those of the target, without the delivered change. Do what was asked for in the new one.'

function whereText({ item, rework }: ReworkFacts): string | null {
  if (rework === null) return item.needsRework && item.startsAnew ? ANEW : null
  const { head, how, isMoved } = rework
  const name = head.slice(0, 8)
  return how === 'carried'
    ? `The files here have the delivered change ${name} in them${isMoved ? ', on the target as it is now' : ''}. Build on it: change what is asked for, and leave the rest as it is.`
    : `The target has gone on, and the delivered change ${name} cannot be merged with it. The files here are those of the target. Bring the change over, so that it fits what is there now.`
}

function changeText(rework: Rework | null): string | null {
  if (rework === null) return null
  const { conflicts, diff } = rework
  const cut = diff.length <= DIFF_CHARS_MAX ? diff : `${diff.slice(0, DIFF_CHARS_MAX)}\n… (cut)`
  return [
    '## The delivered change',
    ...(conflicts.length === 0 ? [] : [`It cannot be merged in ${conflicts.join(', ')}.`]),
    cut,
  ].join('\n\n')
}

const MOVED =
  ' The target has gone on since: what you know of other files may be out of date, so look at them again before you rely on it.'

/** For the conversation in which the change was made: that it is back, and where the files stand. */
export function cameBackText({
  item,
  rework,
}: Pick<ReworkFacts, 'rework'> & { readonly item: Pick<Item, 'number'> }): string {
  const asked = `#${item.number} has come back to you. Do what was asked for below, and leave the rest as it is.`
  if (rework === null) return asked
  const { head, isMoved } = rework
  return `${asked} The files here have your delivered change ${head.slice(0, 8)} in them${isMoved ? ', on the target as it is now' : ''}: build on it.${isMoved ? MOVED : ''}`
}
