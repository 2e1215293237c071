// What a check found. A verdict without evidence cannot be written down.
import { z } from 'zod'
import { Positive, Sha256 } from './ids.ts'
import { MeasureFound } from './measure.ts'

export const StackFrame = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int().nullable(),
  fn: z.string().nullable(),
  /** Inside the project: neither a dependency nor the runner nor the language's own library. */
  own: z.boolean(),
})
export type StackFrame = z.infer<typeof StackFrame>

export const TestFailure = z.strictObject({
  id: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  message: z.string(),
  stack: z.string().nullable(),
  expected: z.string().nullable().optional(),
  actual: z.string().nullable().optional(),
  durationMs: z.number().nullable().optional(),
  /** The stack, taken apart; the innermost call comes first. */
  frames: z.array(StackFrame).optional(),
  /** What the test printed, as far as the report tells it apart. */
  output: z.string().optional(),
})
export type TestFailure = z.infer<typeof TestFailure>

export const ReportFormat = z.enum([
  'vitest-json',
  'jest-json',
  'mocha-json',
  'playwright-json',
  'rspec-json',
  'ctrf',
  'go-json',
  'libtest-json',
  'junit',
  'tap',
  'vitest-text',
  'jest-text',
  'mocha-text',
  'node-text',
  'ava-text',
  'playwright-text',
  'unittest-text',
  'pytest-text',
  'go-text',
  'cargo-text',
  'maven-text',
  'gradle-text',
  'bun-text',
  'phpunit-text',
  'rspec-text',
  'minitest-text',
  'jasmine-text',
  'bats-text',
  'cucumber-text',
  'uvu-text',
  'prove-text',
  'none',
])
export type ReportFormat = z.infer<typeof ReportFormat>

export const TestReport = z.strictObject({
  format: ReportFormat,
  total: z.int(),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  failures: z.array(TestFailure),
  warnings: z.array(z.string()),
})
export type TestReport = z.infer<typeof TestReport>

/** Passed of all, from 0 to 1. A run without tests has proved nothing: 0. */
export function passRate({ passed, total }: Pick<TestReport, 'passed' | 'total'>): number {
  return total > 0 ? passed / total : 0
}

export const Evidence = z.strictObject({
  command: z.string(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  /** Content hash of the output, kept under the workspace's evidence folder. */
  output: Sha256,
  /** How much of it is kept. */
  outputBytes: z.int(),
  /** How much was printed in all, if it was more than is kept: then the beginning and the end are. */
  printedBytes: z.int().optional(),
  /** The end of the output, for people and prompts. */
  tail: z.string(),
  report: TestReport.nullable(),
  /** Of planted faults: how many assertions noticed of those that count, and whether any changed what a test did. */
  strength: z
    .strictObject({
      noticed: z.int(),
      planted: z.int(),
      ran: z.boolean(),
      /** Branches of the changed lines that no test takes; absent where all are taken, or nobody looked. */
      untaken: z.int().min(1).optional(),
    })
    .optional(),
  /** Of other inputs: the clock ended the search for another patch before it had found one. */
  searchCut: z.literal(true).optional(),
  /** Of a witness: files of the tests that have only more data than before, without which no other tests are red. */
  heldWithout: z.array(z.string()).optional(),
  /** Content hash of what the processes of the run have noted of the files that they loaded, kept beside the output. */
  loads: Sha256.optional(),
  /** Content hash of the names of the tests that passed, of a report that tells all of them. */
  tests: Sha256.optional(),
  /** What the item's measure said, where it has one. */
  measure: MeasureFound.optional(),
  /** Of a revert: tests from before the merge hold, and some that came with it fail without it. */
  tookBack: z.strictObject({ number: Positive }).optional(),
})
export type Evidence = z.infer<typeof Evidence>

export const GateName = z.enum([
  'tests_pass',
  'no_regression',
  'build_pass',
  'linter_pass',
  'coverage_pass',
  'secrets',
  'test_integrity',
  'capabilities',
  'tasks_kept',
  'new_packages',
  'security',
  'documentation',
  'witness',
  'loads',
  'assertions',
  'other_inputs',
  'other_conditions',
  'mutation',
])
export type GateName = z.infer<typeof GateName>

/** They advise: what they find, or cannot look at, is told and holds nothing up. */
const ADVISORY: ReadonlySet<GateName> = new Set(['documentation', 'other_inputs', 'mutation'])

/** What kind of thing a change brings that no standing order may merge. */
export const WaitClass = z.enum([
  'protected_path',
  'conditions',
  'inputs',
  'capability',
  'configuration',
  /** A name that tests import, or the runner, comes to something else than before, and the change does not say why. */
  'loads',
  'unreadable',
  /** In a revert, what was written where a computed change was expected. */
  'by_hand',
])
export type WaitClass = z.infer<typeof WaitClass>

/** One thing that a change brings, for which it waits until somebody has read it. */
export const Wait = z.strictObject({
  class: WaitClass,
  file: z.string(),
  line: z.int().nullable(),
  words: z.string(),
  /** Data of the tests: nobody need read it where it has only more than before and the witness holds without that. */
  isTestData: z.literal(true).optional(),
  /** Of inputs: another patch that passes the same tests, and the calls that the two answer differently. */
  another: z.strictObject({ shows: z.string().min(1), patch: z.string().min(1) }).optional(),
})
export type Wait = z.infer<typeof Wait>

export const GateResult = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('passed'), gate: GateName, evidence: Evidence }),
  z.strictObject({
    is: z.literal('passed_with_warnings'),
    gate: GateName,
    evidence: Evidence,
    warnings: z.array(z.string()).min(1),
    /** Tests with both outcomes on the same tree; the warnings tell of them in words. */
    flaky: z.array(z.string()).optional(),
    /** What the change waits for a reader with; the warnings tell of it in words. */
    waits: z.array(Wait).min(1).optional(),
  }),
  z.strictObject({
    is: z.literal('failed'),
    gate: GateName,
    evidence: Evidence,
    failures: z.array(TestFailure).min(1),
  }),
  z.strictObject({ is: z.literal('skipped'), gate: GateName, why: z.string().min(1) }),
  z.strictObject({
    is: z.literal('not_run'),
    gate: GateName,
    why: z.string().min(1),
    /** The command itself ran; there was no test in it. */
    noTests: z.literal(true).optional(),
  }),
])
export type GateResult = z.infer<typeof GateResult>

/** Whether a result stands in the way of a merge; what did not run proves nothing and does. */
export function isBlocking({ is, gate }: GateResult): boolean {
  return (is === 'failed' || is === 'not_run') && !ADVISORY.has(gate)
}

/** True only if a gate passed and none blocks; skipped ones were the owner's decision or do not apply. */
export function gatesGreen(gates: readonly GateResult[]): boolean {
  const passed = ({ is, gate }: GateResult) =>
    (is === 'passed' || is === 'passed_with_warnings') && !ADVISORY.has(gate)
  return gates.some(passed) && !gates.some(isBlocking)
}

/** What a change waits with, the protected paths first; not with more data of tests that the witness does without. */
export function waitsIn(gates: readonly GateResult[]): Wait[] {
  const held = new Set(gates.flatMap((gate) => ('evidence' in gate ? (gate.evidence.heldWithout ?? []) : [])))
  const waits = gates
    .flatMap((gate) => ('waits' in gate ? (gate.waits ?? []) : []))
    .filter(({ isTestData, file }) => isTestData !== true || !held.has(file))
  return [...waits.filter(needsPerson), ...waits.filter((wait) => !needsPerson(wait))]
}

/** What no model may merge either. */
export function needsPerson({ class: kind }: Pick<Wait, 'class'>): boolean {
  return kind === 'protected_path' || kind === 'conditions'
}
