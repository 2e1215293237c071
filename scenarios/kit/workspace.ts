// A git repository of its own for one test, with a treadle.json, and a home folder beside it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '@treadle/contracts/config'
import { type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { cleanEnv } from '../env.ts'

type Settings = { readonly [Section in keyof Config]?: Partial<Config[Section]> }

export interface WorkspaceOptions {
  readonly settings?: Settings
  readonly files?: Readonly<Record<string, string>>
  /** False: the first daemon has to make its database from nothing. */
  readonly sharesTemplates?: boolean
}

export interface Workspace {
  readonly root: string
  readonly home: string
  readonly paths: WorkspacePaths
  git(...args: string[]): string
  write(file: string, text: string): void
  setConfig(settings: unknown): void
  remove(): void
}

/** Databases ready to be copied; the store's own tests use the same folder. */
const TEMPLATES = join(tmpdir(), `treadle-test-templates-${userInfo().username}`)

/** Spares a daemon with this home the making of its first database. */
export function shareTemplates(home: string): void {
  for (const dir of [TEMPLATES, join(home, '.cache')]) mkdirSync(dir, { recursive: true })
  symlinkSync(TEMPLATES, join(home, '.cache', 'treadle'))
}

/** Passes at once, so that a merge is tested without a test runner. */
const GREEN = 'true'

/** Engines that play a part speak to the test through the home, which is hidden where they are confined. */
function unconfined(settings: unknown): unknown {
  const { engines } = (settings ?? {}) as Settings
  return engines === undefined
    ? settings
    : { ...(settings as Settings), engines: { sandbox: 'off', ...engines } }
}

export function makeWorkspace(options: WorkspaceOptions = {}): Workspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-scenario-')))
  const [root, home] = [join(base, 'repository'), join(base, 'home')]
  for (const dir of [root, join(home, '.cache')]) mkdirSync(dir, { recursive: true })
  if (options.sharesTemplates ?? true) shareTemplates(home)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: cleanEnv(home), encoding: 'utf8', stdio: 'pipe' }).trim()
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const setConfig = (settings: unknown) =>
    write('treadle.json', `${JSON.stringify(unconfined(settings), null, 2)}\n`)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.invalid')
  setConfig({ tests: { command: GREEN }, ...options.settings })
  for (const [file, text] of Object.entries({ 'README.md': '# Sample\n', ...options.files }))
    write(file, text)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'start')
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return { root, home, paths: workspacePaths(root), git, write, setConfig, remove }
}
