// Loads the project's modules from their rendered texts, anew for every candidate and every test file.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isModuleNamespaceObject } from 'node:util/types'
import vm from 'node:vm'
import type { WireEdit, WireModule } from './protocol.ts'
import type { Tank } from './tank.ts'

type Body = (...args: unknown[]) => void
type Exports = Record<string, unknown>

export const HEAD =
  '(function(exports,require,module,__filename,__dirname,$import,$export,$star,$dynamic,$meta,$fuel){'

export class Modules {
  readonly wire: readonly WireModule[]
  readonly #bodies: (Body | undefined)[] = []
  readonly #requires = new Map<number, NodeJS.Require>()
  readonly #outside = new Map<string, unknown>()
  readonly tank: Tank

  constructor(wire: readonly WireModule[], tank: Tank) {
    this.wire = wire
    this.tank = tank
  }

  body(index: number): Body {
    const known = this.#bodies[index]
    if (known !== undefined) return known
    const module = this.wire[index]
    if (module === undefined) throw new Error(`no module ${index}`)
    const body = compile(module.path, module.code)
    this.#bodies[index] = body
    return body
  }

  /** The bodies of edited modules; throws if one cannot be compiled. */
  edited(edits: readonly WireEdit[]): Map<number, Body> {
    const texts = new Map<number, string>()
    for (const edit of [...edits].sort((a, b) => b.at - a.at)) {
      const text = texts.get(edit.module) ?? this.wire[edit.module]?.code ?? ''
      texts.set(edit.module, text.slice(0, edit.at) + edit.text + text.slice(edit.at + edit.remove))
    }
    const bodies = new Map<number, Body>()
    for (const [index, text] of texts) bodies.set(index, compile(this.wire[index]?.path ?? '', text))
    return bodies
  }

  /** A package or a built-in module, by Node itself. */
  outside(from: number, request: string): unknown {
    let require = this.#requires.get(from)
    if (require === undefined) {
      require = createRequire(this.wire[from]?.path ?? '/')
      this.#requires.set(from, require)
    }
    const key = request.startsWith('node:') ? request : `${from}|${request}`
    if (!this.#outside.has(key)) this.#outside.set(key, require(request))
    return this.#outside.get(key)
  }
}

function compile(path: string, code: string): Body {
  const script = new vm.Script(`${HEAD}${code}\n})`, { filename: path, columnOffset: -HEAD.length })
  return script.runInThisContext() as Body
}

/** `import.meta`; the address is made only where it is read. */
class Meta {
  readonly filename: string
  readonly dirname: string
  readonly main = false

  constructor(filename: string, dirname: string) {
    this.filename = filename
    this.dirname = dirname
  }

  get url(): string {
    return pathToFileURL(this.filename).href
  }
}

interface Loaded {
  exports: unknown
  readonly isModule: boolean
}

/** One generation of module instances. */
export class Instances {
  readonly #modules: Modules
  readonly #edited: ReadonlyMap<number, Body>
  readonly #words: ReadonlyMap<string, unknown>
  readonly #loaded = new Map<number, Loaded>()

  constructor(modules: Modules, edited: ReadonlyMap<number, Body>, words: ReadonlyMap<string, unknown>) {
    this.#modules = modules
    this.#edited = edited
    this.#words = words
  }

  /** A module that nobody asked for: what its runner loads before it comes first. */
  load(index: number): unknown {
    for (const request of this.#modules.wire[index]?.setup ?? []) this.#ask(index, request, false)
    return this.#load(index).exports
  }

  #load(index: number): Loaded {
    const known = this.#loaded.get(index)
    if (known !== undefined) return known
    const wire = this.#modules.wire[index]
    if (wire === undefined) throw new Error(`no module ${index}`)
    const module: Loaded = { exports: {}, isModule: wire.isModule }
    this.#loaded.set(index, module)
    const body = this.#edited.get(index) ?? this.#modules.body(index)
    const require = (request: string) => this.#ask(index, request, false)
    const folder = wire.path.slice(0, wire.path.lastIndexOf('/'))
    const meta = new Meta(wire.path, folder)
    const ask = (request: string) => this.#ask(index, request, true)
    const dynamic = async (request: string) => ask(request)
    const args = [
      module.exports,
      require,
      module,
      wire.path,
      folder,
      ask,
      defineExports,
      starExports,
      dynamic,
    ]
    body.call(module.exports, ...args, meta, this.#modules.tank)
    return module
  }

  #ask(from: number, request: string, byImport: boolean): unknown {
    const target = this.#modules.wire[from]?.requests[request] ?? request
    if (typeof target === 'number') {
      const { exports, isModule } = this.#load(target)
      return byImport && !isModule ? namespaceOf(exports) : exports
    }
    const word = this.#words.get(target)
    const found = word ?? this.#modules.outside(from, target)
    return byImport ? namespaceOf(found) : found
  }
}

const namespaces = new WeakMap<object, unknown>()

/** The namespace that `import` sees of a CommonJS module: its properties, and itself as the default. */
function namespaceOf(found: unknown): unknown {
  if ((typeof found !== 'object' && typeof found !== 'function') || found === null) return { default: found }
  if (isModuleNamespaceObject(found)) return found
  const known = namespaces.get(found)
  if (known !== undefined) return known
  const isTranspiled = (found as Exports).__esModule === true && 'default' in found
  const namespace = Object.create(found, {
    default: { value: isTranspiled ? (found as Exports).default : found, enumerable: true },
  })
  namespaces.set(found, namespace)
  return namespace
}

function defineExports(exports: object, getters: Readonly<Record<string, () => unknown>>): void {
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(exports, name, { get, enumerable: true, configurable: true })
  }
}

function starExports(exports: object, from: object): void {
  for (const name of Object.keys(from)) {
    if (name === 'default' || name in exports) continue
    Object.defineProperty(exports, name, {
      get: () => (from as Exports)[name],
      enumerable: true,
      configurable: true,
    })
  }
}
