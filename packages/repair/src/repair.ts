// Finds small edits that turn failing tests green, without a model.
import { availableParallelism } from 'node:os'
import type { TestFailure } from '@treadle/contracts/gate'
import { openScratch, type RepairSandbox, type Scratch } from './confined.ts'
import { EditMaker, makeEdits } from './edits/catalogue.ts'
import { contextsFor } from './edits/context.ts'
import type { Edit } from './edits/edit.ts'
import { diffOf } from './edits/patch.ts'
import { localise, type Suspect } from './localise/localise.ts'
import {
  isAgain,
  type KnownFailure,
  type RepairMemory,
  recallEdits,
  recordEdits,
  recordMisses,
} from './memory.ts'
import { isTestPath, listSources, scopedTests } from './project/files.ts'
import { loadProject, type OtherTexts, type Project } from './project/load.ts'
import { readTestCommand } from './project/test-command.ts'
import { conclude, isRival, rankFound, type Split } from './rank/conclude.ts'
import { type Confirmed, keepConfirmed } from './rank/confirm.ts'
import { checkTypes } from './rank/typecheck.ts'
import { NO_FAILING_TEST, nothingToRun, refusalOf } from './refuse.ts'
import { type Patch, type RepairProgress, type RepairResult, refused } from './result.ts'
import { type Rivals, sortRivals } from './rivals/rivals.ts'
import type { Failure, TestResult } from './run/protocol.ts'
import { seenByBoth } from './same-failures.ts'
import { runBaseline } from './search/baseline.ts'
import { Budget } from './search/budget.ts'
import { byLikelihood } from './search/polish.ts'
import { hashOf, ProgressFile } from './search/progress-file.ts'
import type { Ranked } from './search/rank.ts'
import { type SearchResult, search } from './search/search.ts'
import { repairSlowly } from './slow/slow.ts'
import { splitTests } from './split-tests.ts'
import { reaching } from './strength/reach.ts'
import { interleave, type Remembered } from './turns.ts'
import type { CommandRun } from './validate.ts'

export interface RepairOptions {
  readonly cwd: string
  /** Names the tests that count; null: all that are found. The slow path runs it. */
  readonly testCommand: string | null
  /** Failures that the gate saw, where they are known. */
  readonly failures?: readonly TestFailure[]
  /** The environment of the test command. */
  readonly env?: Readonly<Record<string, string>>
  readonly budgetSeconds?: number
  /** The same where every candidate costs a run of the test command. */
  readonly slowSeconds?: number
  readonly maxCandidates?: number
  /** How many times the seconds it may take: what ran out of time before has more. */
  readonly times?: number
  /** Of the clock, for the search. */
  readonly wallSeconds?: number
  /** After the first green patch the search goes on by candidates alone, not by seconds. */
  readonly isCounted?: boolean
  readonly workers?: number
  readonly typecheck?: 'auto' | 'off'
  readonly tsc?: string
  /** False: green patches are not told apart by what they do. */
  readonly tellsApart?: boolean
  readonly memory?: RepairMemory
  /** Texts in place of files of the project; for a search that only looks. */
  readonly texts?: OtherTexts
  /** Files of which a test has to load one to count; without, all tests that the command names. */
  readonly about?: readonly string[]
  readonly progressFile?: string | null
  /** How long one run of the test command may take. */
  readonly testTimeoutMs?: number
  /** Around candidates and the test command. */
  readonly sandbox: RepairSandbox
  /** Hears of every patch that the project's own command was asked about. */
  onConfirmed?(patch: Patch, run: CommandRun, ms: number): void
  /** Hears whether the search was ended by the clock. */
  onSearched?(ended: { readonly isCut: boolean }): void
  /** Hears of the green patches, best first, before the project's own command is asked. */
  onRanked?(ranked: readonly Ranked[]): void
}

const BUDGET_SECONDS = 20
const SLOW_BUDGET_SECONDS = 180
const CANDIDATES_MAX = 60_000
const EDITS_MAX = 40_000
/** Edits that are made before the first is tried; the rest when these are tried. */
const EDITS_FIRST = 4_000
const EDITS_MORE = 8_000
const WORKERS_MAX = 2
const OTHER_FAILURES =
  'What fails on the fast path does not fail with the test command, and the other way round.'

export type OnProgress = (progress: RepairProgress) => void

export async function repair(
  options: RepairOptions,
  onProgress: OnProgress = () => undefined,
  signal?: AbortSignal,
): Promise<RepairResult> {
  const scratch = await openScratch(options.cwd, options.sandbox)
  if (scratch.is === 'refused') return refused(scratch.why, 0)
  const search = new Repair(options, { scratch, onProgress, signal })
  try {
    const result = await search.run()
    return { ...result, ...search.seen }
  } finally {
    search.close()
    scratch.remove()
  }
}

interface Means {
  readonly scratch: Scratch
  readonly onProgress: OnProgress
  readonly signal: AbortSignal | undefined
}

class Repair {
  readonly #options: RepairOptions
  readonly #means: Means
  readonly #workers: number
  #budget: Budget
  #best: string | null = null
  #green = 0
  #total = 0
  #same: boolean | null = null
  #leftOut = 0
  readonly #recalled = new Map<string, Remembered>()

  constructor(options: RepairOptions, means: Means) {
    this.#options = options
    this.#means = means
    this.#workers = options.workers ?? Math.max(1, Math.min(WORKERS_MAX, availableParallelism()))
    this.#budget = this.#makeBudget(options.budgetSeconds ?? BUDGET_SECONDS, this.#workers)
  }

  /** How the failures that are searched for stand to those of the project's own command. */
  get seen(): Pick<RepairResult, 'sameFailures' | 'leftOut'> {
    return { sameFailures: this.#same, leftOut: this.#leftOut }
  }

  close(): void {
    this.#budget.close()
  }

  async run(): Promise<RepairResult> {
    this.#report('baseline')
    const { cwd, testCommand, texts, about, failures = [] } = this.#options
    const whole = loadProject(cwd, testCommand, texts)
    const project =
      about === undefined
        ? whole
        : reaching(
            whole,
            whole.files.filter(({ path }) => about.includes(path)),
          )
    if (project.tests.length === 0) return await this.#slowly(project, nothingToRun(project))
    const baseline = await runBaseline(project, this.#means.scratch, this.#means.signal)
    if (this.#means.signal?.aborted === true) return this.#refuse('The search was interrupted.')
    if (baseline === null) return await this.#slowly(project, 'The tests could not be run by the fast path.')
    const seen = splitTests(baseline)
    const pathOf = (module: number) => project.files[module]?.path ?? ''
    const { failing, same, leftOut } = seenByBoth(seen, failures, pathOf)
    this.#same = same
    this.#leftOut = leftOut
    const split = { ...seen, failing }
    // The fast path does not know every runner: whether something fails is for the project's own command to say.
    if (failing.length === 0)
      return await this.#slowly(project, seen.failing.length === 0 ? NO_FAILING_TEST : OTHER_FAILURES)
    const refusal = refusalOf(failuresOf(split.failing))
    if (refusal !== null) return this.#refuse(refusal)
    this.#budget.restart()
    const suspects = localise(project, split.failing, split.passing)
    const found = await this.#search(project, split, suspects)
    return await this.#conclude(project, split, suspects, found)
  }

  async #search(project: Project, split: Split, suspects: readonly Suspect[]): Promise<SearchResult> {
    const contextOf = contextsFor(project, split.failing)
    const progress = this.#progressFile(project, split)
    const maker = new EditMaker({ suspects, contextOf })
    let count = 0
    const moreEdits = async (): Promise<readonly Edit[]> => {
      if (count >= EDITS_MAX) return []
      const made = await this.#order(
        maker.next(count === 0 ? EDITS_FIRST : EDITS_MORE),
        failuresOf(split.failing),
      )
      count += made.length
      const edits = progress?.resume(made) ?? made
      this.#total += edits.length
      // All of them were tried before the search was killed.
      return edits.length === 0 && made.length > 0 ? await moreEdits() : edits
    }
    let stage: 'search' | 'combine' = 'search'
    const found = await search({
      ...split,
      project,
      scratch: this.#means.scratch,
      budget: this.#budget,
      edits: await moreEdits(),
      moreEdits,
      signal: this.#means.signal,
      editsFor: async (failing, passing) => {
        const then = {
          suspects: localise(project, failing, passing),
          contextOf: contextsFor(project, failing),
        }
        return await this.#order(makeEdits({ ...then, max: EDITS_FIRST }), failuresOf(failing))
      },
      workers: this.#workers,
      onStage: (next) => {
        stage = next
      },
      onTried: (edit, verdict) => {
        if (stage === 'search') progress?.note(edit, verdict.is === 'ran' && verdict.fixed.length > 0)
        if (this.#budget.tried % 200 === 0) this.#report(stage)
      },
      onGreen: (green) => {
        this.#green += 1
        this.#best ??= diffOf(green.edits)
        this.#report(stage)
      },
    })
    if (this.#means.signal?.aborted !== true) progress?.finish()
    return found
  }

  async #order(edits: readonly Edit[], failures: readonly KnownFailure[]): Promise<readonly Edit[]> {
    const { memory } = this.#options
    if (memory === undefined) return edits
    const recalled = await recallEdits(memory, failures)
    for (const remembered of recalled) this.#recalled.set(remembered.shape ?? remembered.op, remembered)
    return interleave(edits, recalled)
  }

  async #conclude(
    project: Project,
    split: Split,
    suspects: readonly Suspect[],
    found: SearchResult,
  ): Promise<RepairResult> {
    const { typecheck = 'auto', tsc = null } = this.#options
    this.#report('types')
    // The compiler is asked about the likeliest only.
    const green = byLikelihood(found.green)
    const { signal } = this.#means
    const checked = typecheck === 'auto' && green.length > 0 && signal?.aborted !== true
    const types = checked
      ? await checkTypes(green, { project, scratch: this.#means.scratch, tsc, signal })
      : []
    const all = { ...found, green }
    this.#options.onSearched?.({ isCut: this.#budget.isCut })
    const rivals = await this.#tellApart(project, split, rankFound(all, types))
    const { result, ranked } = conclude({
      split,
      suspects,
      found: all,
      types,
      budget: this.#budget,
      ...(rivals === null ? {} : { rivals }),
    })
    this.#options.onRanked?.(ranked)
    const { confirmed, kept } = await this.#confirm(result, ranked)
    const question = rivals?.question(kept.slice(0, confirmed.patches.length), isRival) ?? null
    if (this.#means.signal?.aborted !== true) {
      const sound = kept.filter(
        (patch, place) => place === 0 || (!patch.special && patch.types !== 'unclean'),
      )
      const patches = sound.map((patch) => patch.found.edits)
      await this.#remember(failuresOf(split.failing), patches)
    }
    return { ...confirmed, question }
  }

  /** What the green patches make of inputs that the tests do not have. */
  async #tellApart(project: Project, split: Split, ranked: readonly Ranked[]): Promise<Rivals | null> {
    const { testCommand, texts, tellsApart = true } = this.#options
    const { scratch, signal } = this.#means
    if (!tellsApart || signal?.aborted === true) return null
    this.#report('compare')
    return await sortRivals(ranked, { project, command: testCommand, texts, scratch, split, signal })
  }

  /** Keeps the patches that the project's own command agrees with. */
  async #confirm(result: RepairResult, ranked: readonly Ranked[]): Promise<Confirmed> {
    const { cwd, testCommand, env = {}, testTimeoutMs, onConfirmed, sandbox } = this.#options
    if (testCommand === null || result.patches.length === 0) return { confirmed: result, kept: ranked }
    this.#report('validate')
    return await keepConfirmed(result, ranked, {
      cwd,
      command: testCommand,
      env,
      timeoutMs: testTimeoutMs,
      sandbox,
      signal: this.#means.signal,
      budget: this.#budget,
      ...(onConfirmed === undefined ? {} : { onRun: onConfirmed }),
    })
  }

  async #remember(failures: readonly KnownFailure[], patches: readonly (readonly Edit[])[]): Promise<void> {
    const { memory } = this.#options
    if (memory === undefined) return
    await recordEdits(memory, failures, patches)
    const missed = [...this.#recalled.values()].filter((remembered) => !isAgain(remembered, patches))
    await recordMisses(memory, failures, missed)
  }

  async #slowly(project: Project, why: string): Promise<RepairResult> {
    const { testCommand, failures = [], env = {}, budgetSeconds = SLOW_BUDGET_SECONDS } = this.#options
    const { slowSeconds = budgetSeconds, testTimeoutMs, sandbox } = this.#options
    const tests = testsFor(project, testCommand)
    if (testCommand === null || tests.length === 0) return this.#refuse(why)
    this.#budget.close()
    this.#budget = this.#makeBudget(Math.max(slowSeconds, 1), null)
    // The gate's words are all that is known of these failures.
    const told = failures.map(({ message, actual = null, expected = null }) => {
      return { name: '', message, actual, expected }
    })
    return await repairSlowly({
      root: project.root,
      command: testCommand,
      testTimeoutMs,
      sandbox,
      tests,
      env,
      failures,
      budget: this.#budget,
      signal: this.#means.signal,
      onTried: () => this.#report('search'),
      order: (edits) => this.#order(edits, told),
      remember: (patches) => this.#remember(told, patches),
    })
  }

  #makeBudget(seconds: number, processes: number | null): Budget {
    const { maxCandidates = CANDIDATES_MAX, isCounted = false, times = 1, wallSeconds } = this.#options
    return new Budget({
      seconds: seconds * times,
      candidates: maxCandidates * times,
      processes,
      isCounted,
      wallSeconds,
      signal: this.#means.signal,
    })
  }

  #progressFile(project: Project, split: Split): ProgressFile | null {
    const { progressFile } = this.#options
    if (progressFile === undefined || progressFile === null) return null
    return new ProgressFile(
      progressFile,
      hashOf(
        project,
        split.failing.map((test) => test.key),
      ),
    )
  }

  #refuse(reason: string): RepairResult {
    return refused(reason, this.#budget.seconds)
  }

  #report(stage: RepairProgress['stage']): void {
    const budget = this.#budget
    this.#means.onProgress({
      stage,
      candidates: budget.tried,
      total: this.#total,
      perSecond: budget.seconds === 0 ? 0 : budget.tried / budget.seconds,
      green: this.#green,
      best: this.#best,
      secondsLeft: budget.secondsLeft,
    })
  }
}

function failuresOf(failing: readonly TestResult[]): Failure[] {
  return failing.flatMap((test) => test.failure ?? [])
}

/** Tests that are run; a file that declares none in a way that is known may still be one, if its name says so. */
function testsFor({ root, files, left, tests }: Project, command: string | null): string[] {
  const known = [...left.map(({ path }) => path), ...tests.flatMap((index) => files[index]?.path ?? [])]
  if (known.length > 0) return known
  const sources = listSources(root)
  const scoped = scopedTests(root, readTestCommand(root, command), sources)
  return scoped.length > 0 ? scoped : sources.filter(isTestPath)
}
