// Installs the programs that the engines are tested with, at exactly the versions of package.json, into a cache.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnv } from '../env.ts'

const manifest = fileURLToPath(new URL('programs/package.json', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const INSTALL_MS = 15 * 60_000

export interface Installed {
  /** The folder with the programs. */
  readonly bin: string
  readonly versions: Readonly<Record<string, string>>
}

export function installEngines(): Installed {
  const text = readFileSync(manifest, 'utf8')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const folder = join(root, '.cache/engines', hash)
  if (!isInstalled(folder)) install(folder)
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
  return { bin: join(folder, 'node_modules/.bin'), versions: dependencies }
}

const isInstalled = (folder: string): boolean => existsSync(join(folder, 'installed'))

/** Test files run side by side: each installs apart from the others, and whoever is first puts it in its place. */
function install(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const apart = mkdtempSync(`${folder}-`)
  try {
    copyFileSync(manifest, join(apart, 'package.json'))
    // By our own Node first: under an older one, npm would choose older versions of what it may choose.
    const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    execFileSync('npm', args, { cwd: apart, stdio: 'inherit', timeout: INSTALL_MS, env: childEnv({ PATH }) })
    writeFileSync(join(apart, 'installed'), '')
    if (isInstalled(folder)) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(apart, folder)
  } finally {
    rmSync(apart, { recursive: true, force: true })
  }
}
