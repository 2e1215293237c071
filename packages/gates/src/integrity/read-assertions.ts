// The assertions that a function makes, with those of the functions at hand that it calls.
import { type Assertion, assertionAt, chainOf, importedAssertions } from './assertions.ts'
import { bind, namesIn, namesInside, rowsOf } from './names.ts'
import {
  type Bound,
  bare,
  childrenOf,
  field,
  isFunction,
  lineOf,
  list,
  type Names,
  nameOf,
  render,
  type Source,
  type Syntax,
} from './source.ts'

/** Why a test does not run. */
export interface Muted {
  readonly how: string
  readonly line: number
}

export interface Scope {
  readonly source: Source
  readonly names: Names
  readonly guards: readonly string[]
  /** First parameters of the tests around it. */
  readonly contexts: ReadonlySet<string>
}

const callsMax = 4
const stepsMax = 200_000

export class AssertionReader {
  readonly found: Assertion[] = []
  muted: Muted | null = null
  /** True if the call is a test of its own and was taken. */
  onTest: (node: Syntax, scope: Scope) => boolean = () => false
  readonly #imported = new Map<Source, ReadonlySet<string>>()
  readonly #calls: Syntax[] = []
  #steps = 0

  enter(fn: Bound, args: readonly (Bound | null)[], around: Pick<Scope, 'guards' | 'contexts'>): void {
    const body = field(fn.node, 'body')
    if (body === null || this.#calls.includes(fn.node) || this.#calls.length > callsMax) return
    this.#calls.push(fn.node)
    this.#visit(body, { ...around, source: fn.source, names: namesInside(fn, args) }, fn.node)
    this.#calls.pop()
  }

  #visit(node: Syntax, scope: Scope, parent: Syntax | null): void {
    this.#steps += 1
    if (this.#steps > stepsMax) return
    if (node.type === 'CallExpression' || node.type === 'MemberExpression')
      this.#expression(node, scope, parent)
    else if (node.type === 'FunctionDeclaration' || isFunction(field(node, 'init'))) {
      // Looked into where it is called.
    } else if (isFunction(node)) this.enter({ ...scope, node }, [], scope)
    else this.#control(node, scope)
  }

  #control(node: Syntax, scope: Scope): void {
    switch (node.type) {
      case 'BlockStatement':
        this.#block(node, scope)
        break
      case 'IfStatement':
      case 'ConditionalExpression':
        this.#branches(node, scope)
        break
      case 'LogicalExpression':
        this.#logical(node, scope)
        break
      case 'TryStatement':
        this.#try(node, scope)
        break
      case 'SwitchCase':
        this.#children(node, under(scope, 'case'))
        break
      case 'ForOfStatement':
        this.#loop(node, scope)
        break
      default:
        this.#children(node, scope)
    }
  }

  #children(node: Syntax, scope: Scope): void {
    for (const child of childrenOf(node)) this.#visit(child, scope, node)
  }

  /** What stands after a `return` is not reached; after a `return` under a condition, only otherwise. */
  #block(node: Syntax, given: Scope): void {
    let scope: Scope = { ...given, names: namesIn(given.source, node, given.names) }
    for (const statement of list(node, 'body')) {
      this.#visit(statement, scope, node)
      if (statement.type === 'ReturnStatement' || statement.type === 'ThrowStatement') return
      const test = field(statement, 'test')
      if (statement.type === 'IfStatement' && test !== null && leaves(field(statement, 'consequent')))
        scope = under(scope, `!${render(scope.source, test, scope.names)}`)
    }
  }

  #branches(node: Syntax, scope: Scope): void {
    const test = field(node, 'test')
    if (test === null) return
    this.#visit(test, scope, node)
    const said = render(scope.source, test, scope.names)
    const [then, other] = [field(node, 'consequent'), field(node, 'alternate')]
    if (then !== null) this.#visit(then, under(scope, said), node)
    if (other !== null) this.#visit(other, under(scope, `!${said}`), node)
  }

  #logical(node: Syntax, scope: Scope): void {
    const [left, right] = [field(node, 'left'), field(node, 'right')]
    if (left === null || right === null) return
    this.#visit(left, scope, node)
    this.#visit(right, under(scope, render(scope.source, left, scope.names)), node)
  }

  /** A failed assertion that is caught fails nobody, unless the catch throws or judges again. */
  #try(node: Syntax, scope: Scope): void {
    const handler = field(node, 'handler')
    const [block, finalizer] = [field(node, 'block'), field(node, 'finalizer')]
    const said = handler === null ? '' : scope.source.text.slice(handler.start, handler.end)
    const caught = handler !== null && !/\b(throw|expect|assert|fail)\b/.test(said)
    if (block !== null) this.#visit(block, caught ? under(scope, 'try') : scope, node)
    if (handler !== null) this.#children(handler, under(scope, 'catch'))
    if (finalizer !== null) this.#visit(finalizer, scope, node)
  }

  #loop(node: Syntax, scope: Scope): void {
    const [left, right, body] = [field(node, 'left'), field(node, 'right'), field(node, 'body')]
    if (left === null || right === null || body === null) return
    const target = list(left, 'declarations')[0] ?? left
    for (const row of rowsOf(scope.source, right, scope.names) ?? [null]) {
      const names = new Map(scope.names)
      bind(names, field(target, 'id') ?? target, row)
      this.#visit(body, { ...scope, names }, node)
    }
  }

  #expression(node: Syntax, scope: Scope, parent: Syntax | null): void {
    if (node.type === 'CallExpression' && this.onTest(node, scope)) return
    const found = assertionAt(node, { parent, ...scope }, this.#importedIn(scope.source))
    if (found !== null) {
      this.found.push(found)
      this.#insideAssertion(node, scope)
    } else if (node.type === 'CallExpression') this.#call(node, scope)
    else this.#children(node, scope)
  }

  #call(node: Syntax, scope: Scope): void {
    this.#skipped(node, scope)
    const callee = field(node, 'callee')
    if (callee === null) return
    const args = list(node, 'arguments')
    const fn = functionOf(callee, scope)
    if (fn === null)
      this.#visit(
        (callee.type === 'MemberExpression' ? field(callee, 'object') : null) ?? callee,
        scope,
        node,
      )
    else
      this.enter(
        fn,
        args.map((each) => ({ ...scope, node: each })),
        scope,
      )
    for (const each of args) this.#argument(each, scope, node)
  }

  /** `rows.forEach((row) => …)` is a loop; a function that is handed over may be called. */
  #argument(given: Syntax, scope: Scope, call: Syntax): void {
    const node = bare(given)
    const callee = field(call, 'callee')
    const object = callee === null ? null : loopedOver(callee)
    const fn = functionOf(node, scope)
    if (isFunction(node) && object !== null)
      for (const row of rowsOf(scope.source, object, scope.names) ?? [null])
        this.enter({ ...scope, node }, [row], scope)
    else if (fn === null) this.#visit(given, scope, call)
    else this.enter(fn, [], scope)
  }

  #importedIn(source: Source): ReadonlySet<string> {
    const known = this.#imported.get(source) ?? importedAssertions(source.program)
    this.#imported.set(source, known)
    return known
  }

  /** What is judged may itself hold assertions, in a callback or in a chain of them. */
  #insideAssertion(node: Syntax, scope: Scope): void {
    for (const child of childrenOf(node)) {
      if (isFunction(bare(child))) this.#visit(child, scope, node)
      else if (child.type === 'MemberExpression' && nameOf(field(child, 'property')) === 'expect')
        this.#children(child, scope)
      else if (child.type === 'CallExpression' || child.type === 'MemberExpression')
        this.#insideAssertion(child, scope)
    }
  }

  #skipped(node: Syntax, { source, contexts, guards }: Scope): void {
    const { root, links } = chainOf(node)
    const word = links.length === 1 ? (links[0]?.name ?? '') : ''
    const own = root === 'this' || root === 'test' || contexts.has(root)
    if (!own || !/^(skip|todo|fixme|fails)$/.test(word)) return
    const how = guards.length === 0 ? `${root}.${word}()` : `${root}.${word}() under a condition`
    this.muted ??= { how, line: lineOf(source, node) }
  }
}

function under(scope: Scope, guard: string): Scope {
  return { ...scope, guards: [...scope.guards, guard] }
}

/** The function that a name stands for. */
export function functionOf(given: Syntax, { names }: Pick<Scope, 'names'>): Bound | null {
  const node = bare(given)
  const bound = node.type === 'Identifier' ? names.get(nameOf(node)) : undefined
  return bound !== undefined && isFunction(bound.node) ? bound : null
}

/** The list of `list.forEach` and `list.map`. */
export function loopedOver(callee: Syntax): Syntax | null {
  const loops =
    callee.type === 'MemberExpression' && /^(forEach|map)$/.test(nameOf(field(callee, 'property')))
  return loops ? field(callee, 'object') : null
}

function leaves(node: Syntax | null): boolean {
  if (node === null) return false
  if (node.type === 'ReturnStatement') return true
  return node.type === 'BlockStatement' && list(node, 'body').some(({ type }) => type === 'ReturnStatement')
}
