// Each recorded event as one sentence. The sentences stand with their events, in event/.

import { EVENTS, type StoredEvent, type TreadleEvent } from '../event.ts'
import { itemLabel } from '../ids.ts'
import type { Line, Subject } from './shape.ts'

const SENTENCES = Object.assign({}, ...EVENTS.map(({ sentences }) => sentences)) as Readonly<
  Record<TreadleEvent['type'], (event: TreadleEvent, subject: Subject) => Line>
>

/** Events that can end in an escalation. */
const MOVES = /^(build|verify|merge)\.|^deadline\.passed$/

export function sentence(stored: StoredEvent): Line {
  const say = SENTENCES[stored.event.type]
  const item = stored.item ? itemLabel(stored.item) : 'an item'
  const said = say(stored.event, {
    agent: stored.agentId ?? 'Treadle',
    item,
    state: stored.state,
  })
  // However it came about, that a person is needed now must be plain from the sentence.
  const escalates =
    stored.state === 'escalated' && stored.event.type !== 'item.escalated' && MOVES.test(stored.event.type)
  const text = said.text.replace(/^an /, 'An ')
  return escalates ? { ...said, text: `${text}; ${item} needs you`, tone: 'attention' } : { ...said, text }
}
