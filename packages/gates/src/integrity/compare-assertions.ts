// Does a test still assert what it asserted? Layout, names and the order of assertions do not matter.
import type { Assertion } from './assertions.ts'
import { literalsOf } from './source.ts'

export interface Loss {
  /** In the new file; null: it is gone. */
  readonly line: number | null
  readonly what: string
  readonly before: Assertion
  readonly after: Assertion | null
  readonly blocks: boolean
}

export function exactKey({ subject, matcher, expected }: Assertion): string {
  return JSON.stringify([subject, matcher.is, matcher.negated, expected])
}

/** What was asserted before and is not, or less so, now; `elsewhere` takes assertions that moved to new tests. */
export function lostAssertions(
  before: readonly Assertion[],
  after: readonly Assertion[],
  elsewhere: (assertion: Assertion) => boolean = () => false,
): Loss[] {
  const left = [...after]
  const losses: Loss[] = []
  const take = (find: (candidate: Assertion) => boolean): Assertion | null => {
    const index = left.findIndex(find)
    return index < 0 ? null : (left.splice(index, 1)[0] ?? null)
  }
  const notExact = before.filter((one) => {
    const key = exactKey(one)
    const same =
      take((each) => exactKey(each) === key && !idle(one, each)) ?? take((each) => exactKey(each) === key)
    if (same === null) return true
    losses.push(...idleLoss(one, same))
    return false
  })
  const notSubject = notExact.filter((one) => {
    if (one.plan)
      return planLoss(
        one,
        take((each) => each.plan),
        losses,
      )
    // The closest first: the same word with another value, then another word.
    const same =
      take((each) => each.subject === one.subject && each.matcher.is === one.matcher.is && !each.plan) ??
      take((each) => each.subject === one.subject && !each.plan)
    if (same === null) return true
    if (elsewhere(one)) {
      left.push(same)
      return false
    }
    losses.push(...weaker(one, same), ...idleLoss(one, same))
    return false
  })
  const gone = notSubject.filter((one) => {
    if (elsewhere(one)) return false
    const same = take((each) => sameDemand(one, each))
    if (same === null) return true
    losses.push(...subjectLoss(one, same), ...idleLoss(one, same))
    return false
  })
  return [...losses, ...goneLosses(gone, left)]
}

function sameDemand(a: Assertion, b: Assertion): boolean {
  return (
    a.matcher.is === b.matcher.is &&
    a.matcher.negated === b.matcher.negated &&
    a.expected.join() === b.expected.join() &&
    a.plan === b.plan
  )
}

/** Reached under fewer circumstances, or not waited for. */
function idle(before: Assertion, after: Assertion): boolean {
  return after.guards.length > before.guards.length || (after.floating && !before.floating)
}

function idleLoss(before: Assertion, after: Assertion): Loss[] {
  if (!idle(before, after)) return []
  const guard = after.guards.find((each) => !before.guards.includes(each)) ?? ''
  const what = (() => {
    if (after.floating && !before.floating) return 'nobody waits for the promise of this assertion any more'
    return guard === 'try'
      ? 'the failure of this assertion is now caught'
      : 'this assertion is now made only under a condition'
  })()
  return [{ line: after.line, what, before, after, blocks: true }]
}

function planLoss(before: Assertion, after: Assertion | null, losses: Loss[]): false {
  const less = after === null || Number(after.expected[0] ?? 1) < Number(before.expected[0] ?? 0)
  if (less)
    losses.push({
      line: after?.line ?? null,
      what: 'fewer assertions are announced',
      before,
      after,
      blocks: false,
    })
  return false
}

function weaker(before: Assertion, after: Assertion): Loss[] {
  const loss = (what: string): Loss[] => [{ line: after.line, what, before, after, blocks: true }]
  if (hollow(after) && !hollow(before)) return loss('this assertion no longer says anything about the code')
  if (after.matcher.rank < before.matcher.rank) return loss('this assertion asks for less')
  const changed =
    before.matcher.is === 'snapshot'
      ? 'the expected snapshot was rewritten'
      : 'the expected value was changed'
  const same = after.matcher.is === before.matcher.is && after.matcher.negated === before.matcher.negated
  if (same && before.expected.length > 0 && after.expected.length === 0)
    return loss('this assertion asks for less')
  if (same && widened(before, after)) return wider(before, after)
  if (same) return before.expected.length === 0 || sameValues(before, after) ? [] : loss(changed)
  return stillAsked(before, after) ? [] : loss(changed)
}

function sameValues(before: Assertion, after: Assertion): boolean {
  return before.expected.join() === after.expected.join()
}

/** In other words, but of at least the same weight. */
function stillAsked(before: Assertion, after: Assertion): boolean {
  if (before.matcher.negated) return !after.matcher.negated
  // From hardly anything to something definite is an improvement.
  return (
    before.matcher.rank <= 2 || holds(literalsOf(after.expected.join()), literalsOf(before.expected.join()))
  )
}

/** All that was expected of an object still is, and something more. */
function widened(before: Assertion, after: Assertion): boolean {
  if (sameValues(before, after)) return false
  if (![before, after].every(({ expected }) => expected.length === 1 && /^\{.*\}$/s.test(expected[0] ?? '')))
    return false
  return holds(partsOf(after.expected.join()), partsOf(before.expected.join()))
}

function wider(before: Assertion, after: Assertion): Loss[] {
  if (before.matcher.is !== 'equal') return []
  return [{ line: after.line, what: 'more properties are expected', before, after, blocks: false }]
}

function partsOf(rendered: string): string[] {
  return rendered.replace(/^\{|\}$/g, '').split(',')
}

/** The code under test does not occur in it. */
function hollow({ subject, expected, matcher, plan }: Assertion): boolean {
  if (plan) return false
  if (matcher.rank === 0) return true
  if (/^("(?:[^"\\]|\\.)*"|-?\d+(\.\d+)?|true|false|null|undefined|\[\]|\{\})$/.test(subject)) return true
  return matcher.is === 'equal' && !matcher.negated && subject !== '' && expected[0] === subject
}

function fallbacks({ subject }: Assertion): number {
  return subject.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/\|\||\?\?|&&|\?(?!\.)/g)?.length ?? 0
}

function subjectLoss(before: Assertion, after: Assertion): Loss[] {
  if (hollow(after) && !hollow(before)) {
    const what = 'this assertion no longer says anything about the code'
    return [{ line: after.line, what, before, after, blocks: true }]
  }
  if (fallbacks(after) > fallbacks(before))
    return [
      { line: after.line, what: 'what is asserted about now has a fallback', before, after, blocks: true },
    ]
  if (holds(literalsOf(after.subject), literalsOf(before.subject))) return []
  // Where another variable took the place of one, its value may come from somewhere else.
  const direct = !holds(literalsOf(after.written), literalsOf(before.written))
  const nearby = !holds(literalsOf(after.near), literalsOf(before.near))
  const blocks = direct || (nearby && after.near !== '')
  return [{ line: after.line, what: 'what is asserted about was changed', before, after, blocks }]
}

/** Assertions without a counterpart: gone, or written in another way with the same values. */
function goneLosses(gone: readonly Assertion[], left: readonly Assertion[]): Loss[] {
  if (gone.length === 0) return []
  const offered = left
    .filter((each) => !hollow(each) && each.matcher.rank > 1 && each.guards.length === 0)
    .flatMap((each) => literalsOf([each.subject, ...each.expected].join()))
  return gone.map((before) => {
    const needed = literalsOf([before.subject, ...before.expected].join())
    const rewritten = left.length >= gone.length && needed.length > 0 && holds(offered, needed)
    return rewritten
      ? { line: null, what: 'this assertion was written in another way', before, after: null, blocks: false }
      : { line: null, what: 'this assertion was removed', before, after: null, blocks: true }
  })
}

/** Every one of `needed` is among `given`, as often. */
function holds(given: readonly string[], needed: readonly string[]): boolean {
  const left = [...given]
  return needed.every((each) => {
    const index = left.indexOf(each)
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  })
}
