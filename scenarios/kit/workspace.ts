// A git repository of its own for one test, with a treadle.json, and a home folder beside it.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '@treadle/contracts/config'
import { ownerKeyPlace } from '@treadle/contracts/owner-key'
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

/** The key of the owner whose home this is; made by the first daemon that was started with it. */
export function ownerKeyOf(home: string): string {
  return readFileSync(ownerKeyPlace({}, home).file, 'utf8').trim()
}

/** Gives a home the key that `treadle init` or `treadle up` would make, and says it. */
export function makeOwnerKey(home: string): string {
  const { folder, file } = ownerKeyPlace({}, home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return ownerKeyOf(home)
}

/** Spares a daemon with this home the making of its first database. */
export function shareTemplates(home: string): void {
  for (const dir of [TEMPLATES, join(home, '.cache')]) mkdirSync(dir, { recursive: true })
  symlinkSync(TEMPLATES, join(home, '.cache', 'treadle'))
}

/**
 * Nothing is confined unless a test says so: engines that play a part speak to the test through the home. And a decision
 * wants no code, as it would where nothing is confined, and nobody looks first whether the tests see a change. All of it
 * is the subject of tests of their own.
 */
const BESIDES = { sandbox: { mode: 'off' }, approval: { confirm: 'never' } }

/** Passes at once, so that a merge is tested without a test runner. */
const GREEN = 'true'

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
  const setConfig = (settings: unknown) => {
    const given = settings as { readonly tests?: object; readonly gates?: object }
    const tests = { readiness: 'off', canary: 'off', ...given.tests }
    // Further runs of the tests, which a scenario about something else need not wait for.
    const spared = { assertions: 'off', conditions: 'off', inputs: 'off', mutation: { mutants: 0 } }
    const gates = { ...spared, ...given.gates }
    write('treadle.json', `${JSON.stringify({ ...BESIDES, ...given, tests, gates }, null, 2)}\n`)
  }
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
