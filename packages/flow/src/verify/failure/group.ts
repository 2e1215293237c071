// Failures with one likely cause become one group, so that one improvement is made for it.
// Over-grouping is the worse error: two causes in one group hide each other, two groups only cost a second try.
import type { FailureGroup, FailureHints } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import { causeOf } from './cause.ts'
import { factsOf, frameText, hashOf, signatureFrom } from './signature.ts'
import { type FailureProfile, joinAlike, likenessOf, nearOf, reachOf, suspicionOf } from './similar.ts'

const suspectsMax = 5
const framesMax = 20

/** The same groups in the same order, whatever the order of the failures; each failure is in exactly one. */
export function groupFailures(
  failures: readonly TestFailure[],
  hints: FailureHints | null = null,
): FailureGroup[] {
  const suspicion = suspicionOf(hints)
  const seen = failures
    .map((failure): FailureProfile => {
      const facts = factsOf(failure)
      const hinted = hints?.reachedBy(failure) ?? new Map<string, number>()
      const near = nearOf(facts, hinted)
      return { failure, facts, near, reach: reachOf(facts, hinted, suspicion), hinted: hinted.size > 0 }
    })
    .map((each) => ({ each, key: JSON.stringify(each.failure) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ each }) => each)
  const groups = joinAlike(joinSure(seen), likenessOf(seen, hints?.parts ?? [])).map(toGroup)
  const ordered = groups.sort(
    (a, b) => b.failures.length - a.failures.length || compare(a.tests[0], b.tests[0]),
  )
  return withIds(ordered)
}

function compare(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  return (a ?? '') < (b ?? '') ? -1 : 1
}

/** What is beyond doubt goes together first. */
function joinSure(seen: readonly FailureProfile[]): FailureProfile[][] {
  const clusters = new Map<string, FailureProfile[]>()
  for (const each of seen) {
    const { failure, facts } = each
    // Two gates may tell of the same failing test.
    const key = sureKey(each) ?? JSON.stringify(['test', failure.id, facts.errorClass, facts.message])
    clusters.set(key, [...(clusters.get(key) ?? []), each])
  }
  return [...clusters.values()]
}

function sureKey({ failure, facts }: FailureProfile): string | null {
  const { kind, errorClass, message, inTest } = facts
  const [at] = facts.thrown
  switch (kind) {
    case 'load':
      return at === undefined ? loadKey(failure) : JSON.stringify([kind, errorClass, at.file, at.fn])
    case 'timeout':
      return /\bhook\b|before|set ?up/i.test(message) ? JSON.stringify([kind, failure.file, message]) : null
    case 'error': {
      // A function without a name is not enough of a place; then the message has to be the same too.
      if (at !== undefined)
        return JSON.stringify([kind, errorClass, at.file, at.fn, at.fn === null ? message : ''])
      return sameStatement(failure, facts)
    }
    case 'assertion':
      return inTest.length > 0 ? sameStatement(failure, facts) : null
    case 'unknown':
      return null
  }
}

/** The same module is missing, or the same file is broken. */
function loadKey({ file, message }: TestFailure): string {
  const missing =
    /(?:cannot find (?:module|package)|No module named|failed to resolve import) ['"]([^'"]+)['"]/i
  const name = missing.exec(message)?.[1]
  return JSON.stringify(
    name === undefined ? ['load', file] : ['missing', name.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '')],
  )
}

/** One assertion that fails for several rows of a table. */
function sameStatement(
  failure: TestFailure,
  { kind, errorClass, message, inTest }: FailureProfile['facts'],
): string | null {
  const [deepest] = inTest
  if (deepest === undefined || deepest.line === null || deepest.file !== failure.file || deepest.fn !== null)
    return null
  return JSON.stringify([kind, errorClass, message, deepest.file, deepest.line])
}

function toGroup(members: readonly FailureProfile[]): FailureGroup {
  const first = members[0]
  if (first === undefined) throw new RangeError('a group has a failure')
  const frames = sharedBy(members.map(({ facts }) => [...facts.source, ...facts.inTest].map(frameText)))
  const suspects = suspectsOf(members)
  const tests = [...new Set(members.map(({ failure }) => failure.id))].sort(compare)
  return {
    id: '',
    kind: commonest(members.map(({ facts }) => facts.kind)) ?? first.facts.kind,
    signature: signatureFrom(commonestFacts(members) ?? first.facts),
    cause: causeOf(members, suspects),
    tests,
    failures: members.map(({ failure }) => failure),
    frames: frames.slice(0, framesMax),
    suspects,
  }
}

function sharedBy(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...rest] = lists
  const sets = rest.map((list) => new Set(list))
  return [...new Set(first)].filter((each) => sets.every((set) => set.has(each)))
}

function suspectsOf(members: readonly FailureProfile[]): string[] {
  const shared = sharedBy(members.map(({ reach }) => [...reach.keys()]))
  const total = (name: string) => members.reduce((sum, { reach }) => sum + (reach.get(name) ?? 0), 0)
  return shared
    .map((name) => ({ name, weight: total(name) }))
    .sort((a, b) => b.weight - a.weight || compare(a.name, b.name))
    .slice(0, suspectsMax)
    .map(({ name }) => name)
}

function commonest<T extends string>(values: readonly T[]): T | null {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))[0]?.[0] ?? null
}

function commonestFacts(members: readonly FailureProfile[]): FailureProfile['facts'] | undefined {
  const texts = members.map(({ facts }) => signatureFrom(facts).text)
  return members[texts.indexOf(commonest(texts) ?? '')]?.facts
}

/** By signature and likeliest function, so that the same cause is known again after an attempt; by tests where
 * that is not enough. */
function withIds(groups: readonly FailureGroup[]): FailureGroup[] {
  const taken = new Set<string>()
  return groups.map((group) => {
    const key = keyOf(group)
    const same = groups.filter((each) => keyOf(each) === key).length > 1
    let id = hashOf(same ? `${key}\n${group.tests.join('\n')}` : key)
    while (taken.has(id)) id = hashOf(id)
    taken.add(id)
    return { ...group, id }
  })
}

function keyOf({ signature, suspects }: FailureGroup): string {
  return `${signature.text}\n${suspects[0] ?? ''}`
}
