// Now: what needs the owner, what each agent is doing this moment, and what happened last.
import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { Item } from '@treadle/contracts/item'
import { resourceLines } from '@treadle/contracts/words/resources'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { stateCell } from '../items/item-table.ts'
import { clock, paint } from '../output.ts'
import { clipColumns, padColumns } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'
import { type DrawnRow, heading, itemRow, nothingWords, type ScreenSize } from './drawn-row.ts'
import type { WatchFacts } from './watch-facts.ts'

const WAITING_MAX = 5
const NOISE =
  /^(run\.(used|session|recalled|observed|reviewed|preparing|said|phase|baseline)|cost\.|agent\.status|notification\.|order\.)/

type NowSize = ScreenSize & { readonly now: number; readonly search: string }

export function nowRows(facts: WatchFacts, size: NowSize): DrawnRow[] {
  const waiting = facts.items.filter(({ needsHuman }) => needsHuman)
  const more = waiting.length - WAITING_MAX
  const { resources } = facts.workspace
  const short = resources == null ? [] : resourceLines(resources)
  const rows = [
    ...short.map((line) => heading(paint('yellow', clipColumns(line, size.columns)))),
    ...facts.questions.map(({ number, agent, text }) =>
      heading(
        paint(
          'yellow',
          clipColumns(
            `${agent} asks: ${plainText(text).replace(/\s+/g, ' ')}   treadle answer ${number}`,
            size.columns,
          ),
        ),
      ),
    ),
    heading(waiting.length === 0 ? nothingWords(size) : `Needs you (${waiting.length})`),
    ...waiting.slice(0, WAITING_MAX).map((item) => itemRow(item, size, timeAgo(item.updatedAt, size.now))),
    ...(more > 0 ? [{ item: null, text: paint('dim', ` and ${more} more: press 3`) }] : []),
    { item: null, text: '' },
    heading(`Agents (${facts.agents.filter(({ item }) => item !== null).length} at work)`),
    ...facts.agents.flatMap((agent) => agentRows(agent, facts, size)),
    { item: null, text: '' },
    heading('Last'),
  ]
  const room = Math.max(3, size.rows - rows.length)
  const last = facts.events.filter(({ event }) => !NOISE.test(event.type)).slice(-room)
  return [...rows, ...last.reverse().map((stored) => eventRow(stored, size))]
}

function agentRows(
  agent: Agent,
  facts: WatchFacts,
  { columns, now }: ScreenSize & { readonly now: number },
): DrawnRow[] {
  const item = itemOf(agent, facts.items)
  if (item === null)
    return [{ item: null, text: paint('dim', ` ${padColumns(agent.id, 9)} ${agent.status}`) }]
  const since = item.claimedAt === null ? '' : duration(Math.max(0, now - Date.parse(item.claimedAt)))
  const head = ` ${padColumns(agent.id, 9)} #${item.number} ${stateCell(item)} ${paint('dim', since)}  ${plainText(item.title).replace(/\s+/g, ' ')}`
  const call = lastCall(agent, facts.events)
  return [
    { item, text: clipColumns(head, columns) },
    ...(call === null
      ? []
      : [{ item: null, text: clipColumns(paint('dim', `           › ${call}`), columns) }]),
  ]
}

function itemOf({ item: held }: Agent, items: readonly Item[]): Item | null {
  return (
    items.find(
      ({ number, projectNumber }) => number === held?.number && projectNumber === held.projectNumber,
    ) ?? null
  )
}

/** The last thing that an agent did, in one line. */
function lastCall({ id }: Agent, events: readonly StoredEvent[]): string | null {
  const last = events.findLast(({ agentId, event }) => agentId === id && event.type.startsWith('run.'))
  if (last === undefined) return null
  if (last.event.type !== 'run.observed') return plainText(sentence(last).text).replace(/\s+/g, ' ')
  const { tool, input } = last.event.observation
  return `${plainText(tool)} ${plainText(input).replace(/\s+/g, ' ').trim()}`
}

function eventRow(stored: StoredEvent, { columns }: ScreenSize): DrawnRow {
  const { text, detail } = sentence(stored)
  const more = detail === null ? '' : paint('dim', ` · ${plainText(detail).replace(/\s+/g, ' ')}`)
  return {
    item: null,
    text: clipColumns(` ${paint('dim', clock(stored.at))} ${plainText(text)}${more}`, columns),
  }
}
