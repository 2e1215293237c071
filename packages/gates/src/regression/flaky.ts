// What several runs of one test on one tree say about it, next to what was seen on the base. Pure.

/** `absent`: the run ended, but nothing can be said of this test. */
export type ObservedResult = 'passed' | 'failed' | 'absent'

export interface TestRuns {
  /** What was seen before the change; empty for a new test. */
  readonly base: readonly ObservedResult[]
  /** What was seen after it, at least one run. */
  readonly now: readonly ObservedResult[]
}

type Standing =
  | 'passing'
  | 'fixed'
  | 'regressed'
  | 'still_failing'
  /** Failing, with nothing to compare it with. */
  | 'failing'
  /** Both outcomes on the same tree. */
  | 'flaky'

export interface TestVerdict {
  readonly is: Standing
  /** Whether the tree must not go on as it is. */
  readonly blocks: boolean
}

/**
 * A flaky test is never fixed: one that failed on the base, or that is new, has to pass every time. One that passed
 * on the base and passes now as well at times is no regression, but people are told. A test of which a run says
 * nothing counts as failed there: what was not seen to pass has not passed.
 */
export function judgeTest({ base, now }: TestRuns): TestVerdict {
  const passed = now.includes('passed')
  const failed = now.some((seen) => seen !== 'passed')
  const passedBefore = base.includes('passed')
  const failedBefore = base.includes('failed')
  if (passed && failed) return { is: 'flaky', blocks: !passedBefore }
  if (passed) return judgePassed(passedBefore, failedBefore)
  if (passedBefore) return { is: 'regressed', blocks: true }
  return { is: failedBefore ? 'still_failing' : 'failing', blocks: true }
}

function judgePassed(passedBefore: boolean, failedBefore: boolean): TestVerdict {
  // A test with both outcomes on the base passes by luck or by merit; nobody can tell which.
  if (passedBefore && failedBefore) return { is: 'flaky', blocks: false }
  return { is: failedBefore ? 'fixed' : 'passing', blocks: false }
}

export function describeFlaky(id: string, { base, now }: TestRuns): string {
  const count = (seen: readonly ObservedResult[]) =>
    `${seen.filter((each) => each === 'passed').length} of ${seen.length}`
  const before = base.length === 0 ? 'it is new' : `before the change ${count(base)}`
  return `flaky: ${id} passed ${count(now)} runs on the same tree (${before})`
}
