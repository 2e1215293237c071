// A change that was sent back, as the engine is told of it: what was asked for, and the change itself.
import type { Part } from '@treadle/context/parts'
import type { Item } from '@treadle/contracts/item'
import type { Rework } from '../work/rework.ts'

const DIFF_CHARS_MAX = 40_000
const SENT_BACK: Readonly<Record<NonNullable<Item['sentBackBy']>, string>> = {
  review: 'The review sent the last delivery back.',
  merge: 'The last delivery could not be merged.',
  push: 'The last delivery could not be pushed.',
}

interface ReworkFacts {
  readonly item: Pick<Item, 'needsRework' | 'reason' | 'sentBackBy'>
  readonly rework: Rework | null
}

export function reworkParts(facts: ReworkFacts): Part[] {
  const text = changeText(facts.rework)
  return [requestsPart(facts), { name: 'task', origin: 'the delivered change', trust: 'project', text }]
}

/** What was asked for by whoever sent it back. */
export function requestsPart(facts: ReworkFacts): Part {
  return { name: 'task', origin: 'whoever sent it back', trust: 'tool', text: listText(facts) }
}

function listText({ item, rework }: ReworkFacts): string | null {
  const { sentBackBy } = item
  const reason = item.needsRework ? item.reason : null
  const requested = rework?.requested ?? []
  if (reason === null && requested.length === 0) return null
  return [
    '## Sent back',
    ...(sentBackBy === null ? [] : [SENT_BACK[sentBackBy]]),
    ...(requested.length === 0
      ? []
      : [
          'What was asked for; each stays open until the next review finds it done:',
          requested.map((change) => `- [ ] ${change.replace(/\s*\n\s*/g, ' ')}`).join('\n'),
        ]),
    ...(reason === null ? [] : ['In the words of whoever sent it back:', reason]),
  ].join('\n\n')
}

function changeText(rework: Rework | null): string | null {
  if (rework === null) return null
  const { head, how, conflicts, isMoved, diff } = rework
  const name = head.slice(0, 8)
  const where =
    how === 'carried'
      ? `The files here have the delivered change ${name} in them${isMoved ? ', on the target as it is now' : ''}. Build on it: change what is asked for, and leave the rest as it is.`
      : `The target has gone on, and the delivered change ${name} cannot be merged with it in ${conflicts.join(', ')}. The files here are those of the target. Bring the change over, so that it fits what is there now.`
  const cut = diff.length <= DIFF_CHARS_MAX ? diff : `${diff.slice(0, DIFF_CHARS_MAX)}\n… (cut)`
  return ['## The delivered change', where, cut].join('\n\n')
}

const MOVED =
  ' The target has gone on since: what you know of other files may be out of date, so look at them again before you rely on it.'

/** For the conversation in which the change was made: that it is back, and where the files stand. */
export function cameBackText({
  item,
  rework,
}: ReworkFacts & { readonly item: Pick<Item, 'number'> }): string {
  const asked = `#${item.number} has come back to you. Do what was asked for below, and leave the rest as it is.`
  if (rework === null) return asked
  const { head, isMoved } = rework
  return `${asked} The files here have your delivered change ${head.slice(0, 8)} in them${isMoved ? ', on the target as it is now' : ''}: build on it.${isMoved ? MOVED : ''}`
}
