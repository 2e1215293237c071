// Collects the capabilities of one script, and answers where its names come from.
import { field, nameOf, type Syntax } from '../integrity/source.ts'
import { type Capability, keyOf, type Rule } from './capability.ts'
import { type Binding, isWrapper, keyText, type NameScope, plain } from './script-syntax.ts'
import {
  GLOBALS,
  HARMLESS_MODULES,
  LANGUAGE,
  MODULES,
  OF_GLOBALS,
  PARTS,
  PROCESS,
  RUNNER_MODULE,
} from './script-tables.ts'

/** A place in the tree: what is around it, from the outside in. */
export interface Around {
  readonly parents: readonly Syntax[]
  readonly scopes: readonly NameScope[]
}

/** The node around a place that means something: not parentheses, types or `await`. */
export function parentOf({ parents }: Pick<Around, 'parents'>): Syntax | null {
  return parents.findLast((each) => !isWrapper(each)) ?? null
}

export class ScriptReader {
  readonly found = new Map<string, Capability>()
  readonly imports: string[] = []
  readonly isModule: boolean
  readonly #text: string

  constructor(text: string, isModule: boolean) {
    this.#text = text
    this.isModule = isModule
  }

  add(rule: Rule, what: string, start: number): void {
    const key = keyOf({ rule, what })
    if (!this.found.has(key))
      this.found.set(key, { rule, what, line: this.#text.slice(0, start).split('\n').length })
  }

  sourceOf({ start, end }: Syntax): string {
    return this.#text.slice(start, end).replace(/\s+/g, '').slice(0, 60)
  }

  /** What a name stands for; null: a global. */
  bindingOf(name: string, { scopes }: Around): Binding | null {
    const scope = scopes.findLast((each) => each.has(name))
    return scope?.get(name) ?? null
  }

  isGlobal(node: Syntax | null, around: Around): node is Syntax {
    return node?.type === 'Identifier' && this.bindingOf(nameOf(node), around) === null
  }

  /** Where an expression comes from in the end, if not from the file itself; null: from it, or nobody knows. */
  originOf(given: Syntax | null, around: Around): 'global' | 'module' | null {
    if (given === null) return null
    const node = plain(given)
    if (node.type === 'MemberExpression') return this.originOf(field(node, 'object'), around)
    if (node.type === 'ImportExpression') return 'module'
    if (node.type === 'CallExpression') return isLoading(node) ? 'module' : null
    if (node.type !== 'Identifier') return null
    const binding = this.bindingOf(nameOf(node), around)
    if (binding !== null) return binding.is === 'imported' ? 'module' : null
    return LANGUAGE.has(nameOf(node)) || GLOBALS.has(nameOf(node)) ? 'global' : null
  }

  /** A module that is loaded, or one part of it that is used. */
  useModule(name: string, start: number, part: string | null = null): void {
    const id = name.replace(/^node:/, '')
    this.imports.push(name)
    if (/^(\.|#|\/)/.test(name)) return
    const parts = PARTS.get(id.replace(/\/(posix|win32|promises)$/, ''))
    const rule = MODULES.get(id)
    if (RUNNER_MODULE.test(name)) this.add('test runner', `import ${name}`, start)
    else if (id === 'process') this.#useProcess(part, start)
    else if (parts !== undefined) {
      if (part !== null && !parts.harmless.has(part)) this.add(parts.rule, `${id}.${part}`, start)
    } else if (rule !== undefined) this.add(rule, `import ${id}`, start)
    else if (!HARMLESS_MODULES.has(id))
      this.add(name.startsWith('node:') ? 'engine' : 'package', `import ${id}`, start)
  }

  /** A member of a global: `Date.now`. */
  useMember(name: string, key: string | null, start: number): void {
    const whole = `${name}.${key ?? '?'}`
    const rule = OF_GLOBALS.get(whole)
    if (rule !== undefined) this.add(rule, whole, start)
    else if (name === 'process') this.add(PROCESS.get(key ?? '') ?? 'environment', whole, start)
    else if (name === 'console') this.add('output', whole, start)
    else if (name === 'Symbol' && key !== null) this.add('protocol', whole, start)
    else if (name === 'require' || (name === 'module' && key !== 'exports'))
      this.add('module system', whole, start)
  }

  /** The module as a whole is told by its members, as the global is. */
  #useProcess(part: string | null, start: number): void {
    if (part !== null) this.useMember('process', part, start)
  }
}

function isLoading(call: Syntax): boolean {
  const callee = plain(field(call, 'callee') ?? call)
  const name = callee.type === 'Identifier' ? nameOf(callee) : keyText(callee)
  return /^(require|getBuiltinModule|_load)$/.test(name ?? '')
}
