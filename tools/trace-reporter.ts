// Writes what each test says about its requirements to .trace/<tier>.json at the end of a test command.
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import type {} from '../requirements/verifies.ts'
import { formatDurations } from './slowest.ts'
import {
  type FileResult,
  mergeResults,
  readResults,
  type TestResult,
  type Tier,
  writeResults,
} from './trace-results.ts'
import { treeHash } from './tree-hash.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export class TraceReporter implements Reporter {
  readonly #tier: Tier
  #treeBefore = 'unknown'
  #vitest: Vitest | undefined

  constructor(tier: Tier) {
    this.#tier = tier
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(): void {
    this.#treeBefore = treeHash(root)
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (modules.length === 0) return
    const tree = treeHash(root)
    const at = new Date().toISOString()
    const files: Record<string, FileResult> = {}
    for (const module of modules) files[module.relativeModuleId] = readModule(module, at)
    const changed = tree !== this.#treeBefore
    const whole = await this.#whole(modules)
    const run = { tier: this.#tier, tree: changed ? 'unknown' : tree, at, whole, files }
    writeResults(mergeResults(readResults(this.#tier), run))
    process.stdout.write(
      summary(run.files, changed) + formatDurations(run, { load: loadavg()[0] ?? 0, cores: cpus().length }),
    )
  }

  /** Whether every file of the tier ran, not only those named on the command line. */
  async #whole(modules: readonly TestModule[]): Promise<boolean> {
    if (!this.#vitest || this.#vitest.config.testNamePattern !== undefined) return false
    const ran = new Set(modules.map((module) => module.moduleId))
    const all = await this.#vitest.globTestSpecifications()
    return all.every((specification) => ran.has(specification.moduleId))
  }
}

function readModule(module: TestModule, at: string): FileResult {
  const tests: TestResult[] = []
  for (const test of module.children.allTests()) {
    const result = readTest(test)
    if (result) tests.push(result)
  }
  const { collectDuration, duration } = module.diagnostic()
  return { at, loaded: module.errors().length === 0, ms: Math.round(collectDuration + duration), tests }
}

function readTest(test: TestCase): TestResult | undefined {
  const { requirements: ids = [], notRun } = test.meta()
  const { state } = test.result()
  const ms = Math.round(test.diagnostic()?.duration ?? 0)
  if (state === 'passed' || state === 'failed') return { title: test.fullName, ids, state, ms }
  if (notRun !== undefined) return { title: test.fullName, ids, state: 'not-run', ms, why: notRun }
  // Left out by a name filter: earlier results of this test stay.
  return undefined
}

function summary(files: Record<string, FileResult>, changed: boolean): string {
  const tests = Object.values(files).flatMap((file) => file.tests)
  const left = tests.filter((test) => test.state === 'not-run').length
  const ids = new Set(tests.filter((test) => test.state === 'passed').flatMap((test) => test.ids))
  const lines = [`     Traced  ${ids.size} requirements cited by passing tests; ${left} tests not run`]
  if (changed) lines.push('             files changed during the run, so these results count for no tree')
  return `${lines.join('\n')}\n\n`
}
