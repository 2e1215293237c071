// Runs in a checkout of the base that was given the tests of the head.
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { subsetCommand } from '../regression/plain-call.ts'
import { rerunFailed } from '../regression/rerun.ts'
import { withPath } from '../regression/run-selected.ts'
import { type GateOptions, runTests } from '../tests.ts'
import type { ChangedTest } from './changed-tests.ts'
import { countingIn, isNobody, isUnnamed, twiceIn, type Waiting } from './decide-witness.ts'

const notFound = 127

interface Look {
  readonly tests: readonly ChangedTest[]
  readonly head: ReadonlySet<string>
  /** Files of the head that the base is given. */
  readonly put: readonly string[]
  readonly waiting: Waiting
}

interface Looked {
  readonly red: readonly TestFailure[]
  readonly told: boolean
  readonly lines: readonly string[]
  /** Why nothing can be said. */
  readonly broken: string | null
}

interface BaseRun {
  readonly result: GateResult
  readonly partial: boolean
  readonly options: GateOptions
}

/** What the two sides are called in the evidence: where the tests are run, and where they are taken from. */
interface Sides {
  readonly here: string
  readonly from: string
}

export class BaseRuns {
  readonly #options: GateOptions
  readonly #request: ReviewChecksRequest & { readonly command: string }
  readonly #base: string
  readonly #words: Sides
  readonly #lines: string[] = []

  constructor(
    options: GateOptions,
    request: ReviewChecksRequest & { command: string },
    base: string,
    words: Sides = { here: 'the base', from: 'the head' },
  ) {
    this.#words = words
    this.#options = options
    this.#request = request
    this.#base = base
  }

  async look({ tests, head, put, waiting }: Look): Promise<Looked> {
    this.#put(put)
    const first = tests.length === 0 ? null : await this.#run(tests)
    const red = first === null ? [] : await this.#redIn(first, head)
    const told = first !== null && isTold(first.result)
    const isDone = countingIn(red, tests).length > 0 || first?.partial === false
    // A part may fail just for being a part, so it takes the whole, which is green on the head.
    const silent = isSilent(first)
    // Those that came with the change say nothing; one that was there before may have waited for it.
    if (isDone || (isNobody(waiting) && !silent)) {
      const broken = red.length > 0 || first === null ? null : whyBroken(first.result)
      return { red, told, lines: this.#lines, broken }
    }
    if (twiceIn(waiting).length > 0) {
      this.#lines.push(...earlierRuns(this.#request.before ?? []))
      return { red: [...red, ...twiceIn(waiting)], told, lines: this.#lines, broken: null }
    }
    const then = await this.#run(waiting.is === 'known' && !silent ? waiting.tests : [])
    const waited = await this.#redIn(then, head, { waiting, silent })
    const broken = red.length + waited.length > 0 ? null : whyBroken(then.result)
    return { red: [...red, ...waited], told, lines: this.#lines, broken }
  }

  #put(paths: readonly string[]): void {
    for (const path of paths) {
      const [from, to] = [join(this.#request.cwd, path), join(this.#base, path)]
      // A folder of the base may be a link to somewhere else.
      if (!isInside(this.#base, dirname(to))) continue
      rmSync(to, { recursive: true, force: true })
      if (!existsSync(from)) continue
      mkdirSync(dirname(to), { recursive: true })
      cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    }
    if (paths.length > 0) this.#lines.push(`with ${paths.join(', ')} of ${this.#words.from}`)
  }

  /** The files of these tests, where the runner can be asked for those; else all. */
  async #run(tests: readonly ChangedTest[]): Promise<BaseRun> {
    const { cwd, command } = this.#request
    const files = [...new Set(tests.map(({ file }) => file))]
    const names = tests.flatMap(({ name }) => name ?? [])
    // As the head would run them: a script of the base may run something else.
    const subset = files.length === 0 ? null : subsetCommand(command, cwd, { files, names })
    const partial = subset?.is === 'command'
    const line = partial ? subset.command : command
    const folders = partial ? subset.binFolders.map((folder) => this.#moved(folder)) : []
    const options = withPath(this.#options, folders)
    const result = await runTests(options, this.#asked(line))
    this.#note(line, result)
    return { result, partial, options }
  }

  #asked(command: string) {
    const { timeoutMs, signal } = this.#request
    return { cwd: this.#base, command, timeoutMs, ...(signal === undefined ? {} : { signal }) }
  }

  #moved(folder: string): string {
    const { cwd } = this.#request
    return folder.startsWith(`${cwd}/`) ? join(this.#base, folder.slice(cwd.length)) : folder
  }

  #note(command: string, result: GateResult): void {
    const how = 'evidence' in result ? `${ended(result)}; output ${result.evidence.output}` : result.why
    this.#lines.push(`\`${command}\` on ${this.#words.here}: ${how}`)
  }

  /** What fails there, fails again there, and does not fail on the head. */
  async #redIn(
    { result, options, partial }: BaseRun,
    head: ReadonlySet<string>,
    { waiting, silent = false }: { waiting?: Waiting; silent?: boolean } = {},
  ): Promise<TestFailure[]> {
    if (result.is !== 'failed' || result.evidence.exitCode === notFound) return []
    // They have failed twice by now.
    const twice = result.failures.filter((each) => !head.has(each.id) && isWaiting(each, waiting))
    if (twice.length > 0) return twice
    // A part is run again as that part.
    const again = await rerunFailed(options, { ...this.#asked(result.evidence.command), result, times: 1 })
    const flaky = new Set(again.flaky)
    const asWhole = ({ id }: TestFailure) => silent || id !== 'test command' || saysNothing(result)
    const counts = (failure: TestFailure) => !isUnnamed(failure.id) || (!partial && asWhole(failure))
    const red = result.failures.filter((each) => counts(each) && !head.has(each.id) && !flaky.has(each.id))
    for (const id of flaky)
      this.#lines.push(`${id} fails only at times on ${this.#words.here}, so it does not count`)
    return red
  }
}

/** Whether a folder, or the nearest one above it that is there, really lies in the other one. */
function isInside(root: string, folder: string): boolean {
  if (!existsSync(folder)) return folder !== dirname(folder) && isInside(root, dirname(folder))
  const [outer, inner] = [realpathSync(root), realpathSync(folder)]
  return inner === outer || inner.startsWith(`${outer}${sep}`)
}

function isWaiting({ id, file }: TestFailure, waiting: Waiting | undefined): boolean {
  if (waiting?.is !== 'known') return false
  return waiting.tests.some((test) => test.file === file && (test.name === null || id.endsWith(test.name)))
}

/** Commands and outputs of runs on the base that are known from before. */
export function earlierRuns(before: readonly GateResult[]): string[] {
  return before.flatMap((run) =>
    'evidence' in run
      ? [`\`${run.evidence.command}\` on the base, earlier: ${ended(run)}; output ${run.evidence.output}`]
      : [],
  )
}

function isTold(result: GateResult): boolean {
  return 'evidence' in result && (result.evidence.report?.format ?? 'none') !== 'none'
}

/** A command that fails although its tests pass, as for the coverage of a part, is about something else. */
function saysNothing({ evidence }: Extract<GateResult, { evidence: unknown }>): boolean {
  const { report, timedOut } = evidence
  return timedOut || report === null || report.passed === 0
}

/** The files that were asked for could not be run, and nothing says which test it is about. */
function isSilent(run: BaseRun | null): boolean {
  if (run?.partial !== true) return false
  const { result } = run
  if (result.is !== 'failed' || result.evidence.exitCode === notFound) return false
  return saysNothing(result) && result.failures.some(({ id }) => isUnnamed(id))
}

function ended({ evidence }: Extract<GateResult, { evidence: unknown }>): string {
  const { report, exitCode, timedOut } = evidence
  if (timedOut) return 'did not end in time'
  const counts =
    report === null || report.format === 'none' ? '' : `, ${report.failed} of ${report.total} failed`
  return `exit code ${exitCode}${counts}`
}

function whyBroken(result: GateResult): string | null {
  if (result.is === 'not_run' && result.noTests !== true)
    return `the tests could not be run on the base: ${result.why}`
  if (result.is !== 'failed' || result.evidence.exitCode !== notFound) return null
  return `the tests could not be run on the base: \`${result.evidence.command}\` was not found there`
}
