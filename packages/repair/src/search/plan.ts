// Orders to the processes that run candidates: which tests must turn green, which must stay so, and the limits.
import type { Project } from '../project/load.ts'
import type { Limits, Plan, TestResult } from '../run/protocol.ts'
import { FUEL } from './baseline.ts'

/** Most candidates that need more are in an endless loop, and each turn of it may cost more than the one before. */
const FUEL_MIN = 20_000
const FUEL_MAX = 20_000_000
/** A failing test may have taken so many because of the fault, so it is given less over what it took. */
const TIMES_SOUND = 10
const TIMES_FAILING = 3
const CPU_MS_MIN = 100
const CPU_TIMES = 10
const TEST_MS = 1_500

interface Tests {
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
}

/** With these left to be mended; all others must pass. */
export function planFor(project: Project, { failing, passing }: Tests, left: readonly TestResult[]): Plan {
  const wanted = new Set(left.map((test) => test.key))
  const { fuel } = limitsFor({ failing, passing }).limits
  const dear = [
    ...passing.map((test) => [test.key, bounded(TIMES_SOUND * test.fuel)] as const),
    ...failing.filter(isSound).map((test) => [test.key, bounded(TIMES_FAILING * test.fuel)] as const),
  ].filter(([, wants]) => wants > fuel)
  return {
    fuel: Object.fromEntries(dear),
    failing: left.map((test) => test.key),
    steps: left.map((test) => test.steps),
    passing: [...passing, ...failing].map((test) => test.key).filter((key) => !wanted.has(key)),
    reach: reachOf(project),
  }
}

/** Limits of a candidate, by what the tests took before. */
export function limitsFor({ failing, passing }: Tests): { limits: Limits; silenceMs: number } {
  const [failed, passed] = [failing.filter(isSound), passing.filter(isSound)]
  const sound = [...failed, ...passed]
  const most = (of: (test: TestResult) => number) => Math.max(middle(failed.map(of)), ...passed.map(of))
  const fuel = bounded(TIMES_SOUND * most((test) => test.fuel))
  const cpuMs = Math.max(CPU_MS_MIN, CPU_TIMES * most((test) => test.ms))
  const ms = sound.reduce((sum, test) => sum + test.ms, 0)
  return { limits: { fuel, cpuMs, testMs: TEST_MS }, silenceMs: Math.min(60_000, 5_000 + 10 * ms) }
}

/** A sound run says how much is needed; one that ran dry does not. */
function isSound(test: TestResult): boolean {
  return test.fuel < FUEL
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function bounded(fuel: number): number {
  return Math.min(FUEL_MAX, Math.max(FUEL_MIN, fuel))
}

/** The test modules from which each module is reached. */
export function reachOf(project: Project): Record<number, number[]> {
  const reach: Record<number, number[]> = {}
  for (const test of project.tests) {
    const seen = new Set<number>()
    const visit = (index: number): void => {
      if (seen.has(index)) return
      seen.add(index)
      for (const target of Object.values(project.files[index]?.requests ?? {})) {
        if (typeof target === 'number') visit(target)
      }
    }
    visit(test)
    for (const index of seen) reach[index] = [...(reach[index] ?? []), test]
  }
  return reach
}
