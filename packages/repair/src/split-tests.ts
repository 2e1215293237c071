// Which failing tests are searched for, and which passing ones must stay so.
import type { Split } from './rank/conclude.ts'
import type { Failure, TestResult } from './run/protocol.ts'
import type { Baseline } from './search/baseline.ts'

/** A test counts where it gives the same verdict in the open and confined, and a failure for no other reason. */
export function splitTests({ tests, confined }: Baseline): Split {
  const alike = tests.filter((test) => {
    const other = confined.get(test.key)
    return other?.is === test.is && isDenied(other.failure) === isDenied(test.failure)
  })
  const byCost = (a: TestResult, b: TestResult) => a.module - b.module || a.fuel - b.fuel
  return {
    failing: alike.filter((test) => test.is === 'failed').sort(byCost),
    passing: alike.filter((test) => test.is === 'passed'),
  }
}

function isDenied(failure: Failure | null): boolean {
  return /a candidate may not use|ERR_ACCESS_DENIED|Access to this API has been restricted/.test(
    failure === null ? '' : `${failure.name}: ${failure.message}`,
  )
}
