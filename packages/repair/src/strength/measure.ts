// How strong the tests of changed lines are: small faults are planted in them, and the tests are to notice.
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Mutant, MutantFate, Strength, StrengthOrder } from '@treadle/contracts/strength'
import { openScratch, type RepairSandbox, type Scratch } from '../confined.ts'
import type { Edit } from '../edits/edit.ts'
import { isTestPath } from '../project/files.ts'
import { loadProject, type Project, type SourceFile, sourceFor } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { runBaseline } from '../search/baseline.ts'
import type { PoolVerdict } from '../search/pool.ts'
import { splitTests } from '../split-tests.ts'
import { type FaultyText, tryAll } from './by-command.ts'
import { noticeAll } from './in-process.ts'
import { type Planted, plant, shownEdit, textAfter } from './mutants.ts'
import { plantPython } from './python-faults.ts'
import { isWhole, reaching } from './reach.ts'

export interface MeasureOptions {
  /** The environment of the test command. */
  readonly env: Readonly<Record<string, string>>
  /** Around the tests. */
  readonly sandbox: RepairSandbox
  readonly signal?: AbortSignal | undefined
}

const SOURCE = /\.[cm]?[jt]sx?$/
const WORKERS_MAX = 2
const ENOUGH_MS = 3_000

export async function measureStrength(order: StrengthOrder, options: MeasureOptions): Promise<Strength> {
  const notRun = (why: string): Strength => ({ is: 'not_run', why })
  const paths = Object.keys(order.lines).filter((path) => SOURCE.test(path) && !/\.d\.[cm]?ts$/.test(path))
  const python = Object.keys(order.lines).filter((path) => path.endsWith('.py') && !isTestPath(path))
  if (paths.length === 0 && python.length > 0) return await measurePython(order, options, python)
  if (paths.length === 0)
    return notRun(
      'the changed lines are in no language that faults can be planted in: JavaScript, TypeScript or Python',
    )
  const scratch = await openScratch(order.cwd, options.sandbox)
  if (scratch.is === 'refused') return notRun(scratch.why)
  try {
    return await new Measuring(order, options, scratch).run(paths.filter((path) => !isTestPath(path)))
  } finally {
    scratch.remove()
  }
}

/** Each fault costs a run of the command. */
const PYTHON_FAULTS_MAX = 12

/** Faults in Python are planted in a copy and judged by the project's own command. */
async function measurePython(
  { cwd, command, lines, mutantsMax, budgetMs, timeoutMs }: StrengthOrder,
  { env, sandbox, signal }: MeasureOptions,
  paths: readonly string[],
): Promise<Strength> {
  const all = paths.flatMap((path) => {
    const text = readFileSync(join(cwd, path), 'utf8')
    return plantPython(text, new Set(lines[path])).map((fault) => ({ path, whole: text, ...fault }))
  })
  if (command === null) return notRunWithout(false)
  if (all.length === 0) return { is: 'not_run', why: 'no fault could be planted in the changed lines' }
  const chosen = all.slice(0, Math.min(mutantsMax, PYTHON_FAULTS_MAX))
  const planted = chosen.map(({ path, whole, text }) => ({ path, text: whole, faulty: text }))
  const tried = await tryAll({ root: cwd, command, planted, budgetMs, timeoutMs, env, sandbox, signal })
  if (tried.is === 'not_run') return tried
  const mutants = chosen.map(({ path: file, line, operator, before, after }, at) => {
    return { file, line, operator, before, after, fate: tried.fates[at] ?? 'not_tried', by: null } as const
  })
  return measured('command', all.length, mutants)
}

interface Tried {
  readonly fates: readonly MutantFate[]
  readonly by: readonly (string | null)[]
}

class Measuring {
  readonly #order: StrengthOrder
  readonly #options: MeasureOptions
  readonly #scratch: Scratch
  readonly #until: number

  constructor(order: StrengthOrder, options: MeasureOptions, scratch: Scratch) {
    this.#order = order
    this.#options = options
    this.#scratch = scratch
    this.#until = performance.now() + order.budgetMs
  }

  async run(paths: readonly string[]): Promise<Strength> {
    const { cwd, command, mutantsMax } = this.#order
    const project = loadProject(cwd, command)
    const files = filesFor(project, paths)
    const lines = new Map(Object.entries(this.#order.lines).map(([path, own]) => [path, new Set(own)]))
    const all = plant({ ...project, files: withFiles(project, files) }, files, { of: lines })
    if (all.length === 0) return { is: 'not_run', why: 'no fault could be planted in the changed lines' }
    const planted = all.slice(0, mutantsMax)
    const fast = this.#order.byCommandOnly ? null : await this.#inProcess(reaching(project, files), planted)
    if (fast?.complete) return measured('in_process', all.length, mutantsOf(planted, fast))
    if (command === null) return notRunWithout(fast !== null)
    return await this.#byCommand(project, { planted, fast, command, possible: all.length })
  }

  /** Measures in process; null: no test can be run this way. */
  async #inProcess(
    project: Project,
    planted: readonly Planted[],
  ): Promise<(Tried & { complete: boolean }) | null> {
    if (project.tests.length === 0) return null
    const leftMs = () => Math.max(1, Math.floor(this.#until - performance.now()))
    const { signal } = this.#options
    const timely = AbortSignal.any([AbortSignal.timeout(leftMs()), ...(signal === undefined ? [] : [signal])])
    const baseline = await runBaseline(project, this.#scratch, timely)
    if (baseline === null) return null
    const { passing, failing } = splitTests(baseline)
    if (passing.length === 0) return null
    const reached = planted.map(({ edit }) => project.files.includes(edit.file))
    const verdicts = await noticeAll({
      project,
      scratch: this.#scratch,
      passing,
      planted: planted.filter((_, at) => reached[at]),
      budgetMs: leftMs(),
      workers: workersFor(passing, planted.length),
      signal,
    })
    // A file that no test loads cannot be noticed by any.
    let next = 0
    const heard = reached.map((is) => (is ? verdicts.get(next++) : NOT_AT_ALL))
    return {
      // A test that is red anyway can notice nothing, whoever runs it.
      complete: isWhole(project) && passing.length + failing.length === baseline.tests.length,
      fates: heard.map(fateOf),
      by: heard.map((verdict) => (verdict?.is === 'noticed' ? verdict.by : null)),
    }
  }

  /** All of them, or those that the tests which could be run faster did not notice. */
  async #byCommand({ root }: Project, { planted, fast, command, possible }: Slow): Promise<Strength> {
    const open = planted.map(
      (_, at) => fast === null || fast.fates[at] === 'survived' || fast.fates[at] === 'not_tried',
    )
    const { env, signal, sandbox } = this.#options
    const tried = await tryAll({
      root,
      command,
      planted: planted.filter((_, at) => open[at]).map(({ edit }) => faultyText(edit)),
      budgetMs: Math.max(1, this.#until - performance.now()),
      timeoutMs: this.#order.timeoutMs,
      env,
      sandbox,
      signal,
    })
    if (tried.is === 'not_run') return tried
    let next = 0
    const fates = open.map((is, at) => (is ? tried.fates[next++] : fast?.fates[at]) ?? 'not_tried')
    const by = planted.map((_, at) => (open[at] ? null : (fast?.by[at] ?? null)))
    return measured(fast === null ? 'command' : 'both', possible, mutantsOf(planted, { fates, by }))
  }
}

function faultyText(edit: Edit): FaultyText {
  return { path: edit.file.path, text: edit.file.text, faulty: textAfter(edit) }
}

interface Slow {
  readonly planted: readonly Planted[]
  readonly fast: Tried | null
  readonly command: string
  readonly possible: number
}

const NOT_AT_ALL: PoolVerdict = { is: 'noticed', how: 'not_at_all', by: null }

function fateOf(verdict: PoolVerdict | undefined): MutantFate {
  // A process that fell silent, or was ended by its memory, says no more than a clock does.
  if (verdict?.is === 'killed') return 'timed_out'
  if (verdict?.is === 'invalid') return 'broke'
  if (verdict?.is !== 'noticed') return 'not_tried'
  switch (verdict.how) {
    case 'assertion':
      return 'killed'
    case 'error':
      return 'broke'
    case 'time':
      return 'timed_out'
    case 'not_at_all':
      return 'survived'
  }
}

/** A second process pays only where there is enough to do. */
function workersFor(passing: readonly TestResult[], count: number): number {
  const ms = passing.reduce((sum, test) => sum + test.ms, 0) * count
  return ms < ENOUGH_MS ? 1 : Math.max(1, Math.min(WORKERS_MAX, availableParallelism()))
}

/** As the tests load them; else parsed for themselves. */
function filesFor(project: Project, paths: readonly string[]): SourceFile[] {
  return paths.flatMap((path, at) => {
    const known = project.files.find((file) => file.path === path)
    const absolute = join(project.root, path)
    if (known !== undefined) return [known]
    if (!existsSync(absolute)) return []
    const index = project.files.length + at
    return sourceFor(project.root, path, readFileSync(absolute, 'utf8'), index) ?? []
  })
}

function withFiles({ files }: Project, more: readonly SourceFile[]): SourceFile[] {
  return [...files, ...more.filter((file) => !files.includes(file))]
}

function mutantsOf(planted: readonly Planted[], { fates, by }: Tried): Mutant[] {
  return planted.map(({ edit, line }, at) => {
    const fate = fates[at] ?? 'not_tried'
    return { file: edit.file.path, line, operator: edit.op, ...shownEdit(edit), fate, by: by[at] ?? null }
  })
}

function measured(how: 'in_process' | 'command' | 'both', possible: number, mutants: Mutant[]): Strength {
  return { is: 'measured', how, possible, mutants }
}

function notRunWithout(some: boolean): Strength {
  const which = some ? 'not all tests' : 'none of the tests'
  return { is: 'not_run', why: `${which} can be run in our own runner, and no test command is known` }
}
