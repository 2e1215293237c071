// What items have to do with each other: who is a part of whom, who waits for whom. No item waits for itself.
import type { ItemPlan } from '@treadle/contracts/item'
import type { PlanLinks } from '../ports/items.ts'

const ENDED: ReadonlySet<string> = new Set(['done', 'withdrawn'])

type Links = Pick<ItemPlan, 'parent' | 'dependsOn'>
export type LinkFault =
  | { readonly is: 'unknown'; readonly field: keyof Links; readonly number: number }
  /** It is done never, or only after somebody has put it back. */
  | { readonly is: 'withdrawn'; readonly field: 'dependsOn'; readonly number: number }
  /** The way round, from the item back to itself. */
  | { readonly is: 'cycle'; readonly field: keyof Links; readonly numbers: readonly number[] }

/** What is wrong with the links that an item is to have; `number` is null for one that is being added. */
export function linkFault(
  others: readonly PlanLinks[],
  number: number | null,
  { parent, dependsOn }: Links,
): LinkFault | null {
  const known = new Map(others.map((other) => [other.number, other]))
  for (const field of ['parent', 'dependsOn'] as const) {
    const named = linksOf({ parent, dependsOn }, field)
    const unknown = named.find((one) => !known.has(one))
    if (unknown !== undefined) return { is: 'unknown', field, number: unknown }
    if (number === null) continue
    const next = (at: number): readonly number[] => (at === number ? named : linksOf(known.get(at), field))
    const numbers = wayBack(number, next)
    if (numbers !== null) return { is: 'cycle', field, numbers }
  }
  const before = number === null ? [] : (known.get(number)?.dependsOn ?? [])
  const withdrawn = dependsOn.find((one) => known.get(one)?.state === 'withdrawn' && !before.includes(one))
  return withdrawn === undefined ? null : { is: 'withdrawn', field: 'dependsOn', number: withdrawn }
}

function linksOf(item: Links | undefined, field: keyof Links): readonly number[] {
  if (item === undefined) return []
  if (field === 'dependsOn') return item.dependsOn
  return item.parent === null ? [] : [item.parent]
}

/** A way that leads from an item to itself, or null. Each item is looked at once. */
function wayBack(from: number, next: (at: number) => readonly number[]): readonly number[] | null {
  const seen = new Set<number>()
  const open: (readonly number[])[] = [[from]]
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    const at = way.at(-1) ?? from
    for (const to of next(at)) {
      if (to === from) return [...way, to]
      if (seen.has(to)) continue
      seen.add(to)
      open.push([...way, to])
    }
  }
  return null
}

export function linkFaultWords(fault: LinkFault): string {
  if (fault.is === 'unknown') return `there is no item #${fault.number}`
  if (fault.is === 'withdrawn')
    return `#${fault.number} is withdrawn, and nothing that waits for it would ever begin`
  const way = fault.numbers.map((number) => `#${number}`)
  return fault.field === 'parent'
    ? `an item cannot be a part of itself: ${way.join(' is a part of ')}`
    : `no item can wait for itself: ${way.join(' waits for ')}`
}

/** Those that wait for an item and are not over themselves. */
export function waitingFor(others: readonly PlanLinks[], number: number): number[] {
  return others
    .filter(({ state, dependsOn }) => !ENDED.has(state) && dependsOn.includes(number))
    .map((other) => other.number)
    .toSorted((a, b) => a - b)
}
