// Finds the file that an import means, the way Node, the bundlers and tsc do.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'

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

  constructor(root: string) {
    this.#root = realpathSync(root)
    this.#aliases = readAliases(this.#root)
  }

  resolve(from: string, request: string): Target {
    if (isBuiltin(request)) return { is: 'outside', request }
    const path = request.startsWith('.') || request.startsWith('/') ? resolve(dirname(from), request) : null
    const own = path === null ? this.#byAlias(request) : fileAt(path)
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

  #byPackage(from: string, request: string): Target {
    try {
      return this.#target(createRequire(from).resolve(request), request)
    } catch {
      // Not installed, or only for `import`: the run says so if it is needed.
      return { is: 'outside', request }
    }
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
