// The tests of an item: its own, and the whole suite where that is something else.
import { type GateName, type GateResult, isBlocking } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Gates } from '../ports/gates.ts'

export interface TestPlan {
  readonly gates: Gates
  readonly cwd: string
  readonly item: Pick<Item, 'testCommand'> & Partial<Pick<Item, 'specTask'>>
  /** The whole suite's command. */
  readonly suite: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Whether it is noted which files the tests load. */
  readonly recordsLoads?: boolean
  /** Told what is printed, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined
}

/** Builds what they need, runs the item's own tests, and the whole suite where that is something else. */
export async function runTestGates(plan: TestPlan): Promise<GateResult[]> {
  const { cwd, timeoutMs, signal, recordsLoads = false, onOutput } = plan
  const asked = { cwd, timeoutMs, signal, recordsLoads, onOutput }
  const command = plan.item.testCommand ?? plan.suite
  const build = await plan.gates.runBuild({ ...asked, command })
  if (build !== null && isBlocking(build)) return [build]
  const built = build === null ? [] : [build]
  const ran = await plan.gates.runTests({ ...asked, command, ...(build === null ? {} : { isBuilt: true }) })
  const own = judgeExpected(ran, plan.item.specTask?.expected ?? null)
  if (plan.item.testCommand === null || plan.suite === null) return [...built, own]
  const suite = await plan.gates.runTests({ ...asked, command: plan.suite })
  // Tests that could not be built have not regressed: nobody knows.
  const judged: GateResult = suite.gate === 'build_pass' ? suite : { ...suite, gate: 'no_regression' }
  return [...built, own, judged]
}

/** A command that ends well and does not print what was expected has failed. */
function judgeExpected(result: GateResult, expected: string | null): GateResult {
  if (expected === null || (result.is !== 'passed' && result.is !== 'passed_with_warnings')) return result
  const { gate, evidence } = result
  if (evidence.tail.includes(expected)) return result
  const message = `it did not print what was expected: ${expected}`
  return {
    is: 'failed',
    gate,
    evidence,
    failures: [{ id: 'expected output', file: null, line: null, message, stack: null }],
  }
}

/**
 * Of what `runTestGates` found, the item's own tests and the whole suite, by the names of the gates; a build that failed
 * stands for the tests that it kept from being run. Null: there are none, or they did not get their turn.
 */
export function testResults(
  { testCommand }: Pick<Item, 'testCommand'>,
  found: readonly GateResult[],
): { own: GateResult | null; suite: GateResult | null } {
  const named = (name: GateName) => found.find(({ gate }) => gate === name) ?? null
  const broken = found.find((result) => result.gate === 'build_pass' && isBlocking(result)) ?? null
  const tests = named('tests_pass')
  if (testCommand === null) return { own: null, suite: tests ?? broken }
  return { own: tests ?? broken, suite: named('no_regression') ?? (tests === null ? null : broken) }
}

/** The commands that judge a change, and that it must not rewrite. */
export function judgesOf(
  { testCommand, measure }: Pick<Item, 'testCommand' | 'measure'>,
  suite: string | null,
): string[] {
  return [testCommand, suite, measure?.command ?? null].flatMap((command) => command ?? [])
}
