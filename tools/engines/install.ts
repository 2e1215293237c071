// Installs the programs that the engines are tested with, at exactly the versions of package.json, into a cache.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    copyFileSync(manifest, join(folder, 'package.json'))
    // By our own Node first: under an older one, npm would choose older versions of what it may choose.
    const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit', timeout: INSTALL_MS, env: childEnv({ PATH }) })
    writeFileSync(done, '')
  }
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
  return { bin: join(folder, 'node_modules/.bin'), versions: dependencies }
}
