// Projects of several modules, each with its whole suite, and what their test runners say about them.
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
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

export type Outcome = { readonly folder: string; readonly failures: readonly TestFailure[] }

const vitest = join(nodeModules, 'vitest/vitest.mjs')
const timeoutMs = 600_000
const atOnce = 2

/** Writes and really runs them all; the failures by the name of the project. */
export async function runProjects(root: string, projects: readonly Project[]): Promise<Map<string, Outcome>> {
  const real = realpathSync(root)
  symlinkSync(nodeModules, join(real, 'node_modules'), 'dir')
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
      const { output } = await run([...args, '*/test/*.test.ts', '*/heldout/*.test.ts'], folder, timeoutMs)
      outcomes.set(next.name, { folder, failures: readReport(output, folder).failures })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return outcomes
}

type VitestReport = { testResults: { name: string; assertionResults: { status: string }[] }[] }

/** One process for all of them, since starting it takes longer than most suites; its report is taken apart. */
async function runVitest(root: string, projects: readonly Project[]): Promise<Map<string, Outcome>> {
  const inside = join(root, 'vitest')
  mkdirSync(inside, { recursive: true })
  const file = join(root, 'report.json')
  const how = ['--pool=threads', '--no-isolate', `--maxWorkers=${atOnce}`, '--testTimeout=20000']
  await run(
    [vitest, 'run', '--root', inside, ...how, '--reporter=json', `--outputFile=${file}`],
    inside,
    timeoutMs,
  )
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
      return [project.name, { folder, failures: readReport(JSON.stringify(part), folder).failures }]
    }),
  )
}
