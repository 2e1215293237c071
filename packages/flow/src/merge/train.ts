// Who is merged together, and who next after a stack was red. Pure.
import type { Item } from '@treadle/contracts/item'

type Waiting = Pick<Item, 'projectNumber' | 'number' | 'updatedAt'>

/** The one whose turn it is and those that have waited longest, the oldest first, at most `max`. */
export function chooseBatch<T extends Waiting>(waiting: readonly T[], turn: T, max: number): T[] {
  const others = waiting.filter((item) => !isSame(item, turn)).sort(byAge)
  return [turn, ...others.slice(0, max - 1)].sort(byAge)
}

function isSame(one: Waiting, other: Waiting): boolean {
  return one.projectNumber === other.projectNumber && one.number === other.number
}

function byAge(one: Waiting, other: Waiting): number {
  return (
    Date.parse(one.updatedAt) - Date.parse(other.updatedAt) ||
    one.projectNumber - other.projectNumber ||
    one.number - other.number
  )
}

/** What came of merging a group as one stack. */
export type Together<T> =
  | { readonly is: 'landed'; readonly left: readonly T[] }
  /** `tried` is what was red; what could not be stacked on it is `left`. */
  | { readonly is: 'red'; readonly tried: readonly T[]; readonly left: readonly T[] }
  | { readonly is: 'moved' }

/**
 * The groups that remain. A red stack is halved: if its earlier half is green it lands, so that the later one is held
 * against a target that has it. Of two that are green apart and red together the later one goes back. What does not
 * stack is merged by itself afterwards, and so is everything once the target has moved too often.
 */
export function groupsAfter<T>(
  { group, rest }: { readonly group: readonly T[]; readonly rest: readonly (readonly T[])[] },
  together: Together<T>,
  triesLeft: number,
): (readonly T[])[] {
  switch (together.is) {
    case 'landed':
      return [...alone(together.left), ...rest]
    case 'red':
      return [...halves(together.tried), ...alone(together.left), ...rest]
    case 'moved':
      return triesLeft > 0 ? [group, ...rest] : [...alone(group), ...rest]
  }
}

function alone<T>(items: readonly T[]): T[][] {
  return items.map((item) => [item])
}

function halves<T>(group: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(group.length / 2)
  return [group.slice(0, middle), group.slice(middle)].filter((half) => half.length > 0)
}

/** Merges on one line in runs: within a run, each stands on the one before. */
export function runsOf<T extends { readonly commit: string; readonly parent: string }>(
  merges: readonly T[],
): T[][] {
  const byParent = new Map(merges.map((merge) => [merge.parent, merge]))
  const commits = new Set(merges.map(({ commit }) => commit))
  return merges
    .filter(({ parent }) => !commits.has(parent))
    .map((first) => {
      const run = [first]
      for (let next = byParent.get(first.commit); next !== undefined; next = byParent.get(next.commit))
        run.push(next)
      return run
    })
}
