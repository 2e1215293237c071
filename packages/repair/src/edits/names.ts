// The wrong name: another variable, another property, another method of the same family.
import { above, type Declared, isValue, type Node, nodesIn, part } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
import { type Context, group, type Operator, type Piece, type Proposal, propose, replace } from './edit.ts'
import { type Guess, guess, guessType, mayBe } from './guess.ts'
import { likeness } from './likeness.ts'

function nameRange(node: Node) {
  return {
    start: node.start + (node.parens ? 1 : 0),
    end: node.start + (node.parens ? 1 : 0) + node.name.length,
  }
}

function* otherNames(node: Node): Generator<Proposal> {
  if (!isValue(node) || node.parens) return
  const own = find(node, node.name)
  for (const [order, declared] of visible(node).entries()) {
    if (declared.name === node.name || !fits(node, declared)) continue
    const clash = own !== null && own.type !== null && declared.type !== null && own.type !== declared.type
    const near = (1 - Math.min(order, 12) * 0.04) * unusedBoost(node, declared)
    const weight = (0.5 + 0.5 * likeness(node.name, declared.name)) * (clash ? 0.4 : 1) * near
    yield propose(weight, replace(nameRange(node), { ref: declared.name }))
  }
}

const usedNames = new WeakMap<Node, ReadonlySet<string>>()

/** A parameter that nobody reads was meant to stand somewhere. */
function unusedBoost(node: Node, declared: Declared): number {
  const func = declared.is === 'parameter' ? above(node, 'func') : null
  if (func === null || func.names?.get(declared.name) !== declared || declared.name.startsWith('_')) return 1
  let used = usedNames.get(func)
  if (used === undefined) {
    const read = nodesIn(func).filter((found) => found.kind === 'name' && isValue(found))
    used = new Set(read.map((found) => found.name))
    usedNames.set(func, used)
  }
  return used.has(declared.name) ? 1 : 1.8
}

/** `order.total` that was to be `total`. */
function* nameForMember(node: Node): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object') return
  for (const [order, declared] of visible(node).slice(0, 8).entries()) {
    if (!['parameter', 'variable', 'constant'].includes(declared.is) || !fits(node, declared)) continue
    const alike = 0.75 + 0.25 * likeness(node.name, declared.name)
    yield propose(
      alike * (1 - order * 0.04) * unusedBoost(node, declared),
      replace(node, { ref: declared.name }),
    )
  }
}

/** Called where functions are, and not known to be of another type. */
function fits(node: Node, declared: Declared): boolean {
  const isCalled = node.role === 'callee'
  const callable = declared.is === 'function' || declared.is === 'import' || declared.is === 'class'
  if (isCalled !== callable && !(isCalled && declared.type?.includes('=>'))) return false
  const types = [guess(node), declared.type === null ? 'unknown' : guessType(declared.type)]
  return types[0] === types[1] || types.includes('unknown')
}

/** Targets of assignments too: `this.a = b` for `this.b = b`. */
function* otherProperties(node: Node, context: Context): Generator<Proposal> {
  const property = part(node, 'property')
  const object = part(node, 'object')
  if (property === null || object === null || node.name.startsWith('#')) return
  // `Math`, `Object` and their like have methods of their own families.
  if (object.kind === 'name' && find(node, object.name) === null) return
  const siblings = new Set(context.siblings(node.name))
  const seen = new Set(propertiesOn(context, object))
  for (const [name, count] of context.properties) {
    if (name === node.name) continue
    const likely = siblings.has(name) ? 1 : strangerRate(node, seen.has(name), count)
    if (likely > 0) yield propose(likely * (0.7 + 0.3 * likeness(node.name, name)), replace(property, name))
  }
}

/** A property that no declared type has beside the one that is there. */
function strangerRate(node: Node, isSeen: boolean, count: number): number {
  const isMethod = node.role === 'callee'
  if (isSeen) return isMethod ? 0.32 : 0.8
  return isMethod || count < 2 ? 0 : 0.25
}

/** Property names read from the same name elsewhere in the file. */
function propertiesOn(context: Context, object: Node): string[] {
  const text = object.kind === 'self' ? 'this' : object.name
  const found: string[] = []
  if (text === '') return found
  for (const node of nodesIn(context.file.parsed.tree)) {
    const of = node.kind === 'member' ? part(node, 'object') : null
    if (of !== null && (of.kind === 'self' ? 'this' : of.name) === text && of.kind === object.kind)
      found.push(node.name)
  }
  return found
}

/** Seldom taken for one another, though they stand in the same place. */
const RARE = new Set([
  'has',
  'get',
  'call',
  'apply',
  'finally',
  'then',
  'seal',
  'freeze',
  'parse',
  'stringify',
  'sign',
  'abs',
  'unshift',
  'push',
  'pop',
  'shift',
])

function* otherMethods(node: Node, { profile }: Context): Generator<Proposal> {
  const callee = part(node, 'callee')
  if (callee === null) return
  const at = callee.kind === 'member' ? part(callee, 'property') : callee
  if (at === null) return
  for (const family of profile.methods) {
    if (!family.includes(callee.name)) continue
    for (const [order, other] of family.filter((name) => name !== callee.name).entries()) {
      yield propose((1 - order * 0.1) * (RARE.has(other) ? 0.35 : 1), replace(at, other))
    }
  }
}

/** `line.price` for `line.price * line.quantity`: a property of the same thing that takes no part. */
function* joinSibling(node: Node, context: Context): Generator<Proposal> {
  const object = part(node, 'object')
  if (object === null || !isValue(node) || node.role === 'callee' || !mayBe(node, 'number', 'string')) return
  if (node.parent?.kind === 'member' || node.parent?.kind === 'index') return
  const used = new Set(propertiesIn(node.parent))
  const names = new Set([...context.siblings(node.name), ...propertiesOn(context, object)])
  for (const name of names) {
    if (name === node.name || used.has(name) || !context.properties.has(name)) continue
    for (const op of [' * ', ' + ', ' - ', ' / ', ' % ']) {
      yield propose(
        op === ' * ' || op === ' + ' ? 1 : 0.7,
        replace(node, ...joined(node, op, object, `.${name}`)),
      )
    }
  }
}

/** Brackets only where the sum around it would take the operand apart. */
function joined(node: Node, op: string, ...other: Piece[]): Piece[] {
  const parent = node.parent
  const binds =
    op !== ' + ' && op !== ' - ' && parent?.kind === 'binary' && (parent.op === '+' || parent.op === '-')
  return binds ? [node, op, ...other] : group(node, node, op, ...other)
}

function propertiesIn(node: Node | null): string[] {
  return node === null
    ? []
    : nodesIn(node)
        .filter((found) => found.kind === 'member')
        .map((found) => found.name)
}

/** `x` for `x.y`, and `x.y` for `x`. */
function* moreOrLess(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee') return
  const object = node.kind === 'member' ? part(node, 'object') : null
  if (object !== null) yield propose(0.7, replace(node, object))
  if (node.kind !== 'name' || node.role === 'object' || !mayBe(node, 'record', 'list', 'string')) return
  const seen = new Set(propertiesOn(context, node))
  for (const name of seen) yield propose(1, replace(node, node, `.${name}`))
  if (!seen.has('length') && mayBe(node, 'list', 'string')) yield propose(0.6, replace(node, node, '.length'))
}

/** An operand that has no partner yet gets one: `a` for `a + b`, with the names in sight. */
function* joinName(node: Node): Generator<Proposal> {
  if (!isValue(node) || node.role === 'callee' || node.role === 'object' || !mayBe(node, 'number')) return
  if (node.parent?.kind === 'unary') return
  for (const declared of visible(node).slice(0, 8)) {
    if (declared.name !== node.name) yield* joinWith(node, declared)
  }
}

function* joinWith(node: Node, declared: Declared): Generator<Proposal> {
  const type = typeOf(declared)
  if (type === 'string' || type === 'list') {
    for (const op of [' - ', ' + ']) {
      yield propose(0.7, replace(node, ...joined(node, op, { ref: declared.name }, '.length')))
    }
  }
  if (type !== 'number') return
  for (const op of [' + ', ' - ', ' * ', ' / ', ' % ']) {
    const likely = op === ' + ' || op === ' - ' ? 1 : 0.7
    yield propose(likely, replace(node, ...joined(node, op, { ref: declared.name })))
  }
}

function typeOf(declared: Declared): Guess {
  return declared.type === null ? guess(declared.node) : guessType(declared.type)
}

/** A number that was to be a name: `at += 1` for `at += size`. */
function* nameForNumber(node: Node): Generator<Proposal> {
  for (const [order, declared] of visible(node).slice(0, 8).entries()) {
    if (typeOf(declared) === 'number') yield propose(1 - order * 0.05, replace(node, { ref: declared.name }))
  }
}

export const names: readonly Operator[] = [
  { id: 'other-name', family: 'name', trust: 'token', prior: 0.55, on: ['name'], make: otherNames },
  {
    id: 'other-property',
    family: 'property',
    trust: 'token',
    prior: 0.55,
    on: ['member'],
    make: otherProperties,
  },
  {
    id: 'method-family',
    family: 'method',
    trust: 'token',
    prior: 0.9,
    on: ['call', 'new'],
    make: otherMethods,
  },
  {
    id: 'join-sibling',
    family: 'missing-operand',
    trust: 'token',
    prior: 0.3,
    on: ['member'],
    make: joinSibling,
  },
  {
    id: 'join-name',
    family: 'missing-operand',
    trust: 'token',
    prior: 0.14,
    on: ['name', 'member', 'call'],
    make: joinName,
  },
  {
    id: 'more-or-less',
    family: 'property',
    trust: 'token',
    prior: 0.25,
    on: ['name', 'member'],
    make: moreOrLess,
  },
  { id: 'name-for-number', family: 'name', trust: 'token', prior: 0.45, on: ['number'], make: nameForNumber },
  {
    id: 'name-for-member',
    family: 'name',
    trust: 'token',
    prior: 0.35,
    on: ['member', 'index'],
    make: nameForMember,
  },
  {
    id: 'assign-operator',
    family: 'assignment',
    trust: 'token',
    prior: 0.6,
    on: ['assign'],
    *make(node, { file, profile }) {
      const target = part(node, 'target')
      const value = part(node, 'value')
      if (target === null || value === null) return
      const range = { start: target.end, end: value.start }
      const text = file.text.slice(range.start, range.end)
      const rate = (op: string) => (op === '=' ? 0.8 : 0.3)
      const near: Readonly<Record<string, string>> = {
        '+=': '-=',
        '-=': '+=',
        '*=': '/=',
        '/=': '*=',
        '=': '+=',
      }
      for (const op of profile.assignments) {
        if (op === node.op || (node.op === '=' && !['+=', '-=', '*=', '??='].includes(op))) continue
        yield propose(
          near[node.op] === op ? 1 : rate(op),
          replace(
            range,
            text.replace(node.op, () => op),
          ),
        )
      }
    },
  },
  {
    id: 'assign-target',
    family: 'name',
    trust: 'token',
    prior: 0.35,
    on: ['assign', 'update'],
    *make(node) {
      const target = part(node, 'target')
      if (target?.kind !== 'name') return
      for (const declared of visible(node)) {
        const fits = declared.is === 'variable' || declared.is === 'parameter'
        if (fits && declared.name !== target.name) yield propose(1, replace(target, { ref: declared.name }))
      }
    },
  },
  {
    id: 'update-operator',
    family: 'arithmetic',
    trust: 'token',
    prior: 0.6,
    on: ['update'],
    *make(node, { file }) {
      const target = part(node, 'target')
      if (target === null) return
      const isPrefix = target.start > node.start
      const other = node.op === '++' ? '--' : '++'
      yield propose(1, isPrefix ? replace(node, other, target) : replace(node, target, other))
      if (node.parent?.kind !== 'do' && node.role !== 'update') {
        yield propose(0.9, isPrefix ? replace(node, target, node.op) : replace(node, node.op, target))
      }
      const step = file.text.slice(target.start, target.end)
      if (node.role === 'update') yield propose(0.3, replace(node, `${step} ${node.op[0]}= 2`))
    },
  },
]
