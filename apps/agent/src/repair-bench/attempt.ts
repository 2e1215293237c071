// One fix of the history: is it fit for a benchmark, does the repair find a patch, and is that patch right.

import type { Git } from '@treadle/git/git'
import { isTestFile, isTestPath, listSources } from '@treadle/repair/project/files'
import { repair } from '@treadle/repair/repair'
import { type Patch, type RepairResult, searchFigures } from '@treadle/repair/result'
import { textAt } from './history.ts'
import { type Judgement, PatchJudge } from './judge.ts'
import { type Fix, testsNamedAfter } from './mine.ts'
import { withBuild } from './own-build.ts'
import { commandFor, type RunOptions, runTests, type TestOutcome } from './run-tests.ts'
import { programOf } from './same-program.ts'
import { Scratch } from './scratch.ts'
import { shownFailures } from './shown-failures.ts'

interface JudgedPatch extends Pick<Patch, 'diff' | 'kind' | 'confidence' | 'types' | 'special'> {
  /** Null below the first one that is correct: whether more are does not matter. */
  readonly judgement: Judgement | null
}

export interface Row {
  readonly commit: string
  readonly date: string
  readonly subject: string
  readonly source: string
  readonly lines: number
  /** stopped: a signal ended it; its patches, if any, were not judged. */
  readonly outcome: 'invalid' | 'plausible' | 'none' | 'refused' | 'broke' | 'stopped'
  readonly reason: string
  readonly failingTests: number
  readonly patches: readonly JudgedPatch[]
  readonly candidates: number
  readonly seconds: number
  readonly firstGreenSeconds: number | null
  readonly path: RepairResult['path']
  /** Whether the search saw the failures that the project's own command shows; null: nobody could tell. */
  readonly sameFailures: boolean | null
  /** Failures of the fast path alone. */
  readonly leftOut: number
  readonly candidatesPerCpuSecond: number | null
}

interface AttemptOptions {
  readonly git: Git
  readonly seconds: number
  readonly env: Readonly<Record<string, string>>
  readonly tsc: string | null
  readonly signal: AbortSignal
}

const TEST_FILES_MAX = 12

interface Ready {
  readonly is: 'ready'
  readonly human: string
  readonly visible: readonly string[]
  readonly known: ReadonlySet<string>
  readonly failing: readonly string[]
}

type Prepared = Ready | { readonly is: 'invalid'; readonly why: string }

export async function attempt(fix: Fix, options: AttemptOptions): Promise<Row> {
  const scratch = await Scratch.open(options.git, fix.parent)
  try {
    await scratch.take(options.git, fix.commit, fix.testFiles)
    const ready = await prepare(fix, scratch, options)
    if (ready.is === 'invalid') return rowOf(fix, { outcome: 'invalid', reason: ready.why })
    return await tryRepair(fix, scratch, ready, options)
  } finally {
    scratch.remove()
  }
}

async function prepare(fix: Fix, scratch: Scratch, options: AttemptOptions): Promise<Prepared> {
  const invalid = (why: string): Prepared => ({ is: 'invalid', why })
  const human = await textAt(options.git, fix.commit, fix.source)
  if (human === null) return invalid('the fixed file cannot be read')
  const program = programOf(fix.source, human)
  if (program === null) return invalid('the fixed file cannot be parsed')
  if (program === programOf(fix.source, scratch.read(fix.source) ?? ''))
    return invalid('only comments, layout or types were changed')
  const found = testsFor(fix, scratch.path)
  if (found.length === 0) return invalid('no test file for it was found')
  const run = runOptions(options)
  scratch.write(fix.source, human)
  const after = await runTests(scratch.path, found, run)
  scratch.reset()
  if (after.is === 'unable') return invalid(`the tests cannot be run: ${after.why}`)
  const visible = found.filter((path) => isGreen(path, after.tests))
  if (visible.length === 0) return invalid(`the tests fail with the fix too: ${firstFailure(after.tests)}`)
  const before = await runTests(scratch.path, visible, run)
  if (before.is === 'unable') return invalid(`the tests cannot be run before the fix: ${before.why}`)
  const failing = [...before.tests].filter(([, outcome]) => !outcome.passed).map(([name]) => name)
  if (failing.length === 0) return invalid('no test fails before the fix')
  const known = new Set([...before.tests.keys(), ...after.tests.keys()])
  return { is: 'ready', human, visible, failing, known }
}

/** A file of which a test fails with the fix too, or that cannot be run, says nothing about the fix. */
function isGreen(path: string, tests: ReadonlyMap<string, TestOutcome>): boolean {
  const own = [...tests].filter(([name]) => name.split('|')[0]?.split(' ').includes(path))
  return own.length > 0 && own.every(([, outcome]) => outcome.passed)
}

function firstFailure(tests: ReadonlyMap<string, TestOutcome>): string {
  return firstLine([...tests.values()].find((outcome) => !outcome.passed)?.said ?? '')
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 160)
}

function testsFor(fix: Fix, root: string): string[] {
  const tests = listSources(root).filter((path) => isTestPath(path))
  const named = testsNamedAfter(fix.source, tests)
  const present = new Set(tests)
  const wanted = [...fix.testFiles.filter((path) => present.has(path)), ...named]
  return [...new Set(wanted)].filter((path) => isTestFile(root, path)).slice(0, TEST_FILES_MAX)
}

function runOptions({ env, signal }: AttemptOptions): RunOptions {
  return { env, signal, twice: true }
}

async function tryRepair(fix: Fix, scratch: Scratch, ready: Ready, options: AttemptOptions): Promise<Row> {
  const { git, seconds, env, tsc, signal } = options
  const testCommand = withBuild(scratch.path, commandFor(scratch.path, ready.visible))
  const failures = await shownFailures(scratch.path, testCommand, { env, signal })
  const result = await repair(
    {
      cwd: scratch.path,
      testCommand,
      ...(failures === null ? {} : { failures }),
      env,
      budgetSeconds: seconds,
      sandbox: { mode: 'auto' },
      ...(tsc === null ? {} : { tsc }),
    },
    undefined,
    signal,
  )
  if (signal.aborted) return rowOf(fix, stoppedRow(result, ready))
  const judge = new PatchJudge({ ...ready, git, fix, scratch, run: runOptions(options) })
  const patches: JudgedPatch[] = []
  for (const { diff, kind, confidence, types, special } of result.patches) {
    const known = patches.some((patch) => patch.judgement?.verdict === 'correct')
    const judgement = known ? null : await judge.judge(diff)
    patches.push({ diff, kind, confidence, types, special, judgement })
  }
  return rowOf(fix, {
    outcome: result.outcome,
    reason: result.reason,
    failingTests: ready.failing.length,
    patches,
    seconds: result.seconds,
    firstGreenSeconds: result.firstGreen?.seconds ?? null,
    ...searchFigures(result),
  })
}

/** What there was when a signal came. */
function stoppedRow(result: RepairResult, ready: Ready) {
  const patches = result.patches.map((patch) => ({ ...patch, judgement: null }))
  const reason = 'a signal ended the search'
  return { outcome: 'stopped', reason, failingTests: ready.failing.length, patches } as const
}

export function rowOf(fix: Fix, found: Partial<Row> & Pick<Row, 'outcome' | 'reason'>): Row {
  const { commit, date, subject, source, lines } = fix
  return {
    commit,
    date,
    subject,
    source,
    lines,
    failingTests: 0,
    patches: [],
    candidates: 0,
    seconds: 0,
    firstGreenSeconds: null,
    path: 'none',
    sameFailures: null,
    leftOut: 0,
    candidatesPerCpuSecond: null,
    ...found,
  }
}
