// The workspace that a command speaks of, and what must be there before anything runs in it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { jsonFault } from '@treadle/contracts/config/json-fault'
import { CONFIG_FILE, STATE_DIR, type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { orInWords } from './disk-words.ts'
import type { CliEnv } from './env.ts'
import { UserError } from './user-error.ts'

/** The workspace: from here upwards the first folder with a treadle.json or a .treadle folder; TREADLE_WORKSPACE wins. */
export function findWorkspace(env: Pick<CliEnv, 'workspace'>, from: string = process.cwd()): WorkspacePaths {
  if (env.workspace !== null) {
    const given = resolve(env.workspace)
    if (!existsSync(given)) throw new UserError(`TREADLE_WORKSPACE names ${given}, which does not exist.`)
    return workspacePaths(realpathSync(given))
  }
  for (let at = realpathSync(from); ; at = dirname(at)) {
    if (existsSync(`${at}/${CONFIG_FILE}`) || existsSync(`${at}/${STATE_DIR}/token`))
      return workspacePaths(at)
    if (dirname(at) === at) break
  }
  throw new UserError(
    'There is no Treadle workspace here or above.',
    'Set one up in your repository: treadle init',
  )
}

/** The root of the git repository that holds `from`. */
export function findRepository(from: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--show-toplevel'], {
      cwd: from,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? '')
    if (said.includes('dubious ownership'))
      throw new UserError(
        `Git does not trust the repository at ${from}: it belongs to somebody else.`,
        `If you do: git config --global --add safe.directory ${from}`,
      )
    throw new UserError(
      `${from} is not inside a git repository.`,
      'Make one: git init && git add -A && git commit -m start',
    )
  }
}

export function currentBranch(root: string): string | null {
  try {
    return execFileSync('git', ['symbolic-ref', '--short', '-q', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
    }).trim()
  } catch {
    return null
  }
}

export function hasCommit(root: string): boolean {
  return isKnown(root, 'HEAD')
}

export function hasBranch(root: string, branch: string): boolean {
  return isKnown(root, `refs/heads/${branch}`)
}

function isKnown(root: string, name: string): boolean {
  try {
    execFileSync('git', ['rev-parse', '-q', '--verify', name], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Our folder ignores itself, so that the user's .gitignore is left alone. */
export function prepareState(paths: WorkspacePaths): void {
  orInWords(() => {
    makeFolder(paths.state)
    // A folder that was made before may not be writable any more.
    const probe = `${paths.state}/probe-${process.pid}`
    writeFileSync(probe, 'probe\n')
    rmSync(probe)
    mkdirSync(paths.logs, { recursive: true })
    if (!existsSync(`${paths.state}/.gitignore`)) writeFileSync(`${paths.state}/.gitignore`, '*\n')
  })
}

/**
 * Makes a folder that another process may be making at this moment, too. Not recursive: where nothing can be written, a
 * recursive mkdir says that there is no such folder.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Refuses settings that cannot be parsed, with the place; a daemon that runs keeps those it has. */
export function needSoundSettings({ root }: WorkspacePaths): void {
  const fault = settingsFault(root)
  if (fault !== null) throw new UserError(fault.message, fault.hint)
}

/** The fault of treadle.json as a text; null if it can be parsed, or is not there. */
export function settingsFault(root: string): { message: string; hint: string } | null {
  const file = `${root}/${CONFIG_FILE}`
  if (!existsSync(file)) return null
  const fault = jsonFault(orInWords(() => readFileSync(file, 'utf8')))
  if (fault === null) return null
  return {
    message: `${CONFIG_FILE} cannot be parsed: line ${fault.line}, column ${fault.column}: ${fault.message}.`,
    hint: `Correct it: ${file}:${fault.line}:${fault.column}`,
  }
}
