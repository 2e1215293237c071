// Looks up what the judgement of a baseline goes by.
import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { buildScript } from '../build/build-command.ts'
import { installCommand, installWithoutLock } from '../packages/install-command.ts'
import { packagesOf, readManifest } from '../packages/manifest.ts'
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
  const manifest = readManifest(cwd)
  const roots = [
    ...new Set([cwd, owner].filter((root) => existsSync(root)).map((root) => realpathSync(root))),
  ]
  return {
    declared: new Set([...(manifest === null ? [] : packagesOf(manifest)), ...packagesBelow(cwd)]),
    hasPackages: roots.some((root) => existsSync(join(root, 'node_modules'))),
    installWith: installCommand(cwd)?.command ?? installWithoutLock(cwd),
    setupCommand,
    buildWith: buildScript(cwd),
    timeoutMs,
    isIgnored: (path, from) => candidates(roots, path, from).some((each) => isIgnored(cwd, each)),
  }
}

const MANIFESTS_MAX = 200

/** Packages that the manifests of a workspace name. */
function packagesBelow(cwd: string): string[] {
  const listed = git(cwd, ['ls-files', '-z', '--', '**/package.json'])
  const folders = (listed ?? '').split('\0').filter((file) => file !== '' && !file.includes('node_modules/'))
  return folders.slice(0, MANIFESTS_MAX).flatMap((file) => {
    const manifest = readManifest(join(cwd, dirname(file)))
    return manifest === null ? [] : packagesOf(manifest)
  })
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
