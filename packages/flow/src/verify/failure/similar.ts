// How alike two failures are, judged by the functions that they reach, and the clusters that follow from it.
import type { CodePart, FailureHints, FunctionName } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import { type Suspect, sharedCauses } from './explain.ts'
import type { FailureFacts } from './signature.ts'

/** Found on the tuning set of bench/grouping: below it different causes begin to meet. */
const alikeMin = 0.55
/** Where an error was thrown counts for more than what the test calls. */
const thrownWeight = 1.5
const callerFade = 0.5
/** How fast a function loses suspicion with each passing test that reaches it. */
const innocence = 0.2
/** What each failure has for itself: functions that many passing tests reach do not make two failures alike. */
const ownPart = 0.2
/** The same limit where the tests were watched, so that two kinds of evidence go into it. */
const watchedAlikeMin = 0.63
/** How much one likely cause counts against having run the same things. */
const causePart = 2 / 3
/** What a failing test ran and what seems to have nothing to do with the statement that failed. */
const farCloseness = 0.2
const thrownFade = 0.8
/** Comparing each with each is bounded; so many clusters are left as they are. */
const clustersMax = 600

export interface FailureProfile {
  readonly failure: TestFailure
  readonly facts: FailureFacts
  /** Reached functions by closeness. */
  readonly near: ReadonlyMap<FunctionName, number>
  /** The same by suspicion, as a vector of at most length 1. */
  readonly reach: ReadonlyMap<FunctionName, number>
  readonly hinted: boolean
}

export function suspicionOf(hints: FailureHints | null): (name: FunctionName) => number {
  const passes = new Map<FunctionName, number>()
  for (const reached of hints?.passed ?? []) {
    for (const [name, weight] of reached) passes.set(name, (passes.get(name) ?? 0) + weight)
  }
  return (name) => 1 / (1 + innocence * (passes.get(name) ?? 0))
}

/** What a test reaches, and where its error was thrown. */
export function nearOf(
  facts: FailureFacts,
  hinted: ReadonlyMap<FunctionName, number>,
): ReadonlyMap<FunctionName, number> {
  const near = new Map(hinted)
  const thrown = facts.kind === 'assertion' ? [] : facts.thrown
  thrown.forEach(({ file, fn }, depth) => {
    const name = functionName(file, fn)
    if (name !== null) near.set(name, Math.max(near.get(name) ?? 0, thrownFade ** depth))
  })
  return near
}

export function reachOf(
  facts: FailureFacts,
  hinted: ReadonlyMap<FunctionName, number>,
  suspicion: (name: FunctionName) => number,
): Map<FunctionName, number> {
  const reach = new Map(hinted)
  const thrown = facts.kind === 'assertion' ? [] : facts.thrown
  thrown.forEach(({ file, fn }, depth) => {
    const name = functionName(file, fn)
    const weight = thrownWeight * callerFade ** depth
    if (name !== null && weight > (reach.get(name) ?? 0)) reach.set(name, weight)
  })
  const weighed = [...reach].map(([name, weight]) => [name, weight * suspicion(name)] as const)
  const length = Math.hypot(ownPart, ...weighed.map(([, weight]) => weight))
  return new Map(weighed.map(([name, weight]) => [name, weight / length]))
}

function functionName(file: string, fn: string | null): FunctionName | null {
  return fn === null ? null : `${file}#${fn.split(/\.|::/).at(-1)}`
}

/** From 0, nothing in common, to 1. */
function alike(a: FailureProfile, b: FailureProfile): number {
  // Frames alone say little about errors of different classes in one place.
  if (!(a.hinted && b.hinted) && a.facts.errorClass !== b.facts.errorClass) return 0
  return dot(a.reach, b.reach)
}

type Likeness = (a: FailureProfile, b: FailureProfile) => number

/** By what the tests were seen to run, where they were watched; else by what they seem to reach. */
export function likenessOf(seen: readonly FailureProfile[], parts: readonly CodePart[]): Likeness {
  if (parts.length === 0) return alike
  const suspects = parts.map((part) => suspectFrom(part, seen))
  const shared = sharedCauses(seen.length, suspects)
  const place = new Map(seen.map((each, at) => [each, at]))
  const ran = seen.map((_, at) => ranBy(at, suspects))
  return (a, b) => {
    const [one = -1, other = -1] = [place.get(a), place.get(b)]
    const [mine, theirs] = [ran[one], ran[other]]
    if (!mine?.size || !theirs?.size) return alike(a, b)
    const same = dot(mine, theirs)
    const cause = shared(one, other) ?? same
    return causePart * cause + (1 - causePart) * same + alikeMin - watchedAlikeMin
  }
}

function suspectFrom({ fn, failing, passing }: CodePart, seen: readonly FailureProfile[]): Suspect {
  const closeness = seen.map(({ failure, near }) =>
    failing.has(failure.id) ? farCloseness + (1 - farCloseness) * Math.min(1, near.get(fn) ?? 0) : 0,
  )
  return { passing, closeness }
}

/** What one failing test ran, by suspicion, as a vector of at most length 1. */
function ranBy(at: number, suspects: readonly Suspect[]): Map<number, number> {
  const weighed = suspects.flatMap(({ passing, closeness }, part): [number, number][] =>
    (closeness[at] ?? 0) > 0 ? [[part, 1 / (1 + passing) ** 2]] : [],
  )
  const length = Math.hypot(ownPart, ...weighed.map(([, weight]) => weight))
  return new Map(weighed.map(([part, weight]) => [part, weight / length]))
}

function dot<K>(a: ReadonlyMap<K, number>, b: ReadonlyMap<K, number>): number {
  let sum = 0
  for (const [name, weight] of a) sum += weight * (b.get(name) ?? 0)
  return sum
}

/** Joins the two most alike clusters, by the mean over their pairs, until none are alike enough. */
export function joinAlike(
  clusters: readonly (readonly FailureProfile[])[],
  likeness: Likeness,
): FailureProfile[][] {
  const groups: (FailureProfile[] | null)[] = clusters.map((cluster) => [...cluster])
  if (groups.length > clustersMax) return clusters.map((cluster) => [...cluster])
  const sums = clusters.map((a) => clusters.map((b) => sumOf(a, b, likeness)))
  for (let round = 1; round < clusters.length; round += 1) {
    const best = closest(groups, sums)
    if (best === null) break
    const [into, from] = best
    groups[into] = [...(groups[into] ?? []), ...(groups[from] ?? [])]
    groups[from] = null
    for (const [at, row] of sums.entries()) {
      const sum = (row[into] ?? 0) + (row[from] ?? 0)
      row[into] = sum
      const mirror = sums[into]
      if (mirror) mirror[at] = sum
    }
  }
  return groups.filter((group) => group !== null)
}

function sumOf(a: readonly FailureProfile[], b: readonly FailureProfile[], likeness: Likeness): number {
  let sum = 0
  for (const one of a) for (const other of b) sum += likeness(one, other)
  return sum
}

function closest(
  groups: readonly (readonly FailureProfile[] | null)[],
  sums: readonly (readonly number[])[],
): [number, number] | null {
  let best: [number, number] | null = null
  let mean = alikeMin
  for (let a = 0; a < groups.length; a += 1) {
    for (let b = a + 1; b < groups.length; b += 1) {
      const pairs = (groups[a]?.length ?? 0) * (groups[b]?.length ?? 0)
      const found = pairs === 0 ? 0 : (sums[a]?.[b] ?? 0) / pairs
      if (found > mean + 1e-9) {
        mean = found
        best = [a, b]
      }
    }
  }
  return best
}
