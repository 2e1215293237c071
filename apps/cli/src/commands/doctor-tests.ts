// How the tests are run here, how long they take and what fails now.
import { existsSync, readFileSync } from 'node:fs'
import { readConfig } from '@treadle/contracts/config/read'
import type { ProjectLook, ReadinessFound } from '@treadle/contracts/readiness'
import { foundWords, mendWords } from '@treadle/contracts/words/readiness'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { findDaemon } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { lookAtProject } from '../project-look.ts'
import { findWorkspace, settingsFault } from '../workspace.ts'
import type { Finding } from './doctor-engines.ts'

export interface TestLook {
  readonly findings: readonly Finding[]
  /** What was found, for programs; null: there is no workspace, or it could not be looked at. */
  readonly look: ProjectLook | null
}

const NOTHING: TestLook = { findings: [], look: null }

export async function testReport(env: CliEnv, tries: boolean): Promise<TestLook> {
  let paths: WorkspacePaths
  try {
    paths = findWorkspace(env)
    if (settingsFault(paths.root) !== null) return NOTHING
  } catch {
    // There is no workspace here; that is said elsewhere.
    return NOTHING
  }
  try {
    const look = await lookIn(env, paths, tries)
    return { findings: [findingOf(look)], look }
  } catch (error) {
    const found = `could not be looked at: ${error instanceof Error ? error.message : error}`
    return { findings: [{ what: 'tests', is: 'note', found, hint: null }], look: null }
  }
}

/** What a daemon has found is not found out again. */
async function lookIn(env: CliEnv, paths: WorkspacePaths, tries: boolean): Promise<ProjectLook> {
  const running = await findDaemon(paths, env)
  const known = running === null ? null : (await running.client.readiness()).found
  const look = await lookAtProject(env, paths.root, { run: tries && known === null && isWanted(paths) })
  return { ...look, found: look.found ?? known }
}

function isWanted({ config }: WorkspacePaths): boolean {
  const own = existsSync(config) ? readFileSync(config, 'utf8') : null
  return readConfig({ own, vscode: null }).config.tests.readiness !== 'off'
}

function findingOf({ testCommand, found }: ProjectLook): Finding {
  const what = 'tests'
  if (found === null)
    return testCommand === null
      ? {
          what,
          is: 'note',
          found: 'no test command was found',
          hint: 'Name one: tests.command in treadle.json',
        }
      : { what, is: 'ok', found: `\`${testCommand}\``, hint: null }
  if (found.is !== 'not_ready')
    return { what, is: isClean(found) ? 'ok' : 'note', found: foundWords(found), hint: null }
  const { trouble } = found
  const lines = trouble.lines.split('\n').map((line) => `    ${line}`)
  return { what, is: 'missing', found: trouble.text, hint: [`${mendWords(trouble)}.`, ...lines].join('\n') }
}

const isClean = (found: ReadinessFound): boolean => found.is === 'ready' && found.baseline.failed === 0
