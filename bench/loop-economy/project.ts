// The project in every state that a scenario can be in, and what its real test run says about each.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FailureHints } from '@treadle/contracts/failure'
import type { GateResult } from '@treadle/contracts/gate'
import type { Gates } from '@treadle/flow/ports/gates'
import { failuresIn } from '@treadle/flow/verify/failure/evidence'
import { openGates } from '@treadle/gates/gates'
import { unconfined } from '@treadle/gates/run-command'
import { writeFiles } from '../repair/materialise.ts'
import type { Scenario } from './scenarios.ts'

export const TEST_COMMAND = 'node --test --test-isolation=none'
const timeoutMs = 120_000
const source = fileURLToPath(new URL('./project', import.meta.url))

export interface State {
  readonly gate: GateResult
  readonly hints: FailureHints
  readonly failing: readonly string[]
  readonly total: number
}

/** Each state is run once and remembered: the same files give the same result. */
export class Project {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-economy-')))
  readonly #gates: Gates
  readonly #states = new Map<string, Promise<State>>()

  constructor() {
    const evidenceDir = join(this.#root, 'evidence')
    mkdirSync(evidenceDir)
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
    this.#gates = openGates({
      evidenceDir,
      env,
      tailBytes: 4_096,
      trace: true,
      surroundings: unconfined('fixtures of ours'),
    })
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  /** The state in which these causes are still in the project. */
  state({ suites, causes }: Scenario, left: ReadonlySet<string>): Promise<State> {
    const present = causes.filter(({ id }) => left.has(id))
    const name = [...suites, ...present.map(({ id }) => id)].join('-')
    const known = this.#states.get(name)
    if (known !== undefined) return known
    const edits = present.map(({ edit }) => edit)
    const found = this.#run(join(this.#root, String(this.#states.size)), suites, edits)
    this.#states.set(name, found)
    return found
  }

  /** Which cause breaks which test, by running the project with each cause alone. */
  async brokenBy(scenario: Scenario): Promise<Map<string, string>> {
    const broken = new Map<string, string>()
    for (const { id } of scenario.causes) {
      const { failing } = await this.state(scenario, new Set([id]))
      for (const test of failing) {
        assert(!broken.has(test), `${test} has two causes`)
        broken.set(test, id)
      }
    }
    return broken
  }

  async #run(folder: string, suites: readonly string[], edits: Scenario['causes'][number]['edit'][]) {
    writeFiles(folder, filesOf(suites, edits))
    const gate = await this.#gates.runTests({ cwd: folder, command: TEST_COMMAND, timeoutMs })
    const failures = failuresIn([gate])
    assert(gate.is === 'passed' || gate.is === 'failed', `the project's tests: ${gate.is}`)
    const { report } = gate.evidence
    assert(report !== null && report.failed === failures.length, 'the report names every failure')
    const run = { command: TEST_COMMAND, timeoutMs, tookMs: gate.evidence.durationMs }
    const hints = await this.#gates.hints({ cwd: folder, failures, run })
    return { gate, hints, failing: failures.map(({ id }) => id), total: report.total }
  }
}

function filesOf(
  suites: readonly string[],
  edits: readonly { file: string; find: string; replace: string }[],
): Map<string, string> {
  const files = new Map([['package.json', '{ "type": "module" }']])
  const read = (path: string) => readFileSync(join(source, path), 'utf8')
  for (const name of readdirSync(join(source, 'src'))) files.set(`src/${name}`, read(`src/${name}`))
  for (const name of suites) files.set(`test/${name}.test.ts`, read(`test/${name}.suite.ts`))
  for (const { file, find, replace } of edits) {
    const parts = files.get(file)?.split(find) ?? []
    assert(parts.length === 2, `${file}: not exactly one place for ${find}`)
    files.set(file, parts.join(replace))
  }
  return files
}
