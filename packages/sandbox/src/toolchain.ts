// Finds what the tools of a project need to run: the system, what PATH leads to, and their caches. Nothing is run for it.
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { isBelow, kindOf, realPath } from './paths.ts'
import type { View } from './view.ts'

export interface Machine {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folders that nothing may lead into: the owner's checkout, secrets, the state of the workspace. */
  readonly never: readonly string[]
  /** What the owner wants to be shown. */
  readonly show: readonly string[]
  /** Folders with programs that are not on PATH, such as those of a lent virtual environment. */
  readonly programs: readonly string[]
}

export interface Toolchain {
  /** Read-only, each at its own path. */
  readonly show: readonly string[]
  readonly links: View['links']
}

const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/nix/store', '/gnu/store'],
  ...['/sys/devices/system/cpu', '/sys/fs/cgroup'],
]
/** A folder on PATH is shown with its prefix; these prefixes in the home hold more than programs. */
const MIXED = [
  ...['', '.local', '.local/share', '.config', '.cargo', '.cache', 'go', '.gradle', '.m2', '.gem', '.nuget'],
]
/** Besides what PATH leads to; a variable that is set wins over the folder in the home. */
const CACHES: readonly (readonly [folder: string, variable?: string])[] = [
  ['.npm', 'npm_config_cache'],
  ['.nvm', 'NVM_DIR'],
  ['.volta', 'VOLTA_HOME'],
  ['.local/share/fnm', 'FNM_DIR'],
  ['.local/share/mise', 'MISE_DATA_DIR'],
  ['.asdf', 'ASDF_DATA_DIR'],
  ['.cache/node/corepack', 'COREPACK_HOME'],
  ['.local/share/pnpm', 'PNPM_HOME'],
  ['.cache/pnpm'],
  ['.cache/yarn', 'YARN_CACHE_FOLDER'],
  ['.yarn/berry'],
  ['.bun', 'BUN_INSTALL'],
  ['.cache/deno', 'DENO_DIR'],
  ['.cache/node-gyp'],
  ['.cache/ms-playwright', 'PLAYWRIGHT_BROWSERS_PATH'],
  ['.cache/puppeteer', 'PUPPETEER_CACHE_DIR'],
  ['.cache/Cypress', 'CYPRESS_CACHE_FOLDER'],
  ['.cache/electron'],
  ['.cache/prisma'],
  ['.cache/mongodb-binaries'],
  ['.pyenv', 'PYENV_ROOT'],
  ['.cache/pip', 'PIP_CACHE_DIR'],
  ['.cache/uv', 'UV_CACHE_DIR'],
  ['.local/share/uv', 'UV_PYTHON_INSTALL_DIR'],
  ['.cache/pypoetry'],
  ['.local/lib'],
  ['.virtualenvs'],
  ['.local/share/virtualenvs'],
  ['.local/share/pipx'],
  ['.rustup', 'RUSTUP_HOME'],
  ['.cargo/bin'],
  ['.cargo/registry'],
  ['.cargo/git'],
  ['.cargo/env'],
  ['.cargo/config.toml'],
  ['go/pkg/mod', 'GOMODCACHE'],
  ['sdk', 'GOROOT'],
  ['.sdkman/candidates', 'JAVA_HOME'],
  ['.m2/repository'],
  ['.m2/wrapper'],
  ['.gradle/wrapper'],
  ['.gradle/caches'],
  ['.ivy2/cache'],
  ['.sbt/boot'],
  ['.rbenv', 'RBENV_ROOT'],
  ['.gem/ruby', 'GEM_HOME'],
  ['.nuget/packages', 'NUGET_PACKAGES'],
  ['.dotnet', 'DOTNET_ROOT'],
  ['.mix'],
  ['.hex'],
  ['.composer/vendor'],
  ['.ca.pem', 'NODE_EXTRA_CA_CERTS'],
]
/** What /etc has by a link that leads elsewhere, often into /run. */
const LINKED_FROM_ETC = ['resolv.conf', 'localtime', 'hosts']

const KNOWN_MAX = 20
const known = new Map<string, Toolchain>()

/** The tool chain of a machine, kept until PATH, its folders or what is asked for changes. */
export function detectToolchain(machine: Machine): Toolchain {
  const key = JSON.stringify([machine, folders(machine).map(changedAt)])
  const found = known.get(key)
  if (found !== undefined) return found
  const toolchain = new Search(machine).run()
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, toolchain)
  return toolchain
}

const folders = ({ env, programs }: Machine) =>
  [...(env.PATH ?? '').split(delimiter), ...programs].filter((folder) => isAbsolute(folder))

function changedAt(folder: string): number {
  try {
    return statSync(folder).mtimeMs
  } catch {
    return 0
  }
}

/** What has to be there for a program to run: the packages around it, its prefix, or only its folder. */
export function installRoot(program: string, home: string): string {
  const packages = program.indexOf('/node_modules/')
  if (packages !== -1) return program.slice(0, packages + '/node_modules'.length)
  const folder = dirname(program)
  const prefix = dirname(folder)
  const isProgramFolder = /^(s?bin|shims|libexec)$/.test(basename(folder))
  const holdsMore = isBelow(home, prefix) || MIXED.some((name) => prefix === join(home, name))
  return isProgramFolder && !holdsMore && prefix.split('/').length > 2 ? prefix : folder
}

class Search {
  readonly #machine: Machine
  readonly #show = new Set<string>()
  readonly #links: { to: string; at: string }[] = []

  constructor(machine: Machine) {
    this.#machine = machine
  }

  run(): Toolchain {
    const { home, env, show } = this.#machine
    for (const path of SYSTEM) {
      const kind = kindOf(path)
      if (kind === 'link') this.#links.push({ to: readlinkSync(path), at: path })
      else if (kind !== null) this.#show.add(path)
    }
    for (const [folder, variable] of CACHES)
      this.#addBoth((variable && env[variable]) || this.#inHome(folder))
    for (const folder of folders(this.#machine)) this.#addPrograms(folder)
    this.#addBoth(process.execPath, (path) => installRoot(path, home))
    for (const path of show) this.#addBoth(path)
    for (const name of LINKED_FROM_ETC) {
      const target = realPath(join('/etc', name))
      if (target !== null && !isBelow(target, '/proc')) this.#add(target)
    }
    const all = [...this.#show]
    const isInside = (path: string) => all.some((other) => other !== path && isBelow(path, other))
    return { show: all.filter((path) => !isInside(path)), links: this.#links }
  }

  /** A folder of the home, which may have been put elsewhere. */
  #inHome(folder: string): string {
    const { home, env } = this.#machine
    if (env.XDG_CACHE_HOME && folder.startsWith('.cache/'))
      return join(env.XDG_CACHE_HOME, folder.slice('.cache/'.length))
    if (env.XDG_DATA_HOME && folder.startsWith('.local/share/'))
      return join(env.XDG_DATA_HOME, folder.slice('.local/share/'.length))
    return join(home, folder)
  }

  /** A folder with programs: itself with its prefix, and what the links in it lead to. */
  #addPrograms(folder: string): void {
    const { home } = this.#machine
    if (isBelow(home, folder) || folder === '/tmp') return
    this.#addBoth(folder, (path) => installRoot(join(path, 'program'), home))
    for (const name of linksIn(folder)) {
      const target = realPath(join(folder, name))
      if (target !== null && !this.#isShown(target)) this.#add(installRoot(target, home))
    }
  }

  /** Both names of a path: the one that is used, and the one that it leads to. */
  #addBoth(path: string, root: (path: string) => string = (it) => it): void {
    const target = realPath(path)
    if (target === null) return
    this.#add(root(path))
    if (target !== path) this.#add(root(target))
  }

  #add(path: string): void {
    const { home, never } = this.#machine
    if (!isAbsolute(path) || path === '/' || this.#isShown(path)) return
    // A link is bound as what it leads to.
    const both = [path, realPath(path) ?? path]
    if (never.some((folder) => both.some((each) => isBelow(each, folder)))) return
    // The home, or a folder around it, holds everything that is not to be seen.
    if (both.some((each) => isBelow(home, each))) return
    if (['/proc', '/dev', '/tmp', '/var/tmp', '/run', '/var/run'].includes(path)) return
    this.#show.add(path)
  }

  #isShown(path: string): boolean {
    return [...this.#show, ...this.#links.map(({ at }) => at)].some((folder) => isBelow(path, folder))
  }
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
  } catch {
    return []
  }
}
