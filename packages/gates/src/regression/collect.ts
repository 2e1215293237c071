// Makes the coverage map by running the project's own tests once, with a recorder in their processes.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { GateResult } from '@treadle/contracts/gate'
import { boundedText } from '@treadle/process/bounded-file'
import { readEvidence } from '../evidence.ts'
import { type GateOptions, runGateCommand, runTests, whereShown } from '../tests.ts'
import { openImportGraph } from './import-graph.ts'
import {
  type CoverageMap,
  fileHash,
  idleUnits,
  type MappedRunner,
  type MappedTest,
  RunnerRecord,
  type Snapshot,
  snapshotFile,
  TestRecord,
} from './map.ts'
import { type NotPossible, type PlainCall, readCall, shellWord, subsetCommand } from './plain-call.ts'
import { withPath } from './run-selected.ts'
import { codeFile } from './units.ts'
import { worldFiles } from './world.ts'

export interface CollectRequest {
  readonly cwd: string
  readonly command: string
  /** For all runs together; test files that do not get a turn stay without an entry. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Only these test files; all if left out. */
  readonly tests?: readonly string[]
}

export type Collected =
  | {
      readonly is: 'collected'
      readonly map: CoverageMap
      /** What the tests did, where one run showed both. */
      readonly result: GateResult | null
    }
  | NotPossible

interface Collecting {
  readonly options: GateOptions
  readonly request: CollectRequest
  readonly runner: MappedRunner
  readonly root: string
  /** The path by which the commands know `root`. */
  readonly shownAt: string
  readonly scratch: string
  readonly into: string
}

const recorder = fileURLToPath(new URL('./recorder.cjs', import.meta.url))
const provider = fileURLToPath(new URL('./vitest-provider.mjs', import.meta.url))

export async function collectMap(options: GateOptions, request: CollectRequest): Promise<Collected> {
  const call = readCall(request.command, request.cwd)
  if (call.is === 'not_possible') return call
  const { runner } = call
  if (
    runner === 'pytest' ||
    runner === 'go' ||
    runner === 'cargo' ||
    runner === 'maven' ||
    runner === 'gradle'
  ) {
    return { is: 'not_possible', why: `what ${runner} runs is not recorded` }
  }
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'record-')))
  const into = join(scratch, 'out')
  mkdirSync(into)
  try {
    const root = realpathSync(request.cwd)
    const shownAt = await whereShown(options, root)
    const collecting = { options, request, runner, root, shownAt, scratch, into }
    const startedAt = Date.now()
    const ran = await runRecorded(collecting, call)
    if (ran.is === 'not_possible') return ran
    const map = readRecords(collecting, startedAt)
    if (map === null)
      return { is: 'not_possible', why: 'the test files share their modules, so none can be told apart' }
    if (Object.keys(map.tests).length === 0) return { is: 'not_possible', why: 'no test file left a record' }
    return { is: 'collected', map, result: ran.result }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

type Ran = { readonly is: 'ran'; readonly result: GateResult | null } | NotPossible

async function runRecorded(collecting: Collecting, call: PlainCall): Promise<Ran> {
  switch (collecting.runner) {
    case 'vitest':
      return runVitest(collecting, call)
    case 'node':
      return runNode(collecting)
    case 'mocha':
    case 'jest':
      return runOneByOne(collecting, call)
    default:
      throw new TypeError(`no such runner: ${collecting.runner satisfies never}`)
  }
}

/** The call without files, or with those that are asked for. */
export function commandFor(call: PlainCall, tests: readonly string[] | undefined): string | null {
  const words: (string | null)[] = tests === undefined ? [...call.named] : tests.map(shellWord)
  if (words.includes(null)) return null
  const runner = call.runner === 'vitest' ? 'vitest run' : call.runner
  return `${call.before}${[runner, ...call.options, ...words].join(' ')}`
}

async function runVitest(collecting: Collecting, call: PlainCall): Promise<Ran> {
  const { options, request, shownAt, scratch, into } = collecting
  const file = join(scratch, 'provider.mjs')
  const source = [
    `import { makeProvider } from ${JSON.stringify(pathToFileURL(provider).href)}`,
    `export default makeProvider(${JSON.stringify({ root: shownAt, into })})`,
  ]
  writeFileSync(file, `${source.join('\n')}\n`)
  const command = commandFor(call, request.tests)
  const at = shellWord(file)
  if (command === null || at === null)
    return { is: 'not_possible', why: 'a file has a name that cannot be handed on' }
  const flags = `--coverage.enabled=true --coverage.provider=custom --coverage.customProviderModule=${at}`
  const result = await runTests(withPath(options, call.binFolders), {
    ...request,
    command: `${command} ${flags}`,
    writable: [scratch],
  })
  return { is: 'ran', result }
}

async function runNode(collecting: Collecting): Promise<Ran> {
  const { scratch } = collecting
  const request = { ...collecting.request, writable: [scratch] }
  const options = withPreload(collecting, null)
  if (request.tests === undefined) return { is: 'ran', result: await runTests(options, request) }
  const subset = subsetCommand(request.command, request.cwd, { files: request.tests })
  if (subset.is === 'not_possible') return subset
  const result = await runTests(withPath(options, subset.binFolders), { ...request, command: subset.command })
  return { is: 'ran', result }
}

function withPreload(
  { options, shownAt, scratch, into, runner }: Collecting,
  test: string | null,
): GateOptions {
  const file = join(scratch, 'preload.cjs')
  // Jest looks through the whole project before it turns to the test.
  const from = runner === 'jest' ? test : null
  const call = `recordProcess(${JSON.stringify({ root: shownAt, into, test, from })})`
  writeFileSync(file, `require(${JSON.stringify(recorder)}).${call}\n`)
  const before = options.env.NODE_OPTIONS ?? ''
  return { ...options, env: { ...options.env, NODE_OPTIONS: `${before} --require "${file}"`.trim() } }
}

const testFilesMax = 2_000

/** Runners that load all test files into one process; each file gets a run of its own. */
async function runOneByOne(collecting: Collecting, call: PlainCall): Promise<Ran> {
  const { options, request, scratch } = collecting
  const until = Date.now() + request.timeoutMs
  const tests = request.tests ?? (await listTests(collecting, call))
  for (const test of tests.slice(0, testFilesMax)) {
    const left = until - Date.now()
    if (left <= 0 || request.signal?.aborted) break
    const subset = subsetCommand(request.command, request.cwd, { files: [test] })
    if (subset.is === 'not_possible') return subset
    const { env } = withPath(withPreload(collecting, test), subset.binFolders)
    const command =
      collecting.runner === 'jest' ? `${subset.command} --runInBand --coverage=false` : subset.command
    const { cwd, signal } = request
    await runGateCommand(options, { cwd, env, command, timeoutMs: left, signal, writable: [scratch] })
  }
  return { is: 'ran', result: null }
}

async function listTests(collecting: Collecting, call: PlainCall): Promise<string[]> {
  const { options, request, shownAt, runner } = collecting
  const list = runner === 'jest' ? '--listTests' : '--dry-run --reporter json'
  const command = `${commandFor(call, undefined)} ${list}`
  const { env } = withPath(options, call.binFolders)
  const { cwd, timeoutMs, signal } = request
  const listed = await runGateCommand(options, { command, cwd, env, timeoutMs, signal })
  const output = await readEvidence(options.evidenceDir, listed.output, 16 * 1024 * 1024)
  const text = output?.text ?? ''
  const paths =
    runner === 'jest'
      ? text.split('\n').filter((line) => isAbsolute(line))
      : [...text.matchAll(/"file": ("(?:[^"\\]|\\.)*")/g)].map(([, path]) => String(JSON.parse(path ?? '""')))
  return [...new Set(paths)].map((path) => relative(shownAt, path).split(sep).join('/')).sort()
}

// ── From records to the map ─────────────────────────────────────────────────────────────────────

const recordBytesMax = 64 * 1024 * 1024

function readRecords(collecting: Collecting, startedAt: number): CoverageMap | null {
  const { request, runner, into, root } = collecting
  const snapshots = new Map<string, Snapshot>()
  const snapshot = (path: string): Snapshot => {
    const known = snapshots.get(path) ?? snapshotIfSettled(root, path, startedAt)
    snapshots.set(path, known)
    return known
  }
  const graph = openImportGraph(root)
  const tests: Record<string, MappedTest> = {}
  let facts: RunnerRecord = { isolated: true, setup: [] }
  for (const name of readdirSync(into)) {
    const value = readJson(join(into, name))
    const record = TestRecord.safeParse(value)
    if (name === 'runner.json') facts = RunnerRecord.safeParse(value).data ?? { isolated: false, setup: [] }
    else if (record.success) {
      const data = (path: string) => graph.importsOf(path).files.filter((each) => !codeFile.test(each))
      tests[record.data.test] = joined(tests[record.data.test], toTest(record.data, snapshot, data))
    }
  }
  if (!facts.isolated) return null
  const world = [...worldFiles(root), ...facts.setup].map((path) => [path, fileHash(root, path)])
  return {
    format: 1,
    runner,
    command: request.command,
    world: Object.fromEntries(world),
    files: Object.fromEntries([...snapshots].map(([path, { file }]) => [path, file])),
    tests,
  }
}

/** A file that was written while the tests ran may not be what they ran. */
function snapshotIfSettled(root: string, path: string, startedAt: number): Snapshot {
  const written = statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (written < startedAt) return snapshotFile(root, path)
  return { file: { hash: 'unsettled', units: null }, parsed: null, lineStarts: [] }
}

function toTest(
  record: TestRecord,
  snapshot: (path: string) => Snapshot,
  data: (path: string) => string[],
): MappedTest {
  const loads: MappedTest['loads'] = {}
  for (const { path, functions } of record.loads) {
    const idle = idleUnits(snapshot(path), functions)
    // Two scripts of one file, such as with and without a query: what neither ran is idle.
    loads[path] = path in loads ? common(loads[path] ?? null, idle) : idle
  }
  const reads = [...new Set([...record.reads, ...Object.keys(loads).flatMap(data)])]
  for (const path of reads) snapshot(path)
  return { loads, reads, lists: record.lists, opaque: record.opaque }
}

function common(one: number[] | null, other: number[] | null): number[] | null {
  return one === null || other === null ? null : one.filter((unit) => other.includes(unit))
}

/** The same file under two projects of one runner. */
function joined(one: MappedTest | undefined, other: MappedTest): MappedTest {
  if (one === undefined) return other
  const loads: MappedTest['loads'] = { ...one.loads }
  for (const [path, idle] of Object.entries(other.loads)) {
    loads[path] = path in loads ? common(loads[path] ?? null, idle) : idle
  }
  const both = (key: 'reads' | 'lists' | 'opaque') => [...new Set([...one[key], ...other[key]])]
  return { loads, reads: both('reads'), lists: both('lists'), opaque: both('opaque') }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(boundedText(file, recordBytesMax) ?? 'null')
  } catch {
    return null
  }
}
