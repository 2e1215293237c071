// Projects of several modules, each with its whole suite, and what their test runners say about them.
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { readReport } from '@treadle/gates/reports/read-report'
import type { Edit } from '../repair/bug.ts'
import { nodeModules, type Runner, sourcesOf, writeFiles, writeSuite } from '../repair/materialise.ts'
import { run } from '../repair/suites.ts'

export type Project = {
  readonly name: string
  readonly runner: Runner
  /** The edits of each module. */
  readonly modules: ReadonlyMap<string, readonly Edit[]>
}

export type Outcome = {
  readonly folder: string
  readonly failures: readonly TestFailure[]
  /** It did not end, so nothing is known of its tests. */
  readonly hung: boolean
  readonly tookMs: number
}

/** As somebody in the folder would call them. */
export const commands: Readonly<Record<Runner, string>> = {
  node: `node --test --test-timeout=20000 '*/test/*.test.ts' '*/heldout/*.test.ts'`,
  vitest: 'vitest run --pool=threads --maxWorkers=2 --testTimeout=20000',
}

const vitest = join(nodeModules, 'vitest/vitest.mjs')
const timeoutMs = 60_000
const batch = 10
const batchTimeoutMs = 40_000
const atOnce = 2

/** Writes and really runs them all; the failures by the name of the project. */
export async function runProjects(root: string, projects: readonly Project[]): Promise<Map<string, Outcome>> {
  const real = realpathSync(root)
  if (!existsSync(join(real, 'node_modules'))) symlinkSync(nodeModules, join(real, 'node_modules'), 'dir')
  writeFiles(real, new Map([['package.json', '{ "type": "module" }']]))
  for (const project of projects) writeProject(folderOf(real, project), project)
  const ofNode = projects.filter(({ runner }) => runner === 'node')
  const ofVitest = projects.filter(({ runner }) => runner === 'vitest')
  return new Map([...(await runNode(real, ofNode)), ...(await runVitest(real, ofVitest))])
}

function folderOf(root: string, { runner, name }: Project): string {
  return join(root, runner, name)
}

function writeProject(folder: string, { modules }: Project): void {
  for (const [program, edits] of modules) {
    const inside = join(folder, program)
    writeFiles(inside, sourcesOf(program, edits))
    writeSuite(inside, program, 'visible')
    writeSuite(inside, program, 'heldout')
  }
}

async function runNode(root: string, projects: readonly Project[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const waiting = [...projects]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const folder = folderOf(root, next)
      const args = ['--test', '--test-concurrency=1', '--test-timeout=20000', '--test-reporter=tap']
      const files = ['*/test/*.test.ts', '*/heldout/*.test.ts']
      const startedAt = performance.now()
      const { code, output } = await run([...args, ...files], folder, timeoutMs)
      const tookMs = performance.now() - startedAt
      const hung = code === null
      const failures = hung ? [] : readReport(output, folder).failures
      outcomes.set(next.name, { folder, hung, tookMs, failures })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return outcomes
}

type VitestReport = { testResults: { name: string; assertionResults: { status: string }[] }[] }

/** One process for many of them, since starting it takes longer than most suites; its report is taken apart. */
async function runVitest(root: string, projects: readonly Project[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const waiting = Array.from({ length: Math.ceil(projects.length / batch) }, (_, at) =>
    projects.slice(at * batch, (at + 1) * batch),
  )
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const found = await runBatch(root, next)
    const [only] = next
    if (found !== null) for (const [name, outcome] of found) outcomes.set(name, outcome)
    else if (next.length > 1 || only === undefined) waiting.push(...next.map((each) => [each]))
    else outcomes.set(only.name, { folder: folderOf(root, only), failures: [], hung: true, tookMs: 0 })
  }
  return outcomes
}

/** Null if one of them does not end. */
async function runBatch(root: string, projects: readonly Project[]): Promise<Map<string, Outcome> | null> {
  const inside = join(root, 'vitest')
  mkdirSync(inside, { recursive: true })
  const file = join(root, 'report.json')
  const how = ['--pool=threads', '--no-isolate', `--maxWorkers=${atOnce}`, '--testTimeout=20000']
  const { code } = await run(
    [
      vitest,
      'run',
      '--root',
      inside,
      ...how,
      '--reporter=json',
      `--outputFile=${file}`,
      ...projects.map(({ name }) => `${name}/`),
    ],
    inside,
    batchTimeoutMs,
  )
  if (code === null) return null
  const report: VitestReport = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    projects.map((project) => {
      const folder = folderOf(root, project)
      const testResults = report.testResults.filter(({ name }) => name.startsWith(`${folder}/`))
      const statuses = testResults.flatMap((one) => one.assertionResults.map(({ status }) => status))
      const part = {
        numTotalTests: statuses.length,
        numFailedTests: statuses.filter((status) => status === 'failed').length,
        numPassedTests: statuses.filter((status) => status === 'passed').length,
        success: !statuses.includes('failed'),
        testResults,
      }
      const { failures } = readReport(JSON.stringify(part), folder)
      return [project.name, { folder, failures, hung: false, tookMs: 0 }]
    }),
  )
}
