// A copy of a repository that Treadle is set up in, as its owner would do it: clone, install, `treadle init`.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { detectTestCommand } from '@treadle/gates/detect-commands'
import { childEnv, env } from '../../tools/env.ts'

const treadleRoot = join(import.meta.dirname, '../..')
const INSTALL_MS = 10 * 60_000
const TESTS_MS = 5 * 60_000

export interface Repository {
  readonly path: string
  /** How packages are installed; told from the lock file unless it is given. */
  readonly install?: string
  /** `tests.setupCommand`, as the owner may choose another one than `treadle init` does. */
  readonly setup?: string
  /** How the tests are run; detected by `treadle init` unless it is given. */
  readonly tests?: string
  /** Worktrees borrow the packages of the checkout, as when the owner takes `tests.setupCommand` out. */
  readonly borrow?: string
}

export interface Copy {
  readonly name: string
  readonly root: string
  readonly scenario: string
  readonly ownerKeyFile: string
  readonly testCommand: string
  readonly install: string
  git(...args: string[]): string
  treadle(...args: string[]): string
  testsPass(): boolean
  remove(): void
}

/** Makes a copy; what cannot be set up leaves nothing behind. */
export function makeCopy(repository: Repository): Copy {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sabotage-')))
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    return { ...setUp(repository, base), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function setUp(repository: Repository, base: string): Omit<Copy, 'remove'> {
  const name = basename(resolve(repository.path).replace(/(\/repo)?(\.git)?\/?$/, ''))
  const [root, settings] = [join(base, 'repository'), join(base, 'settings')]
  mkdirSync(settings)
  const own = childEnv({ PATH: pathFor(root), TREADLE_CONFIG_HOME: settings })
  const run = (file: string, args: readonly string[], cwd = root) =>
    execFileSync(file, args, { cwd, env: own, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const git = (...args: string[]) => run('git', args)
  const treadle = (...args: string[]) => run(process.execPath, [join(treadleRoot, 'bin/treadle.js'), ...args])
  const shell = (command: string, timeout: number) =>
    spawnSync('/bin/sh', ['-c', command], { cwd: root, env: own, encoding: 'utf8', timeout })
  run('git', ['clone', '--quiet', resolve(repository.path), root], base)
  prepareGit(root, git)
  const install = repository.install ?? installFor(root)
  const installed = shell(install, INSTALL_MS)
  if (installed.status !== 0)
    throw new Error(`${install} ended with ${installed.status}: ${lastOf(installed.stderr)}`)
  git('checkout', '--quiet', '--', '.')
  const chosen = repository.tests === undefined ? [] : ['--test-command', repository.tests]
  treadle('init', ...chosen)
  const testCommand = repository.tests ?? detectTestCommand(root)
  if (testCommand === null) throw new Error('no test command was found; give one with --tests')
  const scenario = join(base, 'scenario.json')
  writeSettings(join(root, 'treadle.json'), scenario, repository)
  git('add', '--force', 'treadle.json')
  git('commit', '--quiet', '--no-verify', '--message', 'Set Treadle up')
  return {
    name,
    root,
    scenario,
    ownerKeyFile: join(settings, 'owner.key'),
    testCommand,
    install,
    git,
    treadle,
    testsPass: () => shell(testCommand, TESTS_MS).status === 0,
  }
}

/** Nothing is sent back to where the copy is from, and what an install leaves is no part of the repository. */
function prepareGit(root: string, git: (...args: string[]) => string): void {
  git('remote', 'remove', 'origin')
  git('config', 'user.name', 'Sabotage')
  git('config', 'user.email', 'sabotage@example.invalid')
  git('config', 'core.hooksPath', '/dev/null')
  appendFileSync(join(root, '.git/info/exclude'), '\nnode_modules\n.venv\n*.egg-info\n')
}

/** A virtual environment that is active, our own Node, and no program that npm brought for Treadle itself. */
function pathFor(root: string): string {
  const others = env.path.split(delimiter).filter((folder) => !folder.startsWith(treadleRoot))
  return [join(root, '.venv/bin'), dirname(process.execPath), ...others].join(delimiter)
}

function installFor(root: string): string {
  const has = (file: string) => existsSync(join(root, file))
  if (has('pnpm-lock.yaml')) return 'pnpm install --frozen-lockfile'
  if (has('yarn.lock')) return 'yarn install --frozen-lockfile'
  if (has('package-lock.json')) return 'npm ci --no-audit --no-fund'
  if (has('package.json')) return 'npm install --no-package-lock --no-audit --no-fund'
  if (has('pyproject.toml') || has('setup.py'))
    return 'python3 -m venv --system-site-packages .venv && .venv/bin/python -m pip install --editable .'
  return 'true'
}

/** Nothing but the gates stands between a delivery and the target, and nothing runs outside of a sandbox. */
function writeSettings(file: string, scenario: string, { setup, borrow }: Repository): void {
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const { setupCommand: detected, ...tests } = settings.tests ?? {}
  const setupCommand = borrow === undefined ? (setup ?? detected) : undefined
  const changed = {
    ...settings,
    tests: setupCommand === undefined ? tests : { setupCommand, ...tests },
    // How strong the tests are only advises, and takes minutes.
    gates: { mutation: { mutants: 0 } },
    merge: { ...settings.merge, approval: 'checks' },
    engines: { default: 'scripted', scripted: { scenario } },
    sandbox: { mode: 'required' },
    limits: { improvements: 1 },
  }
  writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`)
}

function lastOf(text: string): string {
  return text.trim().split('\n').slice(-3).join(' / ')
}
