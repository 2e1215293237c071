// One project, many faults: what the whole suite finds, what `vitest --changed` would run, what we would run.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { unconfined } from '@treadle/gates/run-command'
import { collectMap } from '../../packages/gates/src/regression/collect.ts'
import type { CoverageMap } from '../../packages/gates/src/regression/map.ts'
import { selectAffected } from '../../packages/gates/src/regression/select.ts'
import { env as toolEnv } from '../../tools/env.ts'
import { nodeModules } from '../repair/materialise.ts'
import { run } from '../repair/suites.ts'
import type { Fault } from './faults.ts'
import { type Layout, makeProject } from './project.ts'

export interface Measured {
  readonly id: string
  readonly layout: Layout
  /** Hung: the whole suite did not end, so there is no truth to compare with. */
  readonly is: 'measured' | 'hung' | 'harmless'
  readonly failing: number
  readonly full: Count
  readonly changed: Choice
  readonly ours: Choice
  readonly everything: readonly string[]
  readonly selectMs: number
}
interface Count {
  readonly files: number
  readonly tests: number
}
interface Choice extends Count {
  /** Tests that fail in the whole suite and would not have been run. */
  readonly missed: readonly string[]
}

export interface LayoutResult {
  readonly layout: Layout
  readonly mapSeconds: number
  /** The same run of the suite without a recorder. */
  readonly suiteSeconds: number
  readonly rows: readonly Measured[]
}

const vitest = join(nodeModules, 'vitest/vitest.mjs')
// On a busy machine a run takes long; one that does not end takes longer.
const wholeMsMax = 90_000
const listMsMax = 120_000

export async function measureLayout(
  layout: Layout,
  faults: readonly Fault[],
  onRow: (row: Measured) => void,
): Promise<LayoutResult> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-regression-')))
  try {
    const cwd = join(root, 'project')
    mkdirSync(cwd)
    makeProject(cwd, layout)
    const startedAt = performance.now()
    const map = await makeMap(root, cwd)
    const mapSeconds = (performance.now() - startedAt) / 1000
    await runVitest(cwd, ['--isolate'])
    const suiteSeconds = (performance.now() - startedAt) / 1000 - mapSeconds
    const whole = await runVitest(cwd, [])
    if (whole === null) throw new Error('the suite does not end')
    const rows: Measured[] = []
    const base: Base = { cwd, map, tests: whole.tests, listed: new Map() }
    for (const fault of faults) {
      const row = { layout, ...(await measureFault(base, fault)) }
      rows.push(row)
      onRow(row)
    }
    return { layout, mapSeconds, suiteSeconds, rows }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function makeMap(root: string, cwd: string): Promise<CoverageMap> {
  const env = { PATH: `${dirname(process.execPath)}:${toolEnv.path}`, HOME: root }
  const options = {
    evidenceDir: join(root, 'evidence'),
    env,
    tailBytes: 4_000,
    surroundings: unconfined('fixtures of ours'),
  }
  const request = { cwd, command: 'npm test', timeoutMs: 900_000, folder: join(root, 'maps') }
  const collected = await collectMap(options, request)
  if (collected.is === 'not_possible') throw new Error(collected.why)
  if (collected.result?.is !== 'passed')
    throw new Error(`the suite is not green: ${JSON.stringify(collected.result)}`)
  return collected.map
}

interface Base {
  readonly cwd: string
  readonly map: CoverageMap
  /** The number of tests in each file. */
  readonly tests: ReadonlyMap<string, number>
  /** What `--changed` listed for files seen before. */
  readonly listed: Map<string, string[]>
}

async function measureFault(
  { cwd, map, tests, listed }: Base,
  fault: Fault,
): Promise<Omit<Measured, 'layout'>> {
  const before = new Map<string, string>()
  for (const { file, find, replace } of fault.edits) {
    const text = readFileSync(join(cwd, file), 'utf8')
    if (!before.has(file)) before.set(file, text)
    writeFileSync(
      join(cwd, file),
      text.replace(find, () => replace),
    )
  }
  try {
    const startedAt = performance.now()
    const selection = selectAffected({ cwd, changedFiles: changedFiles(cwd), map })
    const selectMs = performance.now() - startedAt
    const all = [...tests.keys()]
    const ours = selection.is === 'everything' ? all : selection.tests.map(({ test }) => test)
    const whole = await runVitest(cwd, [])
    const changed = whole === null ? null : await listChanged(cwd, listed)
    const failing = whole?.failing ?? []
    const choice = (files: readonly string[]): Choice => ({
      ...countOf(files, tests),
      missed: failing.filter((test) => !files.includes(test.split(' > ')[0] ?? '')),
    })
    return {
      id: fault.id,
      is: standingOf(whole),
      failing: failing.length,
      full: countOf(all, tests),
      changed: choice(changed ?? all),
      ours: choice(ours),
      everything: selection.is === 'everything' ? selection.because : [],
      selectMs,
    }
  } finally {
    for (const [file, text] of before) writeFileSync(join(cwd, file), text)
  }
}

function standingOf(whole: VitestRun | null): Measured['is'] {
  if (whole === null) return 'hung'
  return whole.failing.length === 0 ? 'harmless' : 'measured'
}

function countOf(files: readonly string[], tests: ReadonlyMap<string, number>): Count {
  return { files: files.length, tests: files.reduce((sum, file) => sum + (tests.get(file) ?? 0), 0) }
}

function changedFiles(cwd: string): string[] {
  const options = { cwd, encoding: 'utf8', timeout: 30_000 } as const
  return execFileSync('git', ['diff', '--name-only', 'HEAD'], options)
    .split('\n')
    .filter((path) => path !== '')
}

interface VitestRun {
  readonly tests: ReadonlyMap<string, number>
  readonly failing: readonly string[]
}

type Report = {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** What `vitest --changed` would run, as it lists it itself. It goes by the files alone, so once for each is enough. */
async function listChanged(cwd: string, known: Map<string, string[]>): Promise<string[]> {
  const key = changedFiles(cwd).join()
  const listed = known.get(key) ?? (await listAnew(cwd))
  known.set(key, listed)
  return listed
}

async function listAnew(cwd: string): Promise<string[]> {
  const file = join(dirname(cwd), 'changed.json')
  rmSync(file, { force: true })
  await run([vitest, 'list', '--root', cwd, '--changed', '--filesOnly', `--json=${file}`], cwd, listMsMax)
  const listed: { file: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  return listed.map((each) => relative(cwd, each.file))
}

// Without isolation a run takes a second or two; the programs keep no state between tests.
async function runVitest(cwd: string, args: readonly string[]): Promise<VitestRun | null> {
  const report = join(dirname(cwd), 'report.json')
  rmSync(report, { force: true })
  const fixed = [vitest, 'run', '--root', cwd, '--reporter=json', `--outputFile=${report}`]
  const how = args.length > 0 ? args : ['--no-isolate']
  const { code } = await run([...fixed, ...how], cwd, args.length > 0 ? 10 * wholeMsMax : wholeMsMax)
  if (code === null) return null
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const files = testResults.map((one) => ({ ...one, path: relative(cwd, one.name) }))
  const failing = files.flatMap(({ path, status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [path]
    return failed.map(({ fullName }) => `${path} > ${fullName}`)
  })
  return {
    tests: new Map(files.map(({ path, assertionResults }) => [path, assertionResults.length])),
    failing,
  }
}
