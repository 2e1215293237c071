// Conditions made of the names in sight, the likeliest first.
import { above, type Node, nodesIn } from '../tree/node.ts'
import { find, visible } from '../tree/scope.ts'
import { type Context, type Piece, textOf, written } from './edit.ts'
import { optionNames } from './from-tests.ts'
import type { Guess } from './guess.ts'
import { callsAt, fieldsAt, namesAt, nearNodes, type Value } from './known.ts'
import { renamings } from './rename.ts'

export interface ExpressionDraft {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

const NAMES_MAX = 8
const MADE_MAX = 200

const known = new WeakMap<Node, ExpressionDraft[]>()

/** The same place is asked for by several operators. */
export function synthesise(at: Node, context: Context): ExpressionDraft[] {
  const found = known.get(at)
  if (found !== undefined) return found
  const made = distinct(makeAll(at, context), context)
  known.set(at, made)
  return made
}

function makeAll(at: Node, context: Context): ExpressionDraft[] {
  const names = namesAt(at, context).slice(0, NAMES_MAX)
  const made: ExpressionDraft[] = []
  for (const [order, value] of names.entries()) {
    const near = 1 - order * 0.07
    for (const [text, weight] of testsOf(value))
      made.push({ pieces: [...value.pieces, text], weight: weight * near })
    made.push({ pieces: ['!', ...value.pieces], weight: (value.guess === 'boolean' ? 1 : 0.8) * near })
    if (value.guess === 'boolean') made.push({ pieces: value.pieces, weight: near })
    if (mayBeList(value)) made.push({ pieces: ['Array.isArray(', ...value.pieces, ')'], weight: 0.5 * near })
    for (const one of ofMembers(value, context)) made.push({ ...one, weight: one.weight * near })
  }
  made.push(...pairs(names), ...fieldPairs(at, names), ...ofFields(at, context), ...ofCalls(at, context))
  made.push(...ofClasses(at, names), ...ofTexts(names, context), ...ofOptions(at, context))
  made.push(...seenIn(at, context), ...withOtherNumber(at, context))
  return made
}

function distinct(made: readonly ExpressionDraft[], context: Context): ExpressionDraft[] {
  const best = new Map<string, ExpressionDraft>()
  for (const one of made) {
    const key = written(context.file, one.pieces)
    const other = best.get(key)
    if (other === undefined || other.weight < one.weight) best.set(key, one)
  }
  return [...best.values()].sort((a, b) => b.weight - a.weight).slice(0, MADE_MAX)
}

function mayBeList({ guess, type }: Value): boolean {
  return guess === 'unknown' && !/^[a-z]+$/.test(type)
}

type Tests = readonly (readonly [string, number])[]

const NUMBER_TESTS: Tests = [
  [' === 0', 0.9],
  [' <= 0', 0.8],
  [' < 0', 0.8],
  [' > 0', 0.8],
  [' !== 0', 0.6],
  [' >= 0', 0.5],
  [' === 1', 0.4],
  [' <= 1', 0.5],
]
const SIZE_TESTS: Tests = [
  ['.length === 0', 1],
  ['.length > 0', 0.7],
  ['.length === 1', 0.3],
  ['.length <= 1', 0.25],
]
const NOTHING_TESTS: Tests = [
  [' === undefined', 0.8],
  [' === null', 0.7],
  [' == null', 0.8],
  [' !== undefined', 0.6],
  [' !== null', 0.5],
]
const BY_GUESS: Readonly<Partial<Record<Guess, Tests>>> = {
  number: NUMBER_TESTS,
  list: SIZE_TESTS,
  string: [...SIZE_TESTS, [" === ''", 0.6], [" !== ''", 0.5]],
  boolean: NOTHING_TESTS.slice(0, 1),
  func: NOTHING_TESTS.slice(0, 1),
}

function testsOf(value: Value): Tests {
  const tests = BY_GUESS[value.guess]
  const nullable = /\|\s*(null|undefined)\b/.test(value.type)
  if (tests !== undefined) return nullable ? [...NOTHING_TESTS, ...tests] : tests
  if (value.type !== '') return NOTHING_TESTS
  return [...SIZE_TESTS, ...NUMBER_TESTS.slice(0, 4), ...NOTHING_TESTS.slice(0, 3)].map(
    ([text, weight]) => [text, weight * 0.8] as const,
  )
}

/** `user.disabled`, by what is declared of the type, or by what the same name is asked for elsewhere. */
function ofMembers(value: Value, context: Context): ExpressionDraft[] {
  const members = [...context.membersOf(value.type)]
  if (members.length > 0)
    return members.flatMap(([name, type]) => ofMember([...value.pieces, `.${name}`], type))
  if (value.guess !== 'unknown' && value.guess !== 'record') return []
  return [...membersSeen(value.name, context)].flatMap((name) => [
    { pieces: [...value.pieces, `.${name}`], weight: 0.4 },
    { pieces: ['!', ...value.pieces, `.${name}`], weight: 0.35 },
  ])
}

const OF_MEMBERS: readonly (readonly [RegExp, string, number])[] = [
  [/^boolean/, '', 0.9],
  [/\|\s*undefined\b/, ' === undefined', 0.45],
  [/\|\s*null\b/, ' === null', 0.45],
  [/^number/, ' === 0', 0.3],
  [/^number/, ' > 0', 0.3],
  [/^number/, ' <= 0', 0.3],
  [/^string(?!\[)/, " === ''", 0.25],
  [/\[\]$/, '.length === 0', 0.4],
]

function ofMember(path: readonly Piece[], type: string): ExpressionDraft[] {
  const tests = OF_MEMBERS.filter(([of]) => of.test(type))
  const made = tests.map(([, text, weight]): ExpressionDraft => ({ pieces: [...path, text], weight }))
  if (/^boolean/.test(type)) made.push({ pieces: ['!', ...path], weight: 0.8 })
  for (const word of type.match(/'[^']*'/g) ?? []) {
    made.push({ pieces: [...path, ` === ${word}`], weight: 0.4 })
    made.push({ pieces: [...path, ` !== ${word}`], weight: 0.35 })
  }
  return made
}

function membersSeen(name: string, context: Context): Set<string> {
  const found = new Set<string>()
  for (const node of nodesIn(context.file.parsed.tree)) {
    const object = node.kind === 'member' && node.role !== 'callee' ? node.children[0] : undefined
    if (object?.kind === 'name' && object.name === name) found.add(node.name)
  }
  return found
}

const ORDERS = [' === ', ' < ', ' > ', ' !== ', ' >= ', ' <= ']

function pairs(names: readonly Value[]): ExpressionDraft[] {
  const plain = names.filter(({ guess }) => guess !== 'list' && guess !== 'record' && guess !== 'func')
  return plain.flatMap((a, at) =>
    plain
      .slice(at + 1, at + 4)
      .filter((b) => a.guess === b.guess)
      .flatMap((b) => {
        const ordered = a.guess === 'number' || a.guess === 'unknown'
        const ops = ordered ? ORDERS : [' === ', ' !== ']
        return ops.map((op) => ({ pieces: [...a.pieces, op, ...b.pieces], weight: 0.4 }))
      }),
  )
}

/** A parameter against a field of its object: `amount > this.balance`. */
function fieldPairs(at: Node, names: readonly Value[]): ExpressionDraft[] {
  const holder = above(at, 'class')
  if (holder === null) return []
  const used = nodesIn(above(at, 'func') ?? holder).filter(
    (node) => node.kind === 'member' && node.children[0]?.kind === 'self' && node.role !== 'callee',
  )
  const fields = [...new Set(used.map((node) => node.name))].slice(0, 4)
  const made: ExpressionDraft[] = []
  for (const value of names.slice(0, 4)) {
    if (value.guess === 'list' || value.guess === 'record' || value.guess === 'func') continue
    for (const field of fields) {
      for (const op of [' > ', ' < ', ' >= ', ' <= ', ' === ']) {
        made.push({ pieces: [...value.pieces, `${op}this.${field}`], weight: value.near * 0.72 })
      }
    }
  }
  return made
}

function ofFields(at: Node, context: Context): ExpressionDraft[] {
  const made: ExpressionDraft[] = []
  for (const field of fieldsAt(at, context).slice(0, 6)) {
    if (field.guess === 'boolean') {
      made.push({ pieces: field.pieces, weight: 0.7 }, { pieces: ['!', ...field.pieces], weight: 0.65 })
    }
    if (/\|\s*null\b/.test(field.type))
      for (const [op, weight] of [
        [' === ', 0.5],
        [' !== ', 0.5],
      ] as const)
        made.push({ pieces: [...field.pieces, `${op}null`], weight })
    if (field.guess === 'list')
      made.push(
        { pieces: [...field.pieces, '.length === 0'], weight: 0.5 },
        { pieces: [...field.pieces, '.length > 0'], weight: 0.4 },
      )
  }
  return made
}

/** Functions that answer yes or no. */
function ofCalls(at: Node, context: Context): ExpressionDraft[] {
  const made: ExpressionDraft[] = []
  for (const { pieces, weight, returns } of callsAt(at, context)) {
    if (!/^(boolean|\w+ is )/.test(returns)) continue
    made.push({ pieces, weight: 0.6 * weight }, { pieces: ['!', ...pieces], weight: 0.6 * weight })
  }
  const own = namesAt(at, context).slice(0, NAMES_MAX)
  for (const set of [...own, ...fieldsAt(at, context)]
    .filter(({ type }) => /\b(Set|Map)\b/.test(type))
    .slice(0, 4)) {
    for (const key of own
      .filter(({ guess }) => guess !== 'list' && guess !== 'record' && guess !== 'func')
      .slice(0, 4)) {
      for (const not of ['', '!'])
        made.push({ pieces: [not, ...set.pieces, '.has(', ...key.pieces, ')'], weight: 0.45 * key.near })
    }
  }
  return made
}

/** `error instanceof Fatal` */
function ofClasses(at: Node, names: readonly Value[]): ExpressionDraft[] {
  const caught = names.filter(
    ({ name, type }) => type === 'unknown' || find(at, name)?.node?.parent?.kind === 'catch',
  )
  const classes = visible(at).filter(
    ({ is, name }) => is === 'class' || (is === 'import' && /^[A-Z]/.test(name)),
  )
  return caught.flatMap((value) =>
    [...classes.map(({ name }): Piece => ({ ref: name })), 'Error'].map((name) => ({
      pieces: [...value.pieces, ' instanceof ', name],
      weight: 0.8,
    })),
  )
}

/** An option that the failing test gives: `options.strict`. */
function ofOptions(at: Node, context: Context): ExpressionDraft[] {
  return optionNames(at).flatMap((name) =>
    context.testKeys.flatMap((key) => [
      { pieces: [{ ref: name }, `.${key}`], weight: 0.8 },
      { pieces: ['!', { ref: name }, `.${key}`], weight: 0.75 },
    ]),
  )
}

const TEXTS_MAX = 16

/** A text against one that the file uses. */
function ofTexts(names: readonly Value[], context: Context): ExpressionDraft[] {
  const texts = textsOf(context)
  const made: ExpressionDraft[] = []
  for (const value of names
    .filter(({ guess, type }) => guess === 'string' || (guess === 'unknown' && !/[<[{]/.test(type)))
    .slice(0, 4)) {
    const rate = value.guess === 'string' ? 0.45 : 0.35
    for (const text of texts.slice(0, TEXTS_MAX)) {
      made.push({ pieces: [...value.pieces, ` === ${text}`], weight: rate * value.near })
      made.push({ pieces: [...value.pieces, ` !== ${text}`], weight: rate * 0.95 * value.near })
    }
  }
  return made
}

/** Short texts of the file, and the signs that it or the tests use. */
function textsOf(context: Context): string[] {
  const own = nodesIn(context.file.parsed.tree)
    .filter(({ kind, name }) => kind === 'string' && name.length <= 14 && name.length > 2)
    .map(({ name }) => name)
  const given = context.testLiterals.filter((text) => /^['"]/.test(text)).join('')
  const escaped = `${context.file.text}${given}`.match(/\\[nrt]/g) ?? []
  const signs = given.match(/[^\p{L}\p{N}\s'"`\\]/gu) ?? []
  const found = new Set([...own, ...[...escaped, ...signs].map((sign) => `'${sign}'`)])
  return [...found].sort((a, b) => a.length - b.length)
}

const TEST_MAX = 80

/** Conditions that stand elsewhere, as they are or with names that are in sight here. */
function seenIn(at: Node, context: Context): ExpressionDraft[] {
  const made: ExpressionDraft[] = []
  for (const [node, near] of nearNodes(at, context, CONDITIONS)) {
    const rate = conditionRate(node)
    const isAround = node.start <= at.start && at.end <= node.end
    if (rate === 0 || isAround || textOf(context.file, node).length > TEST_MAX) continue
    const loose = node.kind === 'logical' || node.kind === 'conditional'
    for (const { pieces, weight } of renamings(node, at, context))
      made.push({ pieces: loose ? ['(', ...pieces, ')'] : pieces, weight: 0.6 * near * weight * rate })
  }
  return made
}

/** 0 for what is no condition. */
function conditionRate(node: Node): number {
  if (node.role === 'test' && node.parent?.kind !== 'case') return 1
  return node.parent?.kind === 'logical' && node.kind !== 'logical' ? 0.8 : 0
}

const CONDITIONS: ReadonlySet<Node['kind']> = new Set([
  'binary',
  'logical',
  'call',
  'name',
  'member',
  'unary',
  'index',
])

/** A comparison of the same function with another number of the project: `year % 4 === 0`, `year % 400 === 0`. */
function withOtherNumber(at: Node, context: Context): ExpressionDraft[] {
  const func = above(at, 'func')
  if (func === null) return []
  const { comparisons } = context.profile
  const found = nodesIn(func).filter(
    (node) => node.kind === 'binary' && comparisons.includes(node.op) && isUsable(node, at),
  )
  const short = found.filter((node) => textOf(context.file, node).length <= 40)
  return short.flatMap((node) => {
    const places = nodesIn(node).filter(({ kind, name }) => kind === 'number' && name !== '0')
    return places.slice(0, 2).flatMap((place) =>
      context.numbers
        .filter((other) => other !== place.name)
        .map((other) => ({
          pieces: [{ start: node.start, end: place.start }, other, { start: place.end, end: node.end }],
          weight: 0.3,
        })),
    )
  })
}

function isUsable(node: Node, at: Node): boolean {
  const inSight = new Set(visible(at).map(({ name }) => name))
  return nodesIn(node).every(
    (found) =>
      found.kind !== 'name' ||
      found.role === 'property' ||
      found.role === 'key' ||
      inSight.has(found.name) ||
      find(found, found.name) === null,
  )
}
