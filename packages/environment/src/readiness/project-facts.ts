// Looks up what the judgement of a baseline goes by.
import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { buildScript } from '../build/build-command.ts'
import { installCommand, installWithoutLock } from '../packages/install-command.ts'
import { type Manifest, packagesOf, readManifest } from '../packages/manifest.ts'
import type { ProjectFacts } from './judge-baseline.ts'

export interface ProjectPlace {
  /** The tree that the tests ran in. */
  readonly cwd: string
  /** The owner's checkout, in whose place a confined tree stands. */
  readonly owner: string
  readonly setupCommand: string | null
  readonly timeoutMs: number
}

export function projectFacts({ cwd, owner, setupCommand, timeoutMs }: ProjectPlace): ProjectFacts {
  const manifests = manifestsIn(cwd)
  const roots = [
    ...new Set([cwd, owner].filter((root) => existsSync(root)).map((root) => realpathSync(root))),
  ]
  return {
    declared: new Set(manifests.flatMap(packagesOf)),
    own: new Set(manifests.flatMap(({ name }) => name ?? [])),
    hasPackages: roots.some((root) => existsSync(join(root, 'node_modules'))),
    installWith: installCommand(cwd)?.command ?? installWithoutLock(cwd),
    setupCommand,
    buildWith: buildScript(cwd),
    timeoutMs,
    isPythonDeclared: (name) => isPythonDeclared(cwd, name),
    isIgnored: (path, from) => candidates(roots, path, from).some((each) => isIgnored(cwd, each)),
  }
}

const MANIFESTS_MAX = 200

/** The manifests of the project and of the packages in its workspace. */
function manifestsIn(cwd: string): Manifest[] {
  const listed = git(cwd, ['ls-files', '-z', '--', '**/package.json'])
  const files = (listed ?? '').split('\0').filter((file) => file !== '' && !file.includes('node_modules/'))
  const folders = new Set(['.', ...files.slice(0, MANIFESTS_MAX).map((file) => dirname(file))])
  return [...folders].flatMap((folder) => readManifest(join(cwd, folder)) ?? [])
}

const PYTHON_FILES = [
  'requirements.txt',
  'requirements-dev.txt',
  'requirements-test.txt',
  'dev-requirements.txt',
  'test-requirements.txt',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'tox.ini',
]
const PYTHON_BYTES_MAX = 1024 * 1024

/** Whether a file that lists what to install names a module which the project itself does not have. */
function isPythonDeclared(cwd: string, name: string): boolean {
  const isOwn = ['', 'src/', 'lib/'].some((folder) =>
    ['', '.py'].some((end) => existsSync(join(cwd, `${folder}${name}${end}`))),
  )
  if (isOwn) return false
  const named = new RegExp(`(?<![\\w.-])${name.replaceAll(/[_-]/g, '[_-]')}(?![\\w.-])`, 'i')
  return PYTHON_FILES.some((file) => named.test(boundedText(join(cwd, file), PYTHON_BYTES_MAX) ?? ''))
}

/** The paths in the project that a missing file may mean. */
function candidates(roots: readonly string[], path: string, from: string | null): string[] {
  const name = path.replace(/^file:\/\//, '')
  const asked = from?.replace(/^file:\/\//, '') ?? null
  if (isAbsolute(name)) return roots.flatMap((root) => insideOf(root, name))
  const bare = [name.replace(/^(?:\.\.?\/)+/, '')]
  if (asked === null) return bare
  return [
    ...roots.flatMap((root) => insideOf(root, resolve(dirname(resolve(root, asked)), name))),
    ...(isAbsolute(asked) ? [] : bare),
  ]
}

function insideOf(root: string, path: string): string[] {
  const inside = relative(root, path)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? [] : [inside]
}

function isIgnored(cwd: string, path: string): boolean {
  return git(cwd, ['check-ignore', '--no-index', '--', path]) !== null
}

/** What git prints; null: it says no. */
function git(cwd: string, args: readonly string[]): string | null {
  try {
    return execFileSync('git', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    // No repository, or nothing of the kind: both mean that nothing is known.
    return null
  }
}
