// The check of what tests load: with the change they must load what they load without it, but for its own sources.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult, Wait } from '@treadle/contracts/gate'
import type { CheckoutUse, ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { isPython, isScript } from '../capability/head-files.ts'
import { concludeCheck } from '../check-report.ts'
import { type Difference, differences, otherAsking, otherVersions } from '../loads/compare-loads.ts'
import { explainAsking, explainDifference, type LoadChange } from '../loads/explain-loads.ts'
import { goneTests, unexplained } from '../loads/gone-tests.ts'
import { keptLoads } from '../loads/kept-loads.ts'
import { keptNames } from '../loads/kept-names.ts'
import { findUnsettling, type TouchedFile } from '../loads/plan-loads.ts'
import type { LoadRecord } from '../loads/read-loads.ts'
import { listFiles, readText } from '../project-files.ts'
import { type GateOptions, runTests } from '../tests.ts'
import { isTestFile } from './changed-tests.ts'
import { readHead } from './head.ts'

const gate = 'loads'

export async function checkLoads(options: GateOptions, request: ReviewChecksRequest): Promise<GateResult> {
  const startedAt = performance.now()
  const skip = (why: string): GateResult => ({ is: 'skipped', gate, why })
  if (request.config.loads === 'off') return skip('gates.loads is off')
  const suite = suiteOf(request.earlier)
  const head = suite?.loads === undefined ? null : await keptLoads(options, suite.loads)
  if (suite === null || head === null)
    return skip('not recorded: no process of the test command told which files it loads')
  const lines = [`held against ${request.base}`, recorded('the head', head, suite.loads)]
  const warnings = head.partial.map((why) => `not recorded in full: ${why}`)
  const conclude = (more: readonly string[], waits: readonly Wait[]): GateResult =>
    concludeCheck(options, { gate, startedAt, lines: [...lines, ...more], failures: [], waits, warnings })
  const unsettling = findUnsettling(await touchedFiles(request), head, (word) => isNamed(request, word))
  const tests = await compareTests(options, request, suite)
  lines.push(...tests.told)
  if (unsettling === null)
    return conclude(
      ['no file of the change can make a name mean another file: the base was not run'],
      tests.waits,
    )
  const base = await recordBase(options, request, suite.command)
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (base.is === 'not_recorded') return skip(`not recorded: ${base.why}`)
  warnings.push(...base.record.partial.map((why) => `not recorded in full on the base: ${why}`))
  lines.push(`the base was run for the sake of ${unsettling}`, recorded('the base', base.record, base.kept))
  const { told, waits } = await compare(request, base.record, head)
  return conclude(told, [...waits, ...tests.waits])
}

const namedMax = 10

/** The tests that passed before the change must pass with it, or stand in a file that it touches. */
async function compareTests(
  options: GateOptions,
  { changed, cwd, before = [] }: ReviewChecksRequest,
  suite: SuiteRun,
): Promise<{ told: string[]; waits: Wait[] }> {
  const earlier = before.find((run) => testsIn(run) !== undefined && commandIn(run) === suite.command)
  const kept = earlier === undefined ? undefined : testsIn(earlier)
  const [base, head] = await Promise.all(
    [kept, suite.tests].map((hash) => (hash === undefined ? null : keptNames(options, hash))),
  )
  if (!base || !head)
    return { told: ['the tests are not compared by name: a report does not tell all of them'], waits: [] }
  const gone = goneTests(base, head)
  const at = { changed: new Set(changed), files: new Set(listFiles(cwd)), isTest: isTestFile }
  const left = unexplained(gone, at)
  const explained = gone.filter((name) => !left.includes(name))
  const told = [
    `${base.length} tests passed before the change, ${head.length} with it`,
    ...(explained.length === 0
      ? []
      : [`gone or renamed in tests that the change touches: ${named(explained)}`]),
  ]
  if (left.length === 0) return { told, waits: [] }
  const words = `passed before the change and did not run with it, though their files are as they were: ${named(left)}`
  return { told, waits: [{ class: 'loads', file: '', line: null, words }] }
}

function named(names: readonly string[]): string {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : ''
  return `${names.slice(0, namedMax).join('; ')}${more}`
}

interface SuiteRun {
  readonly command: string
  readonly loads: string | undefined
  readonly tests: string | undefined
}

/** The run of the most tests that was made on the head. */
function suiteOf(earlier: readonly GateResult[]): SuiteRun | null {
  const found = ['no_regression', 'tests_pass'].flatMap((name) =>
    earlier.filter(({ gate: own }) => own === name),
  )
  const [first] = found.flatMap((each) => ('evidence' in each ? [each.evidence] : []))
  return first === undefined ? null : { command: first.command, loads: first.loads, tests: first.tests }
}

function recorded(where: string, { loads, packages }: LoadRecord, hash: string | undefined): string {
  const files = new Set(
    loads.flatMap(({ to }) => (to === null || /^(?:outside$|package )/.test(to) ? [] : to)),
  )
  return `recorded on ${where}: ${files.size} file(s) of the tree, ${packages.length} package(s); record ${hash}`
}

async function touchedFiles({ cwd, changed, readBase }: ReviewChecksRequest): Promise<TouchedFile[]> {
  const files: TouchedFile[] = []
  for (const path of changed)
    files.push({ path, before: await readBase(path), after: await readHead(cwd, path) })
  return files
}

/** Whether code that the change left alone has this word in it. */
function isNamed({ cwd, changed }: ReviewChecksRequest, word: string): boolean {
  const known = new Set(changed)
  const own = listFiles(cwd).filter((path) => !known.has(path) && (isScript(path) || isPython(path)))
  return own.some((path) => (readText(join(cwd, path)) ?? '').split(/[^\w-]+/).includes(word))
}

type BaseRecord =
  | { readonly is: 'recorded'; readonly record: LoadRecord; readonly kept: string }
  | { readonly is: 'not_recorded'; readonly why: string }

/** The same command on the base: a run that was made there already, or else one more. What tests say in it is not asked. */
async function recordBase(
  options: GateOptions,
  request: ReviewChecksRequest,
  command: string,
): Promise<BaseRecord> {
  const missing = (why: string): BaseRecord => ({ is: 'not_recorded', why })
  const earlier = (request.before ?? []).find((run) => loadsIn(run) !== null && commandIn(run) === command)
  const used =
    earlier === undefined
      ? await runBase(options, request, command)
      : ({ is: 'used', value: earlier } as const)
  if (used.is === 'failed') return missing(`the base could not be run: ${used.why}`)
  const kept = loadsIn(used.value)
  const record = kept === null ? null : await keptLoads(options, kept)
  return record === null || kept === null
    ? missing('no process of the test command told on the base which files it loads')
    : { is: 'recorded', record, kept }
}

function runBase(
  options: GateOptions,
  { withBase, timeoutMs, signal }: ReviewChecksRequest,
  command: string,
): Promise<CheckoutUse<GateResult>> {
  const asked = { command, timeoutMs, recordsLoads: true, ...(signal === undefined ? {} : { signal }) }
  return withBase((cwd) => runTests(options, { ...asked, cwd }))
}

const loadsIn = (run: GateResult): string | null => ('evidence' in run ? (run.evidence.loads ?? null) : null)
const testsIn = (run: GateResult): string | undefined => ('evidence' in run ? run.evidence.tests : undefined)
const commandIn = (run: GateResult): string | null => ('evidence' in run ? run.evidence.command : null)

/** Files by which versions of packages are chosen. */
const choosing =
  /(^|\/)(package\.json|npm-shrinkwrap\.json|[\w.-]*lock[\w.-]*|requirements[\w.-]*\.txt|pyproject\.toml|setup\.(cfg|py)|Pipfile|environment\.ya?ml)$/

async function compare(
  request: ReviewChecksRequest,
  base: LoadRecord,
  head: LoadRecord,
): Promise<{ told: string[]; waits: Wait[] }> {
  const found = differences(base, head)
  const change = await changeOf(request, found)
  const told: string[] = []
  const waits: Wait[] = []
  for (const difference of found) {
    const explained = explainDifference(difference, change)
    if (explained?.is === 'told') told.push(`explained by the change: ${explained.words}`)
    if (explained?.is === 'wait') waits.push(explained.wait)
  }
  for (const other of otherAsking(base, head)) waits.push(...[explainAsking(other, change) ?? []].flat())
  const versions = otherVersions(base, head)
  if (request.changed.some((path) => choosing.test(path)))
    told.push(...versions.map((words) => `explained by the change: ${words}`))
  else
    waits.push(
      ...versions.map(
        (words): Wait => ({
          class: 'loads',
          file: '',
          line: null,
          words: `${words}, and nothing in the change says so`,
        }),
      ),
    )
  return { told, waits }
}

/** What is known of the files that the differences speak of. */
async function changeOf(
  { cwd, changed, readBase }: ReviewChecksRequest,
  found: readonly Difference[],
): Promise<LoadChange> {
  const paths = new Set(
    found.flatMap(({ by, gone, fresh }) => [by, ...gone, ...fresh]).flatMap((path) => path ?? []),
  )
  const before = new Set<string>()
  for (const path of paths)
    if (!/^(?:outside$|package )/.test(path) && (await readBase(path)) !== null) before.add(path)
  const after = new Set([...paths].filter((path) => existsSync(join(cwd, path))))
  return { changed: new Set(changed), before, after }
}
