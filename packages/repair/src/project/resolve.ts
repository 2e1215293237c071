// Finds the file that an import means, the way Node, the bundlers and tsc do.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { type RunnerSettings, readRunnerSettings } from './runner-settings.ts'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']
const INDEXES = ENDINGS.slice(1).map((ending) => `/index${ending}`)
const TWINS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
}

export type Target =
  | { readonly is: 'own'; readonly path: string }
  | { readonly is: 'outside'; readonly request: string }

export class Resolver {
  readonly #root: string
  readonly #aliases: readonly Alias[]
  readonly #settings: RunnerSettings
  readonly #own: string | null

  constructor(root: string) {
    this.#root = realpathSync(root)
    this.#aliases = readAliases(this.#root)
    this.#settings = readRunnerSettings(this.#root)
    this.#own = nameOf(this.#root)
  }

  resolve(from: string, request: string): Target {
    if (isBuiltin(request)) return { is: 'outside', request }
    const path = request.startsWith('.') || request.startsWith('/') ? resolve(dirname(from), request) : null
    const own = path === null ? (this.#byRunner(request) ?? this.#byAlias(request)) : fileAt(path)
    if (own !== null) return this.#target(own, request)
    return this.#byPackage(from, request)
  }

  /** What an option of a runner names: a path from the project, with or without a dot before it, or a package. */
  resolveSetup(request: string): Target {
    const own = request.startsWith('/') ? null : fileAt(join(this.#root, request))
    return own === null ? this.resolve(join(this.#root, 'package.json'), request) : this.#target(own, request)
  }

  #target(path: string, request: string): Target {
    const real = realpathSync(path)
    const inside = real.startsWith(this.#root + sep) && !real.includes(`${sep}node_modules${sep}`)
    return inside
      ? { is: 'own', path: real }
      : { is: 'outside', request: request.startsWith('.') ? real : request }
  }

  #byAlias(request: string): string | null {
    for (const { prefix, suffix, targets } of this.#aliases) {
      if (!request.startsWith(prefix) || !request.endsWith(suffix)) continue
      const star = request.slice(prefix.length, request.length - suffix.length)
      for (const target of targets) {
        const found = fileAt(target.replace('*', star))
        if (found !== null) return found
      }
    }
    return null
  }

  /** As the settings of the test runner have it. */
  #byRunner(request: string): string | null {
    for (const { pattern, target } of this.#settings.mapped) {
      const found = pattern.exec(request)
      if (found === null) continue
      const path = target.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
      const file = path.startsWith('.') ? fileAt(join(this.#root, path)) : null
      if (file !== null) return file
    }
    for (const folder of this.#settings.folders) {
      const file = fileAt(join(this.#root, folder, request))
      if (file !== null) return file
    }
    return null
  }

  #byPackage(from: string, request: string): Target {
    try {
      return this.#target(createRequire(from).resolve(request), request)
    } catch {
      // Not installed, or only for `import`: the run says so if it is needed.
      const own = this.#bySelf(request)
      return own === null ? { is: 'outside', request } : this.#target(own, request)
    }
  }

  /** A package that asks for itself before it is built: what its sources begin with. */
  #bySelf(request: string): string | null {
    if (this.#own === null || (request !== this.#own && !request.startsWith(`${this.#own}/`))) return null
    const inside = request.slice(this.#own.length + 1)
    const tries =
      inside === '' ? ['src/index', 'index', 'lib/index', `src/${this.#own}`] : [inside, `src/${inside}`]
    for (const path of tries) {
      const file = fileAt(join(this.#root, path))
      if (file !== null) return file
    }
    return null
  }
}

function nameOf(root: string): string | null {
  try {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name?: unknown }
    return typeof name === 'string' ? name : null
  } catch {
    // A folder without a manifest has no name.
    return null
  }
}

function fileAt(path: string): string | null {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0]
  const twins = ending === undefined ? [] : (TWINS[ending] ?? [])
  const base = ending === undefined ? path : path.slice(0, -ending.length)
  const tries = [...ENDINGS.map((end) => path + end), ...twins.map((end) => base + end)]
  for (const name of [...tries, ...INDEXES.map((index) => path + index)]) {
    if (existsSync(name) && statSync(name).isFile()) return name
  }
  return null
}

interface Alias {
  readonly prefix: string
  readonly suffix: string
  readonly targets: readonly string[]
}

function readAliases(root: string): Alias[] {
  const file = join(root, 'tsconfig.json')
  if (!existsSync(file)) return []
  const options = /"paths"\s*:\s*(\{[^}]*\})/.exec(readFileSync(file, 'utf8'))?.[1]
  if (options === undefined) return []
  const baseUrl = /"baseUrl"\s*:\s*"([^"]*)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '.'
  try {
    const paths = JSON.parse(options.replace(/,(\s*[}\]])/g, '$1').replace(/\/\/.*$/gm, '')) as Record<
      string,
      string[]
    >
    return Object.entries(paths).map(([key, targets]) => {
      const [prefix = '', suffix = ''] = key.split('*')
      return { prefix, suffix, targets: targets.map((target) => resolve(root, baseUrl, target)) }
    })
  } catch {
    // A tsconfig we cannot read has no aliases for us; the baseline run finds out.
    return []
  }
}
