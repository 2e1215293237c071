// Edits for what was emptied: a list, a record, a text or a block that holds nothing, filled with what is in sight or
// seen elsewhere.
import { above, isValue, type Node, nodesIn, part, parts } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import {
  type Context,
  insert,
  type Operator,
  type Piece,
  type Proposal,
  propose,
  replace,
  textOf,
  written,
} from './edit.ts'
import { guess } from './guess.ts'
import { callsAt, namesAt, nearNodes, type Value } from './known.ts'
import { renamings } from './rename.ts'
import { unusedAt } from './unused.ts'

const DONOR_MAX = 120
const LISTS: ReadonlySet<Node['kind']> = new Set(['list'])
const RECORDS: ReadonlySet<Node['kind']> = new Set(['record'])
const CALLS: ReadonlySet<Node['kind']> = new Set(['call'])
const TEMPLATES: ReadonlySet<Node['kind']> = new Set(['template'])

/** An accumulator starts empty; elsewhere nothing is seldom what was meant. */
function emptiness(node: Node): number {
  const starts = node.parent?.kind === 'declarator' || node.parent?.kind === 'field' || node.role === 'right'
  return starts ? 0.2 : 1
}

function* fillList(node: Node, context: Context): Generator<Proposal> {
  if (node.children.length > 0 || !isValue(node)) return
  const rate = emptiness(node)
  yield* likeOthers(node, context, LISTS)
  const pool = elementsFor(node, context)
  for (const [at, a] of pool.entries()) {
    yield propose(rate * 0.8 * a.weight, replace(node, '[', ...a.pieces, ']'))
    if (a.isList) yield propose(rate * 0.8 * a.weight, replace(node, '[...', ...a.pieces, ']'))
    for (const [other, b] of pool.entries()) {
      if (at !== other)
        yield propose(rate * a.weight * b.weight, replace(node, '[', ...a.pieces, ', ', ...b.pieces, ']'))
    }
  }
}

/** The same kind of thing from elsewhere, where it is not empty. */
function* likeOthers(node: Node, context: Context, kinds: ReadonlySet<Node['kind']>): Generator<Proposal> {
  for (const [found, near] of nearNodes(node, context, kinds)) {
    if (found.children.length === 0 || !isValue(found)) continue
    if (textOf(context.file, found).length > DONOR_MAX) continue
    for (const { pieces, weight } of renamings(found, node, context))
      yield propose(emptiness(node) * near * weight, replace(node, ...pieces))
  }
}

interface Element {
  readonly pieces: readonly Piece[]
  readonly weight: number
  readonly isList: boolean
}

/** Names nobody reads yet, calls that take one of them, and the other names. */
function elementsFor(node: Node, context: Context): Element[] {
  const unused = unusedAt(node)
  const names = namesAt(node, context).slice(0, 8)
  const plain = names.map((value) => ({
    pieces: value.pieces,
    weight: unused.has(value.name) ? 1 : 0.5 * value.near,
    isList: value.guess === 'list' || value.guess === 'unknown',
  }))
  const calls = callsAt(node, context, names)
  const made = calls.map(({ pieces, weight }) => {
    const takesUnused = pieces.some(
      (piece) => typeof piece === 'object' && 'ref' in piece && unused.has(piece.ref),
    )
    return { pieces, weight: weight * (takesUnused ? 0.9 : 0.4), isList: false }
  })
  const seen: Element[] = []
  for (const [found, near] of nearNodes(node, context, CALLS)) {
    if (!isValue(found) || textOf(context.file, found).length > 60 || contains(found, node)) continue
    for (const { pieces, weight } of renamings(found, node, context))
      seen.push({ pieces, weight: 0.8 * near * weight, isList: false })
  }
  const best = seen.sort((a, b) => b.weight - a.weight).slice(0, 6)
  return [...plain, ...best, ...made].sort((a, b) => b.weight - a.weight).slice(0, 18)
}

function contains(outer: Node, inner: Node): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Pairs that stand in the records beside this one, or that the names in sight give. */
function* addPair(node: Node, context: Context): Generator<Proposal> {
  if (!isValue(node) && node.role !== 'element') return
  const own = new Set(keysOf(node))
  const pool = pairsFor(node, context).filter(({ key }) => !own.has(key))
  const rate = node.children.length === 0 ? emptiness(node) : 0.7
  for (const { pieces, weight } of pool) yield propose(rate * weight, withPairs(node, [pieces]))
  if (node.children.length > 0) return
  for (const [at, a] of pool.slice(0, 24).entries()) {
    for (const b of pool.slice(at + 1, 24)) {
      if (a.key !== b.key)
        yield propose(rate * 0.5 * a.weight * b.weight, withPairs(node, [a.pieces, b.pieces]))
    }
  }
}

function withPairs(node: Node, pairs: readonly (readonly Piece[])[]) {
  const written = pairs.flatMap((pieces, at) => (at === 0 ? pieces : [', ', ...pieces]))
  const last = node.children.at(-1)
  return last === undefined ? replace(node, '{ ', ...written, ' }') : insert(last.end, ', ', ...written)
}

function keysOf(record: Node): string[] {
  return parts(record, 'element').map((pair) => part(pair, 'key')?.name ?? '')
}

interface PairMade {
  readonly key: string
  readonly pieces: readonly Piece[]
  readonly weight: number
}

/** Pairs of sibling records first; then keys of theirs with values of theirs; then names that are in sight. */
function pairsFor(node: Node, context: Context): PairMade[] {
  const made = new Map<string, PairMade>()
  const add = (key: string, pieces: readonly Piece[], weight: number) => {
    const text = written(context.file, pieces)
    if ((made.get(text)?.weight ?? 0) < weight) made.set(text, { key, pieces, weight })
  }
  const siblings = siblingRecords(node)
  const pairs = siblings.flatMap((record) => parts(record, 'element')).filter((pair) => pair.kind === 'pair')
  for (const pair of pairs) add(part(pair, 'key')?.name ?? '', [pair], 1)
  const names = visible(node).filter(({ is }) => is !== 'import' && is !== 'function' && is !== 'class')
  for (const declared of names.slice(0, 8)) add(declared.name, [{ ref: declared.name }], 0.5)
  for (const [pair, near] of pairsSeen(node, context)) {
    for (const { pieces, weight } of renamings(pair, node, context))
      add(part(pair, 'key')?.name ?? '', pieces, 0.5 * near * weight)
  }
  for (const key of wordKeys(pairs, context)) {
    for (const value of wordValues(pairs, node)) add(key, [`${key}: ${value}`], 0.7 * alike(key, value))
  }
  return [...made.values()].sort((a, b) => b.weight - a.weight).slice(0, 60)
}

function* pairsSeen(node: Node, context: Context): Generator<readonly [Node, number]> {
  for (const [record, near] of nearNodes(node, context, RECORDS)) {
    if (record === node || !isValue(record)) continue
    for (const pair of parts(record, 'element')) {
      const isShort = pair.kind === 'pair' && textOf(context.file, pair).length <= 60
      if (isShort && part(pair, 'value') !== null) yield [pair, near]
    }
  }
}

/** Other records in the same table. */
function siblingRecords(node: Node): Node[] {
  const holder = node.parent?.kind === 'pair' ? node.parent.parent : node.parent
  if (holder === null || (holder?.kind !== 'record' && holder?.kind !== 'list')) return []
  return nodesIn(holder).filter((found) => found.kind === 'record' && found !== holder && found !== node)
}

/** Words that could be keys here: those of a union one of whose words is a key beside. */
function wordKeys(pairs: readonly Node[], context: Context): string[] {
  const keys = new Set(pairs.map((pair) => part(pair, 'key')?.name ?? ''))
  const unions = context.unions.map((words) => words.map((word) => word.slice(1, -1)))
  const fitting = unions.filter((words) => words.some((word) => keys.has(word))).flat()
  return [...new Set(fitting)].filter((word) => /^[A-Za-z_]\w*$/.test(word))
}

function wordValues(pairs: readonly Node[], node: Node): string[] {
  const values = pairs.map((pair) => part(pair, 'value')).filter((value) => value?.kind === 'string')
  if (values.length === 0) return []
  const holder = node.parent?.kind === 'pair' ? node.parent.parent : null
  const states = holder === null ? [] : keysOf(holder).map((key) => `'${key}'`)
  return [...new Set([...values.flatMap((value) => value?.name ?? []), ...states])]
}

/** `pack` goes with `'packed'`. */
function alike(key: string, value: string): number {
  const text = value.slice(1, -1)
  const stem = key.slice(0, Math.max(3, key.length - 2))
  return text.startsWith(stem) ? 1 : 0.4
}

/** Whole records of the file, and one of names by what the function is said to return. */
function* fillRecord(node: Node, context: Context): Generator<Proposal> {
  if (node.children.length > 0 || !isValue(node)) return
  const rate = emptiness(node)
  yield* likeOthers(node, context, RECORDS)
  const func = above(node, 'func')
  const returns = func === null ? '' : (context.file.parsed.returns.get(func.start) ?? '')
  const members = [...context.membersOf(returns).keys()]
  const names = new Map(namesAt(node, context).map((value) => [value.name, value]))
  const known = members.filter((name) => names.has(name))
  if (known.length > 0 && known.length >= members.length - 1)
    yield propose(rate, replace(node, `{ ${known.join(', ')} }`))
}

/** Templates of the file, as they are, with a word less, or with what the test expects around their values. */
function* fillTemplate(node: Node, context: Context): Generator<Proposal> {
  const isEmpty = node.kind === 'template' ? node.end - node.start <= 2 : node.name.length <= 2
  if (!isEmpty || !isValue(node)) return
  for (const [found, near] of nearNodes(node, context, TEMPLATES)) {
    const text = textOf(context.file, found)
    if (text.length <= 2 || text.length > DONOR_MAX || text.includes('\n')) continue
    for (const { pieces, weight } of renamings(found, node, context))
      yield propose(near * weight, replace(node, ...pieces))
    for (const gap of text.matchAll(/(?<= )(\w+) (?=\w)/g)) {
      const at = found.start + gap.index
      const less = [
        { start: found.start, end: at },
        { start: at + gap[0].length, end: found.end },
      ]
      if (renamings(found, node, context)[0]?.weight === 1) yield propose(0.5 * near, replace(node, ...less))
    }
  }
  for (const { text, weight } of templatesFromTests(node, context))
    yield { ...propose(weight, replace(node, text)), special: true }
}

const HOLES_MAX = 40

/** A text the test expects, with the test's inputs in it replaced by names that could hold them. */
function templatesFromTests(node: Node, context: Context): { text: string; weight: number }[] {
  const texts = context.testLiterals.filter((text) => /^'/.test(text)).map((text) => text.slice(1, -1))
  const inputs = context.testLiterals
    .map((text) => text.replace(/^['"`]|['"`]$/g, ''))
    .filter((text) => text.length > 0)
  const values = namesAt(node, context).filter(({ guess: type }) => type !== 'list' && type !== 'func')
  const paths = values.slice(0, 6).flatMap((value) => [value.name, ...membersAsText(value, context)])
  const made: { text: string; weight: number }[] = []
  for (const text of texts.filter((found) => found.length > 3 && !/[`$\\]/.test(found))) {
    for (const input of inputs.filter((found) => found !== text && text.includes(found))) {
      for (const path of paths)
        made.push({ text: `\`${text.replaceAll(input, `\${${path}}`)}\``, weight: 0.5 })
    }
  }
  return made.slice(0, HOLES_MAX)
}

function membersAsText(value: Value, context: Context): string[] {
  return [...context.membersOf(value.type)]
    .filter(([, type]) => /^(string|number)/.test(type))
    .map(([name]) => `${value.name}.${name}`)
}

export const fills: readonly Operator[] = [
  { id: 'fill-list', family: 'fill', trust: 'other', prior: 0.3, on: ['list'], make: fillList },
  { id: 'fill-record', family: 'fill', trust: 'other', prior: 0.3, on: ['record'], make: fillRecord },
  { id: 'add-pair', family: 'missing-entry', trust: 'other', prior: 0.24, on: ['record'], make: addPair },
  {
    id: 'fill-template',
    family: 'fill',
    trust: 'other',
    prior: 0.3,
    on: ['template', 'string'],
    make: fillTemplate,
  },
  {
    id: 'add-element',
    family: 'missing-entry',
    trust: 'other',
    prior: 0.12,
    on: ['list'],
    *make(node, context) {
      const last = node.children.at(-1)
      const [first] = node.children
      if (last === undefined || first === undefined || !isValue(node)) return
      for (const value of namesAt(node, context).slice(0, 6)) {
        const spread = value.guess === 'list' || value.guess === 'unknown' ? ['', '...'] : ['']
        for (const dots of spread) {
          yield propose(value.near, insert(last.end, ', ', dots, ...value.pieces))
          yield propose(0.8 * value.near, insert(first.start, dots, ...value.pieces, ', '))
        }
      }
      if (!node.children.every((child) => child.kind === 'string')) return
      const own = new Set(node.children.map(({ name }) => name))
      for (const word of context.words) if (!own.has(word)) yield propose(1, insert(last.end, `, ${word}`))
    },
  },
  {
    id: 'shorthand-value',
    family: 'fill',
    trust: 'other',
    prior: 0.3,
    on: ['pair'],
    *make(node, context) {
      const key = part(node, 'key')
      if (
        !node.optional ||
        key === null ||
        node.parent?.kind !== 'record' ||
        guess(part(node, 'value')) === 'func'
      )
        return
      for (const value of namesAt(node, context).slice(0, 8)) {
        if (value.name !== key.name)
          yield propose(0.6 * value.near, replace(node, `${key.name}: `, ...value.pieces))
      }
      for (const by of [' + 1', ' - 1'])
        yield propose(0.5, replace(node, `${key.name}: `, { ref: key.name }, by))
      for (const { pieces, weight, returns } of callsAt(node, context).slice(0, 16)) {
        yield propose(0.5 * weight, replace(node, `${key.name}: `, ...pieces))
        if (!/^(number|$)/.test(returns)) continue
        for (const name of ['Math.min', 'Math.max'])
          yield propose(
            0.7 * weight,
            replace(node, `${key.name}: ${name}(`, { ref: key.name }, ', ', ...pieces, ')'),
          )
      }
    },
  },
]
