// What the processes that run candidates are told: which tests must turn green, which must stay so, and the limits.
import type { Project } from '../project/load.ts'
import type { Limits, Plan, TestResult } from '../run/protocol.ts'
import { FUEL } from './baseline.ts'

/** Most candidates that need more are in an endless loop, and each turn of it may cost more than the one before. */
const FUEL_MIN = 20_000
const FUEL_MAX = 20_000_000
const TEST_MS = 1_500

interface Tests {
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
}

/** With these left to be mended; all others must pass. */
export function planFor(project: Project, { failing, passing }: Tests, left: readonly TestResult[]): Plan {
  const wanted = new Set(left.map((test) => test.key))
  return {
    failing: left.map((test) => test.key),
    steps: left.map((test) => test.steps),
    passing: [...passing, ...failing].map((test) => test.key).filter((key) => !wanted.has(key)),
    reach: reachOf(project),
  }
}

/** What a candidate may take, by what the tests took before. */
export function limitsFor({ failing, passing }: Tests): { limits: Limits; silenceMs: number } {
  // What ran dry says nothing of how much a sound run takes.
  const sound = [...failing, ...passing].filter((test) => test.fuel < FUEL)
  const most = Math.max(0, ...sound.map((test) => test.fuel))
  const fuel = Math.min(FUEL_MAX, Math.max(FUEL_MIN, 10 * most))
  const ms = sound.reduce((sum, test) => sum + test.ms, 0)
  return { limits: { fuel, testMs: TEST_MS }, silenceMs: Math.min(60_000, 5_000 + 10 * ms) }
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
