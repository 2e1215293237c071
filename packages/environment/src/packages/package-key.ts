// What installed packages depend on, as one hash: two trees with the same one have the same packages.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { readBounded } from '@treadle/process/bounded-file'
import { readsProject } from './local-inputs.ts'

/** Files that say which packages there are, and how they are laid out or patched. */
const NAMES = new Set([
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
])
const PATCH = /(?:^|\/)(?:patches|\.yarn\/patches)\//
const BYTES_MAX = 64 * 1024 * 1024

/** The key of a tree's packages, as `command` installs them; null: more than these files decides about them. */
export function packageKey(tree: string, command: string): string | null {
  const files = filesIn(tree)
  const manifests = files.filter((file) => basename(file) === 'package.json')
  if (readsProject(tree, manifests, command)) return null
  const hash = createHash('sha256')
  hash.update(JSON.stringify([command, process.version, process.platform, process.arch]))
  for (const file of files) {
    const read = readBounded(join(tree, file), BYTES_MAX)
    if (read.is === 'too_large') return null
    hash.update(`\0${file}\0`)
    if (read.is === 'read') hash.update(read.data)
  }
  return hash.digest('hex').slice(0, 32)
}

function filesIn(tree: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28 })
  return listed
    .split('\0')
    .filter((file) => file !== '' && (NAMES.has(basename(file)) || PATCH.test(file)))
    .sort()
}
