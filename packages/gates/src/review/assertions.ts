// The check of the change's own assertions: bent, each of them must turn its test red.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { writeForeign } from '@treadle/sandbox/foreign-files'
import { bentInPython } from '../assertions/bend-python.ts'
import { bentInScript } from '../assertions/bend-script.ts'
import { type Bent, bend } from '../assertions/bent.ts'
import { concludeCheck } from '../check-report.ts'
import { isScript } from '../integrity/test-conventions.ts'
import { subsetCommand } from '../regression/plain-call.ts'
import { withPath } from '../regression/run-selected.ts'
import { type GateOptions, runTests } from '../tests.ts'
import { changedLines } from './changed-lines.ts'
import { isTestFile, sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'

const gate = 'assertions'
const roundsMax = 8
const budgetMsMin = 15_000

interface BentFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  readonly bents: readonly Bent[]
}

export async function checkAssertions(
  options: GateOptions,
  request: ReviewChecksRequest,
): Promise<GateResult> {
  const startedAt = performance.now()
  const { config, command, earlier, cwd } = request
  const skip = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (config.assertions === 'off') return skip('gates.assertions is off')
  const runs = earlier.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
  if (command === null) return skip('no test command is known')
  if (runs.length === 0 || runs.some(({ is }) => is !== 'passed' && is !== 'passed_with_warnings'))
    return skip('the tests are not green as it is')
  const files = await bentFiles(options, request)
  if (files.length === 0) return skip('no assertion that can be bent came with the change')
  const subset = subsetCommand(command, cwd, { files: files.map(({ path }) => path) })
  if (subset.is === 'not_possible') return skip(`the change's tests cannot be run alone: ${subset.why}`)
  const took = runs.map((run) => ('evidence' in run ? run.evidence.durationMs : 0))
  const bending = new Bending(withPath(options, subset.binFolders), request, subset.command)
  const rounds = roundsOf(files)
  const until = startedAt + Math.max(budgetMsMin, ...took)
  for (const round of rounds.slice(0, roundsMax)) {
    if (performance.now() > until || request.signal?.aborted) break
    await bending.run(files, round)
  }
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  const left = rounds.flat().length - bending.tried
  return concludeCheck(options, {
    gate,
    startedAt,
    lines: bending.lines,
    failures: bending.idle.map(({ path, bent }) => ({
      names: ['assertions'],
      file: path,
      line: bent.line,
      message: `${bent.code} stays green when what it expects is bent: it is never reached, or nothing comes of it`,
    })),
    warnings: left === 0 ? [] : [`${left} further assertion(s) were not tried, for want of time`],
  })
}

/** The test files of the change with those of their assertions that are new or were changed. */
async function bentFiles(options: GateOptions, request: ReviewChecksRequest): Promise<BentFile[]> {
  const texts = new Map<string, string>()
  for (const path of sortChange(request.changed).tests.filter(isTestFile)) {
    const text = await readHead(request.cwd, path)
    // What is no text could not be put back as it was.
    if (text !== null && !text.includes('\ufffd')) texts.set(path, text)
  }
  const python = new Map([...texts].filter(([path]) => path.endsWith('.py')))
  const { cwd, timeoutMs, signal } = request
  const asked = { cwd, timeoutMs, ...(signal === undefined ? {} : { signal }) }
  const inPython = await bentInPython(options, asked, python)
  const files: BentFile[] = []
  for (const [path, text] of texts) {
    const all = isScript(path) ? bentInScript(path, text) : (inPython.get(path) ?? [])
    const fresh = new Set(changedLines(await request.readBase(path), text))
    const bents = all.filter(({ line, isOfMachine }) => fresh.has(line) && !isOfMachine)
    const mode = statSync(join(cwd, path)).mode & 0o777
    if (bents.length > 0) files.push({ path, text, mode, bents })
  }
  return files
}

interface Tried {
  readonly path: string
  readonly bent: Bent
}

/** One assertion of each test at a time: tests do not see each other's, so that many runs become one. */
function roundsOf(files: readonly BentFile[]): Tried[][] {
  const together: Tried[][] = []
  const alone: Tried[][] = []
  for (const { path, bents } of files) {
    // What stands in no test, or in one whose name nobody knows, cannot be told from others.
    for (const bent of bents.filter(({ test }) => test === null)) alone.push([{ path, bent }])
    const named = Map.groupBy(
      bents.filter(({ test }) => test !== null),
      ({ group }) => group,
    )
    for (const own of named.values())
      for (const [at, bent] of own.entries()) {
        const round = together[at] ?? []
        together[at] = [...round, { path, bent }]
      }
  }
  return [...together, ...alone]
}

class Bending {
  readonly lines: string[] = []
  readonly idle: Tried[] = []
  tried = 0
  readonly #options: GateOptions
  readonly #request: ReviewChecksRequest
  readonly #command: string

  constructor(options: GateOptions, request: ReviewChecksRequest, command: string) {
    this.#options = options
    this.#request = request
    this.#command = command
  }

  async run(files: readonly BentFile[], round: readonly Tried[]): Promise<void> {
    const { cwd, timeoutMs, signal } = this.#request
    const touched = files.filter(({ path }) => round.some((each) => each.path === path))
    try {
      for (const { path, text, mode } of touched) {
        const own = round.filter((each) => each.path === path).map(({ bent }) => bent)
        writeForeign(cwd, join(cwd, path), bend(text, own), mode)
      }
      const asked = { cwd, command: this.#command, timeoutMs, ...(signal === undefined ? {} : { signal }) }
      const result = await runTests(this.#options, asked)
      if (signal?.aborted) return
      this.tried += round.length
      const failures = result.is === 'failed' ? result.failures : []
      for (const each of round) {
        const isIdle = !isRed(each, failures, round)
        if (isIdle) this.idle.push(each)
        this.lines.push(
          `${each.path}:${each.bent.line}: ${each.bent.code}: ${isIdle ? 'green' : 'red'} when bent`,
        )
      }
    } finally {
      for (const { path, text, mode } of touched) writeForeign(cwd, join(cwd, path), text, mode)
    }
  }
}

function isRed({ path, bent }: Tried, failures: readonly TestFailure[], round: readonly Tried[]): boolean {
  const own = failures.filter(({ file, id }) => file === null || file === path || id.startsWith(path))
  const { test } = bent
  if (test === null) return own.length > 0
  if (own.some(({ id }) => isNamed(id, test) || isWhole(id, path))) return true
  // A report that names tests in another way; but not one that means another of these tests.
  const others = round.flatMap(({ bent: { test: name } }) => name ?? [])
  return own.some(({ id }) => id.includes(test) && !others.some((name) => isNamed(id, name)))
}

function isNamed(id: string, test: string): boolean {
  const last = id.split(/ > |::/).at(-1) ?? id
  return last === test || last.replace(/\[.*\]$/, '') === test
}

/** A file that fails as a whole, or a run that names no test. */
function isWhole(id: string, path: string): boolean {
  return id === path || id === 'test command' || id === 'test run'
}
