// What a month comes to, in words and numbers.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { Books, ItemBook } from './books.ts'
import type { Month } from './month.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
const BROKEN_SHOWN = 10

export function reportOf(month: Month, began: Date): string {
  const { rules } = month
  return [
    ...queueLines(month),
    '',
    ...itemLines(month),
    '',
    ...weekLines(month, began),
    '',
    ...categoryLines(month),
    '',
    `recorded: ${month.digest}`,
    rules.broken.length === 0 ? 'every rule held' : `${rules.broken.length} broken:`,
    ...rules.broken.slice(0, BROKEN_SHOWN).map(({ rule, at, words }) => `  ${rule} at ${at}: ${words}`),
  ].join('\n')
}

function queueLines({ queue, config: { monitoring } }: Month): string[] {
  const all = queue.low + queue.right + queue.high
  const { queueLow, queueHigh } = monitoring
  return [
    `the queue held ${queueLow} to ${queueHigh} items ${share(queue.right, all)} of the time, fewer ${share(queue.low, all)}, more ${share(queue.high, all)}`,
    ...[...queue.why]
      .toSorted(([, a], [, b]) => b - a)
      .map(([why, count]) => `  fewer, and ${why}: ${share(count, all)}`),
  ]
}

function itemLines({ books, days }: Month): string[] {
  const made = ownOf(books)
  const ended = (state: string) => made.filter((item) => item.state === state)
  const looks = [...books.looks.values()]
  const refused = looks.filter(
    ({ outcome }) => outcome !== null && !['project', 'failed', 'withdrawn'].includes(outcome),
  )
  const cycles = ended('done').flatMap(({ addedAt, endedAt }) =>
    endedAt === null ? [] : [endedAt - addedAt],
  )
  const waits = made.flatMap(({ addedAt, claimedAt }) => (claimedAt === null ? [] : [claimedAt - addedAt]))
  const spent = sum([...books.spent.values()])
  const onLooks = sum([...books.spentOnLooks.values()])
  const exercised = CATEGORIES.filter((category) => books.lastUsed.has(category)).length
  return [
    `${days} days: ${looks.length} looks in ${exercised} of ${CATEGORIES.length} categories, ${made.length} improvements`,
    `  of the answers ${share(refused.length, refused.length + made.length)} were refused: ${tallied(refused.map(({ outcome }) => outcome ?? ''))}`,
    `  of the improvements ${share(ended('done').length, made.length)} were merged, ${share(ended('withdrawn').length, made.length)} withdrawn, the rest is open`,
    `  from the idea to the claim ${hours(median(waits))}, to the merge ${hours(median(cycles))} (half of them), ${hours(part(cycles, 0.9))} (nine in ten)`,
    `  spent $${spent.toFixed(2)}, of it on looking $${onLooks.toFixed(2)}; the dearest day $${Math.max(0, ...books.spent.values()).toFixed(2)}, of looking $${Math.max(0, ...books.spentOnLooks.values()).toFixed(2)}`,
    `  a merged improvement costs $${(spent / Math.max(1, ended('done').length)).toFixed(2)}, an accepted idea $${(onLooks / Math.max(1, made.length)).toFixed(2)}`,
  ]
}

function weekLines({ books }: Month, began: Date): string[] {
  const weekOf = (at: number) => Math.floor((at - began.getTime()) / WEEK) + 1
  const made = Map.groupBy(ownOf(books), ({ addedAt }) => weekOf(addedAt))
  const merged = Map.groupBy(
    ownOf(books).filter(({ state }) => state === 'done'),
    ({ endedAt }) => weekOf(endedAt ?? 0),
  )
  return [...made.keys()].map(
    (week) => `week ${week}: ${made.get(week)?.length ?? 0} made, ${merged.get(week)?.length ?? 0} merged`,
  )
}

function categoryLines({ books, figures }: Month): string[] {
  const head = row(['category', 'looks', 'made', 'merged', 'withdrawn', 'refused', 'points', 'cost'])
  const lines = CATEGORIES.map((category) => {
    const own = ownOf(books).filter((item) => item.category === category)
    const told = figures?.find((figure) => figure.category === category)
    return row([
      category,
      `${looksAt(books, category)}`,
      `${own.length}`,
      `${own.filter(({ state }) => state === 'done').length}`,
      `${own.filter(({ state }) => state === 'withdrawn').length}`,
      `${told?.refused ?? 0}`,
      told?.value?.toFixed(1) ?? '-',
      `$${(told?.costUSD ?? 0).toFixed(2)}`,
    ])
  })
  return [head, ...lines]
}

function row([name = '', ...figures]: readonly string[]): string {
  return `${name.padEnd(28)}${figures.map((figure) => figure.padStart(10)).join('')}`
}

function looksAt(books: Books, category: Category): number {
  return [...books.looks.values()].filter((look) => look.category === category).length
}

function ownOf({ items }: Books): ItemBook[] {
  return [...items.values()].filter(({ category }) => category !== null)
}

function tallied(words: readonly string[]): string {
  return [...Map.groupBy(words, (word) => word)].map(([word, each]) => `${word} ${each.length}`).join(', ')
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((100 * part) / whole)}%`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

function median(numbers: readonly number[]): number {
  return part(numbers, 0.5)
}

function part(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function hours(ms: number): string {
  return `${(ms / HOUR).toFixed(1)} h`
}
