// Runs test files of a copy: in the repair engine's own runner where it can, else by the project's.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadProject, type Project } from '@treadle/repair/project/load'
import type { TestResult } from '@treadle/repair/run/protocol'
import { loadMessage } from '@treadle/repair/search/baseline'
import { type RunnerPlace, RunnerProcess } from '@treadle/repair/search/process'
import { runCommand } from '@treadle/repair/validate'
import { whyNotBuilt } from './own-build.ts'

export interface TestOutcome {
  /** Its file and its number there: a name may hold the text of a function, and then differs with it. */
  readonly place: string
  readonly passed: boolean
  /** What the failure said; empty for one that passed. */
  readonly said: string
  /** Files of the project of which it called a function; empty where that is not known. */
  readonly ran: readonly string[]
}

type TestRun =
  | {
      readonly is: 'ran'
      readonly by: 'engine' | 'command'
      readonly tests: ReadonlyMap<string, TestOutcome>
    }
  | { readonly is: 'unable'; readonly why: string }

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Once more with coverage and without confinement; only what both runs agree on counts, as in a repair. */
  readonly twice: boolean
}

const SILENCE_MS = 40_000
const COMMAND_MS = 60_000
const LIMITS = { fuel: 20_000_000, cpuMs: Number.MAX_SAFE_INTEGER, testMs: 5_000 }

export async function runTests(
  root: string,
  tests: readonly string[],
  options: RunOptions,
): Promise<TestRun> {
  const unbuilt = await whyNotBuilt(root, options)
  if (unbuilt !== null) return { is: 'unable', why: unbuilt }
  const project = loadProject(root, commandFor(root, tests))
  if (project.tests.length > 0) {
    const run = await runByEngine(project, options)
    if (run.is === 'ran') return run
  }
  const why = project.left[0]?.why ?? 'the engine could not run the tests'
  if (!hasRunner(root, tests)) return { is: 'unable', why }
  return await runByCommand(root, tests, options)
}

async function runByEngine(project: Project, options: RunOptions): Promise<TestRun> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-tests-')))
  const place = { root: project.root, scratch: { path: scratch, before: [] } }
  try {
    const confined = await observe(project, { ...place, confined: true }, options.signal)
    const open = options.twice
      ? await observe(project, { ...place, confined: false }, options.signal)
      : confined
    if (open === null || confined === null) return { is: 'unable', why: 'the tests did not end' }
    const known = new Map(confined.map((test) => [test.key, test.is]))
    const counted = open.filter((test) => test.is !== 'left' && known.get(test.key) === test.is)
    if (counted.length === 0) return { is: 'unable', why: whyNone(open) }
    const places = placesOf(project, open)
    const tests = new Map(
      counted.map((test) => [nameOf(project, test), outcomeOf(project, test, places.get(test.key) ?? '')]),
    )
    return { is: 'ran', by: 'engine', tests }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function whyNone(tests: readonly TestResult[]): string {
  const said = tests.find((test) => test.failure !== null)?.failure?.message.split('\n')[0]
  return said ?? 'no test was found in the test files'
}

/** By path, because a module has another number as soon as an import is added. */
function nameOf(project: Project, test: TestResult): string {
  return `${project.files[test.module]?.path ?? ''}${test.key.slice(test.key.indexOf('|'))}`
}

function placesOf(project: Project, tests: readonly TestResult[]): Map<string, string> {
  const places = new Map<string, string>()
  for (const own of Map.groupBy(tests, (test) => test.module).values())
    for (const [index, test] of own.entries())
      places.set(test.key, `${project.files[test.module]?.path ?? ''}|${index}`)
  return places
}

function outcomeOf(project: Project, test: TestResult, place: string): TestOutcome {
  const ran = Object.entries(test.hits)
    // The first range of a module is the module itself, which loading it runs.
    .filter(([, functions]) => functions.some(([start = 0, , count = 0]) => start > 0 && count > 0))
    .flatMap(([module]) => project.files[Number(module)]?.path ?? [])
  const said = test.failure === null ? '' : `${test.failure.name}: ${test.failure.message}`
  return { place, passed: test.is === 'passed', said, ran }
}

async function observe(
  project: Project,
  place: RunnerPlace,
  signal: AbortSignal,
): Promise<readonly TestResult[] | null> {
  signal.throwIfAborted()
  let heard: readonly TestResult[] | null = null
  const runner = new RunnerProcess(place, SILENCE_MS, (message) => {
    if (message.is !== 'baseline') return
    heard = message.tests
    runner.kill()
  })
  const stop = () => runner.kill()
  signal.addEventListener('abort', stop, { once: true })
  runner.send(loadMessage(project, LIMITS, { coverage: !place.confined, guarded: place.confined }))
  runner.send({ is: 'baseline' })
  await runner.gone
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  return heard
}

async function runByCommand(root: string, tests: readonly string[], options: RunOptions): Promise<TestRun> {
  const { env, signal } = options
  const ran = await runCommand(root, commandFor(root, tests), { env, signal, timeoutMs: COMMAND_MS })
  signal.throwIfAborted()
  if (ran.is === 'timed_out') return { is: 'unable', why: 'the test command did not end' }
  const passed = ran.is === 'passed'
  // Which of the tests failed is not known here: all of them together are one.
  const outcome = { place: tests.join(' '), passed, said: passed ? '' : 'the test command failed', ran: [] }
  return { is: 'ran', by: 'command', tests: new Map([[tests.join(' '), outcome]]) }
}

/** What runs these files, and what names them to the engine. */
export function commandFor(root: string, tests: readonly string[]): string {
  const runner = runnerOf(root, tests)
  const start = { node: 'node --test', vitest: 'vitest run', jest: 'jest', mocha: 'mocha' }[runner]
  const path = runner === 'node' ? start : `node_modules/.bin/${start}`
  return `${path} ${tests.join(' ')}`
}

function hasRunner(root: string, tests: readonly string[]): boolean {
  const runner = runnerOf(root, tests)
  return runner === 'node' || existsSync(join(root, 'node_modules', '.bin', runner))
}

type RunnerName = 'node' | 'vitest' | 'jest' | 'mocha'

function runnerOf(root: string, tests: readonly string[]): RunnerName {
  const texts = tests.map((path) => readFileSync(join(root, path), 'utf8'))
  if (texts.some((text) => /['"]node:test['"]/.test(text))) return 'node'
  const manifest = join(root, 'package.json')
  const known = existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''
  const named = (['vitest', 'jest', 'mocha'] as const).find((name) => known.includes(`"${name}"`))
  return named ?? (texts.some((text) => /['"]vitest['"]/.test(text)) ? 'vitest' : 'node')
}
