// Which few parts of the code, if they were wrong, would explain what failed and what passed? Over all such
// explanations, weighed by how well they explain, two failures have one cause as often as one part explains both.

/** How close a part of the code is to each failure that ran it: above 0, up to 1; 0 for one that did not run it. */
export interface Suspect {
  readonly passing: number
  readonly closeness: readonly number[]
}

/** What another cause costs an explanation, and what a failure that it leaves open costs; found on the tuning sets. */
const causeCost = 2.5
const openCost = 6
const causesMax = 6
const beam = 60
/** Comparing explanations is bounded: so many suspects, so many failures that hang together. */
const suspectsMax = 40
const ownSuspectsMax = 6
const failuresMax = 120
/** An explanation this much worse than the best says nothing any more. */
const farWorse = 9

interface Explanation {
  readonly suspects: readonly number[]
  readonly worth: number
  /** The suspect of each failure, -1 for none. */
  readonly blamed: readonly number[]
}

/** For each two of the failures how likely they have one cause; null where the suspects cannot tell. */
export function sharedCauses(
  count: number,
  suspects: readonly Suspect[],
): (a: number, b: number) => number | null {
  const shares = new Map<string, number>()
  const open = new Set<number>()
  for (const members of connected(count, suspects)) {
    if (members.length > failuresMax) for (const each of members) open.add(each)
    else if (members.length > 1) share(members, suspects, shares)
  }
  return (a, b) => (open.has(a) || open.has(b) ? null : (shares.get(keyOf(a, b)) ?? 0))
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** Failures that no suspect joins, directly or over others, have nothing in common. */
function connected(count: number, suspects: readonly Suspect[]): number[][] {
  const parent = Array.from({ length: count }, (_, at) => at)
  const find = (at: number): number => {
    let top = at
    while (parent[top] !== undefined && parent[top] !== top) top = parent[top] ?? top
    parent[at] = top
    return top
  }
  for (const { closeness } of suspects) {
    const first = closeness.findIndex((each) => each > 0)
    closeness.forEach((each, at) => {
      if (each > 0) parent[find(at)] = find(first)
    })
  }
  const groups = Map.groupBy(
    Array.from({ length: count }, (_, at) => at),
    find,
  )
  return [...groups.values()]
}

function share(members: readonly number[], suspects: readonly Suspect[], shares: Map<string, number>): void {
  const explanations = explain(shortList(members, suspects))
  const best = Math.max(...explanations.map(({ worth }) => worth))
  let total = 0
  for (const { worth, blamed } of explanations) {
    if (worth < best - farWorse) continue
    const weight = Math.exp(worth - best)
    total += weight
    for (const [a, b] of pairsIn(blamed)) {
      const key = keyOf(members[a] ?? 0, members[b] ?? 0)
      shares.set(key, (shares.get(key) ?? 0) + weight)
    }
  }
  for (const [at, a] of members.entries()) {
    for (const b of members.slice(at + 1)) {
      const sum = shares.get(keyOf(a, b))
      if (sum !== undefined) shares.set(keyOf(a, b), sum / total)
    }
  }
}

function pairsIn(blamed: readonly number[]): [number, number][] {
  return blamed.flatMap((one, a) =>
    one < 0 ? [] : blamed.flatMap((other, b): [number, number][] => (b > a && one === other ? [[a, b]] : [])),
  )
}

/** The likeliest alone, and for each failure those that fewest passing tests ran. */
function shortList(members: readonly number[], suspects: readonly Suspect[]): Suspect[] {
  const own = new Map<string, Suspect>()
  for (const { passing, closeness } of suspects) {
    const mine = members.map((at) => closeness[at] ?? 0)
    if (mine.some((each) => each > 0)) own.set(`${passing} ${mine.join()}`, { passing, closeness: mine })
  }
  const all = [...own]
    .map(([key, suspect]) => ({
      key,
      suspect,
      worth: worthOf([suspect], [0])?.worth ?? Number.NEGATIVE_INFINITY,
    }))
    .sort((a, b) => b.worth - a.worth || (a.key < b.key ? -1 : 1))
    .map(({ suspect }) => suspect)
  const kept = new Set(all.slice(0, suspectsMax))
  for (const at of members.keys()) {
    const mine = all.filter(({ closeness }) => (closeness[at] ?? 0) > 0)
    for (const each of mine.toSorted((a, b) => a.passing - b.passing).slice(0, ownSuspectsMax)) kept.add(each)
  }
  return all.filter((each) => kept.has(each))
}

/** The best of each number of causes, found by adding one at a time to the best with one fewer. */
function explain(suspects: readonly Suspect[]): Explanation[] {
  const all: Explanation[] = []
  let level: readonly Explanation[] = [{ suspects: [], worth: 0, blamed: [] }]
  let best = Number.NEGATIVE_INFINITY
  for (let causes = 1; causes <= causesMax; causes += 1) {
    level = extended(level, suspects)
    all.push(...level)
    const top = level[0]?.worth
    if (top === undefined || top < best - farWorse) break
    best = Math.max(best, top)
  }
  return all
}

function extended(level: readonly Explanation[], suspects: readonly Suspect[]): Explanation[] {
  const choices = new Map<string, readonly number[]>()
  for (const { suspects: before } of level) {
    for (const at of suspects.keys()) {
      const chosen = [...new Set([...before, at])].sort((a, b) => a - b)
      if (chosen.length > before.length) choices.set(chosen.join(), chosen)
    }
  }
  return [...choices.values()]
    .map((chosen) => worthOf(suspects, chosen))
    .filter((each) => each !== null)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, beam)
}

/** Null if one of the suspects explains nothing that the others do not explain better. */
function worthOf(suspects: readonly Suspect[], chosen: readonly number[]): Explanation | null {
  const accused = chosen.flatMap((index) => suspects[index] ?? [])
  const blames = accused.map(() => 0)
  const blamed: number[] = []
  let worth = -causeCost * accused.length
  for (const at of accused[0]?.closeness.keys() ?? []) {
    const by = closestTo(at, accused)
    blamed.push(by)
    blames[by] = (blames[by] ?? 0) + 1
    worth += by < 0 ? -openCost : Math.log(accused[by]?.closeness[at] ?? 0)
  }
  if (blames.includes(0)) return null
  for (const [place, { passing }] of accused.entries()) worth += logChance(blames[place] ?? 0, passing)
  return { suspects: chosen, worth, blamed }
}

function closestTo(failure: number, accused: readonly Suspect[]): number {
  let closest = 0
  let by = -1
  for (const [place, { closeness }] of accused.entries()) {
    if ((closeness[failure] ?? 0) <= closest) continue
    closest = closeness[failure] ?? 0
    by = place
  }
  return by
}

/** How likely so many failed and so many passed of those that ran a wrong part, if nobody knows how often it shows. */
function logChance(failed: number, passed: number): number {
  // The beta function of failed + 1 and passed + 1.
  let log = -Math.log(failed + passed + 1)
  for (let each = 1; each <= Math.min(failed, passed); each += 1) {
    log += Math.log(each) - Math.log(failed + passed + 1 - each)
  }
  return log
}
