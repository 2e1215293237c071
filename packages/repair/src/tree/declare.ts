// Fills the scopes of a tree: which names each of them declares.
import { convert, isSyntax, type Syntax } from './convert.ts'
import { above, type Declared, type Node, part, parts, walk } from './node.ts'

const OPENERS = new Set(['module', 'func', 'block', 'loop', 'class', 'catch', 'switch'])

export interface Annotations {
  /** The annotation's text by the place of the name it belongs to. */
  readonly at: ReadonlyMap<number, string>
}

export function declareNames(tree: Node, annotations: Annotations): void {
  walk(tree, (node) => {
    if (OPENERS.has(node.kind)) node.names = new Map()
  })
  walk(tree, (node) => {
    if (node.kind === 'declare') declareVariables(node, annotations)
    if (node.kind === 'func') declareFunction(node, annotations)
    if (node.kind === 'class') declareOwn(node, 'class')
    if (node.kind === 'catch')
      for (const param of parts(node, 'param')) bind(node, param, 'parameter', annotations)
  })
}

export function declareImports(tree: Node, program: Syntax): void {
  for (const statement of program.body as unknown[]) {
    if (!isSyntax(statement) || statement.type !== 'ImportDeclaration' || statement.importKind === 'type')
      continue
    for (const specifier of statement.specifiers as Syntax[]) {
      const local = convert(specifier.local as Syntax, 'name', tree)
      if (specifier.importKind !== 'type') add(tree, declared(local, 'import', null))
    }
  }
}

function declareVariables(node: Node, annotations: Annotations): void {
  const scope =
    node.op === 'var' ? above(node, 'func', 'module') : above(node, 'block', 'loop', 'module', 'switch')
  if (scope === null) return
  for (const declarator of node.children) {
    const target = part(declarator, 'target')
    if (target !== null) bind(scope, target, node.op === 'const' ? 'constant' : 'variable', annotations)
  }
}

function declareFunction(node: Node, annotations: Annotations): void {
  if (node.name !== '') declareOwn(node, 'function')
  for (const param of parts(node, 'param')) bind(node, param, 'parameter', annotations)
}

/** A declaration is seen from around it, a named expression only from inside. */
function declareOwn(node: Node, is: 'function' | 'class'): void {
  const name = part(node, 'name')
  if (name === null) return
  const outside = node.role === 'statement' || node.parent?.op === 'export'
  const scope = outside ? above(node, 'block', 'module', 'switch') : node
  if (scope !== null) add(scope, { ...declared(name, is, null), node })
}

function bind(scope: Node, target: Node, is: Declared['is'], annotations: Annotations): void {
  if (target.kind === 'name') {
    add(scope, declared(target, is, annotations.at.get(target.start) ?? null))
    return
  }
  if (target.kind === 'pair' || target.kind === 'default' || target.kind === 'pattern') {
    for (const child of target.children) {
      if (child.role === 'target' || (target.kind === 'pair' && child.role === 'value')) {
        bind(scope, child, is, annotations)
      }
    }
  }
}

function declared(node: Node, is: Declared['is'], type: string | null): Declared {
  return { name: node.name, is, at: node.start, type, node }
}

function add(scope: Node, declared: Declared): void {
  if (scope.names !== null && !scope.names.has(declared.name)) scope.names.set(declared.name, declared)
}
