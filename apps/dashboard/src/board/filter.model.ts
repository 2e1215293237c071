// Which items the filters let through, and the order of the list.
import type { EvidenceLevel } from '@treadle/contracts/evidence-level'
import { itemLabel } from '@treadle/contracts/ids'
import { type Item, ItemState } from '@treadle/contracts/item'
import { byClaimOrder, COLUMN_IDS, columnOf, keyOf } from './columns.model.ts'
import type { SortId, WorkQuery } from './work-query.model.ts'

/** `standard`: the engine of items that name none. The same list if nothing is filtered. */
export function filterItems(items: readonly Item[], query: WorkQuery, standard: string): readonly Item[] {
  const tests: ((item: Item) => boolean)[] = []
  const { state, priority, engine, agent, evidence } = query
  if (state !== '') tests.push((item) => item.state === state)
  if (priority !== '') tests.push((item) => String(item.priority ?? 'none') === priority)
  if (engine !== '') tests.push((item) => (item.engine ?? standard) === engine)
  if (agent !== '') tests.push((item) => (item.claimedByAgentId ?? item.assignedAgentId) === agent)
  if (evidence !== '') tests.push((item) => item.evidence?.level === evidence)
  const words = query.text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0) tests.push((item) => words.every((word) => textOf(item).includes(word)))
  return tests.length === 0 ? items : items.filter((item) => tests.every((test) => test(item)))
}

const texts = new WeakMap<Item, string>()

/** What a search looks at, made once for each item. */
function textOf(item: Item): string {
  const known = texts.get(item)
  if (known !== undefined) return known
  const text = [itemLabel(item), item.title, ...item.labels, item.phase ?? '', item.reason ?? '']
    .join('\n')
    .toLowerCase()
  texts.set(item, text)
  return text
}

const EVIDENCE_RANK: Record<EvidenceLevel, number> = { unproven: 1, supported: 2, proven: 3 }
type Sorter = (a: Item, b: Item) => number
const columnRank = (item: Item) => COLUMN_IDS.indexOf(columnOf(item))
const byNumber: Sorter = (a, b) => a.projectNumber - b.projectNumber || a.number - b.number

/** `costs`: by the key of the item. */
export function sortItems(
  items: readonly Item[],
  { sort, isDown }: Pick<WorkQuery, 'sort' | 'isDown'>,
  costs: ReadonlyMap<string, number>,
): readonly Item[] {
  const costOf = (item: Item) => costs.get(keyOf(item)) ?? 0
  const sorters: Record<SortId, Sorter> = {
    queue: (a, b) => columnRank(a) - columnRank(b) || byClaimOrder(a, b),
    number: byNumber,
    title: (a, b) => a.title.localeCompare(b.title),
    state: (a, b) => ItemState.options.indexOf(a.state) - ItemState.options.indexOf(b.state),
    priority: byClaimOrder,
    evidence: (a, b) => evidenceRank(a) - evidenceRank(b),
    cost: (a, b) => costOf(a) - costOf(b),
    updated: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  }
  const sorted = items.toSorted((a, b) => sorters[sort](a, b) || byNumber(a, b))
  return isDown ? sorted.reverse() : sorted
}

function evidenceRank({ evidence }: Item): number {
  return evidence === null ? 0 : EVIDENCE_RANK[evidence.level]
}
