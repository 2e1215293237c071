// The check of other conditions: the change's tests on another day and as somebody else. What is red only then waits.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult, TestFailure, Wait } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { concludeCheck } from '../check-report.ts'
import { runElsewhere } from '../conditions/other-conditions.ts'
import { subsetCommand } from '../regression/plain-call.ts'
import { withPath } from '../regression/run-selected.ts'
import { type GateOptions, runTests } from '../tests.ts'
import { isTestFile, sortChange } from './changed-tests.ts'
import { waitingTests } from './decide-witness.ts'

const gate = 'other_conditions'
const conditions = 'the clock 40 days ahead, another home, user, host and time zone'
const timeMsMin = 60_000
const slower = 5

export async function checkConditions(
  options: GateOptions,
  request: ReviewChecksRequest,
): Promise<GateResult> {
  const startedAt = performance.now()
  const why = whySkipped(request)
  const call = why === null ? ownTests(options, request) : null
  if (call === null) return { is: 'skipped', gate, why: why ?? 'no test command is known' }
  const runs = new ConditionRuns(call.options, request)
  const head = await runs.elsewhere(request.cwd, call.command)
  const conclude = (waits: readonly Wait[]): GateResult =>
    concludeCheck(options, {
      gate,
      startedAt,
      lines: [conditions, ...runs.lines],
      failures: [],
      waits,
      warnings: runs.isClockMoved ? [] : ['clock not moved: only the environment was another'],
    })
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (head.is !== 'failed')
    return head.is === 'not_run' ? { is: 'skipped', gate, why: head.why } : conclude([])
  const left = await runs.withoutOld(call.command, head)
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (left === null)
    return { is: 'skipped', gate, why: 'the tests cannot be run elsewhere, without the change either' }
  // What fails only at times is not what is looked for.
  const again = left.length === 0 ? null : await runs.elsewhere(request.cwd, call.command)
  const twice = new Set(again?.is === 'failed' ? again.failures.map(({ id }) => id) : [])
  return conclude(left.filter(({ id }) => twice.has(id)).map(waitFor))
}

function waitFor({ id, file, line, message }: TestFailure): Wait {
  const first = message.split('\n', 1)[0] ?? ''
  return { class: 'conditions', file: file ?? '', line, words: `${id} is red with ${conditions}: ${first}` }
}

function whySkipped({ config, changed, earlier }: ReviewChecksRequest): string | null {
  if (config.conditions === 'off') return 'gates.conditions is off'
  const { code, tests } = sortChange(changed)
  if (code.length + tests.length === 0) return 'only documentation was changed'
  const runs = testRuns(earlier)
  const isGreen = runs.length > 0 && runs.every(({ is }) => is === 'passed' || is === 'passed_with_warnings')
  return isGreen ? null : 'the tests are not green as it is'
}

function testRuns(results: readonly GateResult[]): GateResult[] {
  return results.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
}

interface OwnTests {
  readonly command: string
  readonly options: GateOptions
}

/** The item's own command; else the files of tests that came with it or waited for it; else the suite. */
function ownTests(options: GateOptions, request: ReviewChecksRequest): OwnTests | null {
  const { item, command, cwd, changed, before } = request
  if (item.testCommand !== null) return { command: item.testCommand, options }
  if (command === null) return null
  const waiting = waitingTests(before, new Set())
  const files = [
    ...sortChange(changed).tests.filter(isTestFile),
    ...(waiting.is === 'known' ? waiting.tests.map(({ file }) => file) : []),
  ].filter((file) => existsSync(join(cwd, file)))
  return partOf(options, { command, cwd, files }) ?? { command, options }
}

function partOf(
  options: GateOptions,
  { command, cwd, files }: { command: string; cwd: string; files: readonly string[] },
): OwnTests | null {
  if (files.length === 0) return null
  const subset = subsetCommand(command, cwd, { files: [...new Set(files)] })
  return subset.is === 'command'
    ? { command: subset.command, options: withPath(options, subset.binFolders) }
    : null
}

type Failed = Extract<GateResult, { is: 'failed' }>

class ConditionRuns {
  readonly lines: string[] = []
  isClockMoved = false
  readonly #options: GateOptions
  readonly #request: ReviewChecksRequest

  constructor(options: GateOptions, request: ReviewChecksRequest) {
    this.#options = options
    this.#request = request
  }

  async elsewhere(cwd: string, command: string): Promise<GateResult> {
    const { result, isClockMoved } = await runElsewhere(this.#options, this.#asked(cwd, command))
    this.isClockMoved ||= isClockMoved
    this.#note(`${command}, elsewhere`, result)
    return result
  }

  /** What is red for the change's sake: not what was red there before it, and green as it is. Null: nothing can be run. */
  async withoutOld(command: string, { failures, evidence }: Failed): Promise<readonly TestFailure[] | null> {
    const isWhole = (evidence.report?.passed ?? 0) === 0
    const used = await this.#request.withBase(async (base) => {
      const line = this.#baseCommand(base, command, { failures, isWhole })
      if (line === null) return { elsewhere: null, plain: null }
      const elsewhere = await this.elsewhere(base, line)
      if (elsewhere.is !== 'failed') return { elsewhere, plain: null }
      const plain = await runTests(this.#options, this.#asked(base, line))
      this.#note(`${line}, without the change`, plain)
      return { elsewhere, plain }
    })
    if (used.is === 'failed') return failures
    const { elsewhere, plain } = used.value
    if (elsewhere?.is !== 'failed' || plain === null) return failures
    const red = new Set(plain.is === 'failed' ? plain.failures.map(({ id }) => id) : [])
    const old = new Set(elsewhere.failures.map(({ id }) => id).filter((id) => !red.has(id)))
    const left = failures.filter(({ id }) => !old.has(id))
    const isBroken = isWhole && passedIn(elsewhere) === 0 && passedIn(plain) > 0
    return left.length > 0 && isBroken ? null : left
  }

  /** The same tests on the base, as far as they are there; where nothing passed at all, everything that is there. */
  #baseCommand(
    base: string,
    command: string,
    { failures, isWhole }: { failures: readonly TestFailure[]; isWhole: boolean },
  ): string | null {
    const { item, command: suite, cwd } = this.#request
    if (item.testCommand !== null || suite === null || command === suite) return command
    const files = failures.flatMap(({ file }) => file ?? []).filter((file) => existsSync(join(base, file)))
    const part = partOf(this.#options, { command: suite, cwd, files })
    if (part !== null) return part.command
    return isWhole ? suite : null
  }

  #asked(cwd: string, command: string) {
    const { signal, earlier } = this.#request
    const took = testRuns(earlier).map((run) => ('evidence' in run ? run.evidence.durationMs : 0))
    const timeoutMs = Math.min(this.#request.timeoutMs, Math.max(timeMsMin, slower * Math.max(0, ...took)))
    return { cwd, command, timeoutMs, ...(signal === undefined ? {} : { signal }) }
  }

  #note(what: string, result: GateResult): void {
    const how = 'evidence' in result ? `${result.is}; output ${result.evidence.output}` : result.why
    this.lines.push(`\`${what}\`: ${how}`)
  }
}

function passedIn(result: GateResult): number {
  return 'evidence' in result ? (result.evidence.report?.passed ?? 0) : 0
}
