// Items for people: where each stands in words, and a table of them.
import type { DeliveryEvidence } from '@treadle/contracts/evidence-level'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { shortCommit } from '@treadle/contracts/words/commit'
import { blockedWords } from '@treadle/contracts/words/plan'
import { EVIDENCE_WORDS, STATE_WORDS, type Tone } from '@treadle/contracts/words/state'
import { paint } from '../output.ts'
import { linked } from '../terminal/link.ts'
import { listing } from '../terminal/listing.ts'
import { plainText } from '../terminal/plain-text.ts'

/** The address of an item's page; null: numbers are no links. */
export type PageOf = (item: Pick<Item, 'projectNumber' | 'number'>) => string | null
export const NO_PAGES: PageOf = () => null

const WAITING_WORDS: Partial<Record<Item['state'], string>> = {
  in_review: 'Ready to review',
  escalated: 'Needs you',
}

/** Where an item stands; what waits for the owner says so. */
export function stateWords(item: Pick<Item, 'state' | 'needsHuman' | 'blockedBy' | 'clearance'>): string {
  const { state, needsHuman, blockedBy, clearance } = item
  if (needsHuman) return WAITING_WORDS[state] ?? STATE_WORDS[state].words
  const waits = blockedBy.length > 0 || clearance?.is === 'owned' || clearance?.is === 'locked'
  if (waits && (state === 'todo' || state === 'backlog')) return 'Waiting'
  return STATE_WORDS[state].words
}

const COLOURS: Readonly<Record<Tone, 'yellow' | 'green' | 'red' | 'cyan' | null>> = {
  attention: 'yellow',
  good: 'green',
  bad: 'red',
  busy: 'cyan',
  plain: null,
}

export function stateCell(item: Item): string {
  const tone = item.needsHuman ? 'attention' : STATE_WORDS[item.state].tone
  // A review that runs by itself asks nothing of anybody.
  const colour = tone === 'attention' && !item.needsHuman ? null : COLOURS[tone]
  const words = stateWords(item)
  return colour === null ? words : paint(colour, words)
}

export function evidenceCell({ evidence }: Pick<Item, 'evidence'>): string {
  if (evidence === null) return ''
  const { words, tone } = EVIDENCE_WORDS[evidence.level]
  const colour = COLOURS[tone]
  return colour === null ? words : paint(colour, words)
}

/** How well a delivery is proven, and why. */
export function evidenceWords({ level, why }: DeliveryEvidence): string {
  return `${EVIDENCE_WORDS[level].words}: ${plainText(why)}`
}

/** What stands in the way of an item, or why it is where it is. */
export function reasonOf(item: Item, withdrawn: readonly Item[] = []): string {
  return plainText(blockedWords(item, withdrawn) ?? item.reason ?? '')
}

const HEADS = ['#', 'STATE', 'TITLE', 'AGENT', 'EVIDENCE', 'TRIES', 'MERGED', 'WHY']

export function itemTable(items: readonly Item[], pageOf: PageOf = NO_PAGES): string {
  const withdrawn = items.filter(({ state }) => state === 'withdrawn')
  const rows = items.map((item) => [
    linked(itemLabel(item), pageOf(item)),
    stateCell(item),
    plainText(item.title),
    item.claimedByAgentId ?? '',
    evidenceCell(item),
    item.attempts > 0 ? String(item.attempts) : '',
    item.mergeCommit === null ? '' : shortCommit(item.mergeCommit),
    reasonOf(item, withdrawn),
  ])
  return listing(HEADS, rows, { drop: ['TRIES', 'MERGED', 'WHY', 'EVIDENCE', 'AGENT'] })
}
