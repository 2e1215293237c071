// Which constants and functions a piece of code knows by name, and the rows that a test or a loop runs through.
import {
  type Bound,
  bare,
  childrenOf,
  field,
  isFunction,
  list,
  type Names,
  nameOf,
  type Source,
  type Syntax,
} from './source.ts'

/** The outer names, and the constants and functions that the block declares itself. */
export function namesIn(source: Source, block: Syntax, outer: Names): Names {
  const names = new Map<string, Bound>(outer)
  const seen = new Set<string>()
  const top = block.type === 'Program'
  const add = (name: string, node: Syntax): void => {
    // Declared twice, it could mean either.
    if (seen.has(name)) names.delete(name)
    else names.set(name, { node, names, source, fixture: top && isData(node) })
    seen.add(name)
  }
  declare(block, add)
  return names
}

function isData({ type }: Syntax): boolean {
  return type === 'ObjectExpression' || type === 'ArrayExpression'
}

type Add = (name: string, node: Syntax) => void

function declare(node: Syntax, add: Add): void {
  for (const child of childrenOf(node)) {
    if (child.type === 'FunctionDeclaration') add(nameOf(field(child, 'id')), child)
    if (child.type === 'VariableDeclaration')
      for (const declarator of list(child, 'declarations'))
        declareOne(declarator, child.kind === 'const', add)
    if (!isFunction(child) && !child.type.startsWith('Class')) declare(child, add)
  }
}

function declareOne(declarator: Syntax, constant: boolean, add: Add): void {
  const id = field(declarator, 'id')
  const init = field(declarator, 'init')
  if (id?.type !== 'Identifier' || init === null) return
  if (constant || isFunction(bare(init))) add(nameOf(id), bare(init))
}

/** The names inside a function that is called with these arguments; parameters without one hide the outer name. */
export function namesInside(
  { source, node: fn, names: outer }: Bound,
  args: readonly (Bound | null)[],
): Names {
  const names = new Map<string, Bound>(outer)
  for (const [index, param] of list(fn, 'params').entries()) bind(names, param, args[index] ?? null)
  const body = field(fn, 'body')
  return body === null ? names : namesIn(source, body, names)
}

/** A pattern takes its parts from a value; null: the value is not known. */
export function bind(names: Map<string, Bound>, pattern: Syntax, value: Bound | null): void {
  const known = value === null ? null : { ...value, node: bare(value.node) }
  switch (pattern.type) {
    case 'Identifier':
      if (known === null) names.delete(nameOf(pattern))
      else names.set(nameOf(pattern), known)
      return
    case 'AssignmentPattern': {
      const left = field(pattern, 'left')
      if (left !== null) bind(names, left, known)
      return
    }
    case 'ArrayPattern': {
      const given = known?.node.type === 'ArrayExpression' ? list(known.node, 'elements') : []
      for (const [index, element] of list(pattern, 'elements').entries())
        bind(names, element, part(known, given[index]))
      return
    }
    case 'ObjectPattern': {
      const given = known?.node.type === 'ObjectExpression' ? list(known.node, 'properties') : []
      for (const property of list(pattern, 'properties')) {
        const key = nameOf(field(property, 'key'))
        const found = given.find((each) => nameOf(field(each, 'key')) === key)
        const target = field(property, 'value') ?? field(property, 'argument')
        if (target !== null) bind(names, target, part(known, found && field(found, 'value')))
      }
      return
    }
    default:
      return
  }
}

function part(whole: Bound | null, node: Syntax | null | undefined): Bound | null {
  return whole === null || !node ? null : { node, names: whole.names, source: whole.source }
}

const rowsMax = 100

/** The elements of a list that is written down; null if it is not. */
export function rowsOf(source: Source, given: Syntax | null, names: Names): Bound[] | null {
  if (given === null) return null
  let at: Bound = { node: bare(given), names, source }
  for (let hops = 0; hops < 4 && at.node.type === 'Identifier'; hops += 1) {
    const bound = at.names.get(nameOf(at.node))
    if (bound === undefined) return null
    at = { ...bound, node: bare(bound.node) }
  }
  if (at.node.type !== 'ArrayExpression') return null
  const rows = list(at.node, 'elements')
  if (rows.length > rowsMax || rows.some(({ type }) => type === 'SpreadElement')) return null
  return rows.map((node) => ({ node, names: at.names, source: at.source }))
}
