// Literals: off by one, the other boolean, a flag of a pattern, a value used elsewhere.
import { type Node, nodesIn } from '../tree/node.ts'
import { type Context, type Operator, type Proposal, propose, replace } from './edit.ts'

function* literalsOf(context: Context, kind: Node['kind']): Generator<string> {
  const seen = new Set<string>()
  for (const node of nodesIn(context.file.parsed.tree)) {
    if (node.kind !== kind || seen.has(node.name) || node.name === '') continue
    seen.add(node.name)
    yield node.name
  }
}

function isRequest(node: Node): boolean {
  return node.parent?.kind === 'other' || node.role === 'key'
}

function* numbers(node: Node, context: Context): Generator<Proposal> {
  const value = Number(node.name.replaceAll('_', ''))
  if (!Number.isFinite(value)) return
  const write = (found: number) => (found < 0 ? `(${found})` : String(found))
  const near = Number.isInteger(value) ? [value + 1, value - 1] : []
  // A number that the test uses too may be there to suit it.
  const suits = (found: number) => found > 1 && context.testLiterals.includes(String(found))
  for (const found of near) yield propose(suits(found) ? 0.4 : 1, replace(node, write(found)))
  const far = [0, 1, -value, value * 10, value / 10, value * 100, value / 100, value * 1000, 2, -1]
  for (const found of far)
    if (found !== value && !near.includes(found)) yield propose(0.4, replace(node, write(found)))
}

const FLAG_WEIGHTS: Readonly<Record<string, number>> = { g: 1, i: 0.8, m: 0.5, u: 0.3, s: 0.4 }

function* regexFlags(node: Node, context: Context): Generator<Proposal> {
  const slash = node.name.lastIndexOf('/')
  const body = node.name.slice(0, slash + 1)
  const flags = node.name.slice(slash + 1)
  for (const flag of context.profile.regexFlags) {
    const other = flags.includes(flag) ? flags.replace(flag, '') : flags + flag
    yield propose(FLAG_WEIGHTS[flag] ?? 0.3, replace(node, body + other))
  }
}

/** The pattern with one sign changed. */
function* regexBody(node: Node): Generator<Proposal> {
  const slash = node.name.lastIndexOf('/')
  const body = node.name.slice(1, slash)
  const flags = node.name.slice(slash)
  const make = (found: string, weight: number) => propose(weight, replace(node, `/${found}${flags}`))
  yield make(body.startsWith('^') ? body.slice(1) : `^${body}`, 0.8)
  yield make(body.endsWith('$') ? body.slice(0, -1) : `${body}$`, 0.8)
  if (!body.startsWith('^') && !body.endsWith('$')) yield make(`^(?:${body})$`, 0.6)
  for (const found of body.matchAll(/(\\[dwsDWSb]|\[(?:\\.|[^\]])*\]|\\.|\.|\))([+*?]?)/g)) {
    const [, set = '', sign = ''] = found
    const before = body.slice(0, found.index)
    const after = body.slice(found.index + set.length + sign.length)
    for (const other of ['+', '*', '?', '']) if (other !== sign) yield make(before + set + other + after, 0.7)
    for (const [other, weight] of otherSets(set)) yield make(before + other + sign + after, weight)
  }
}

/** A look ahead or behind turned round, and a run of a set length. */
function* regexLooks(node: Node): Generator<Proposal> {
  for (const found of node.name.matchAll(/\(\?<?([=!])/g)) {
    const at = found.index + found[0].length - 1
    const other = found[1] === '=' ? '!' : '='
    yield propose(1, replace(node, node.name.slice(0, at) + other + node.name.slice(at + 1)))
  }
  for (const found of node.name.matchAll(/(\\[dwsDWS]|\])(?![+*?{])/g)) {
    const at = found.index + found[0].length
    for (const count of [2, 3, 4])
      yield propose(0.4, replace(node, `${node.name.slice(0, at)}{${count}}${node.name.slice(at)}`))
  }
}

/** Other sets that could stand for one sign of the text. */
function otherSets(set: string): (readonly [string, number])[] {
  if (set === '.') return [['\\.', 0.6]]
  if (/^\\[dwsDWS]$/.test(set))
    return [[set === set.toLowerCase() ? set.toUpperCase() : set.toLowerCase(), 0.4]]
  return set.startsWith('[') ? regexSet(set).map((other) => [other, 0.5] as const) : []
}

function regexSet(set: string): string[] {
  const inside = set.replace(/^\[\^?|\]$/g, '')
  const open = set.startsWith('[^') ? '[^' : '['
  const turned = open === '[' ? `[^${inside}]` : `[${inside}]`
  const wider = ['0-9', 'A-Z', 'a-z', '-', '_', '.'].filter((more) => !inside.includes(more))
  return [turned, ...wider.map((more) => (more === '-' ? `${open}${inside}-]` : `${open}${more}${inside}]`))]
}

function* strings(node: Node, context: Context): Generator<Proposal> {
  if (isRequest(node)) return
  const quote = node.name[0] ?? "'"
  const inner = node.name.slice(1, -1)
  for (const found of ['', ' ', ',', ', ', '-', '_', '/', '.', ':', '\\n']) {
    if (inner.length <= 2 && found !== inner) yield propose(0.6, replace(node, quote + found + quote))
  }
  const own = [...literalsOf(context, 'string')].filter((found) => !found.startsWith("'./"))
  const words = context.words.filter((found) => !own.includes(found))
  for (const found of [...own, ...words]) {
    if (found !== node.name) yield propose(words.includes(found) ? 0.6 : 0.8, replace(node, found))
  }
  const cases = [inner.toLowerCase(), inner.toUpperCase(), inner.trim(), `${inner} `, ` ${inner}`]
  for (const found of cases) if (found !== inner) yield propose(0.4, replace(node, quote + found + quote))
}

export const literals: readonly Operator[] = [
  { id: 'number-near', family: 'off-by-one', trust: 'token', prior: 0.75, on: ['number'], make: numbers },
  {
    id: 'number-elsewhere',
    family: 'literal',
    trust: 'token',
    prior: 0.25,
    on: ['number'],
    *make(node, context) {
      for (const found of literalsOf(context, 'number')) {
        if (found !== node.name) yield propose(1, replace(node, found))
      }
    },
  },
  { id: 'string-elsewhere', family: 'literal', trust: 'token', prior: 0.35, on: ['string'], make: strings },
  {
    id: 'literal-from-test',
    family: 'literal',
    trust: 'other',
    prior: 0.08,
    on: ['number', 'string'],
    *make(node, { testLiterals }) {
      if (isRequest(node)) return
      for (const found of testLiterals) {
        const isText = /^['"`]/.test(found)
        if (found !== node.name && isText === (node.kind === 'string')) {
          yield { ...propose(1, replace(node, found)), special: true }
        }
      }
    },
  },
  {
    id: 'boolean-flip',
    family: 'literal',
    trust: 'token',
    prior: 0.85,
    on: ['boolean'],
    *make(node) {
      yield propose(1, replace(node, node.name === 'true' ? 'false' : 'true'))
    },
  },
  { id: 'regex-flag', family: 'pattern', trust: 'token', prior: 0.8, on: ['regex'], make: regexFlags },
  { id: 'regex-sign', family: 'pattern', trust: 'token', prior: 0.4, on: ['regex'], make: regexBody },
  { id: 'regex-look', family: 'pattern', trust: 'token', prior: 0.4, on: ['regex'], make: regexLooks },
  {
    id: 'nothing-other',
    family: 'literal',
    trust: 'token',
    prior: 0.3,
    on: ['nothing'],
    *make(node) {
      for (const found of ['null', 'undefined', '0', "''", '[]', '{}', 'false', 'true', 'NaN']) {
        if (found !== node.name)
          yield propose(
            found === 'null' || found === 'undefined' ? 1 : 0.5,
            replace(node, found === '{}' ? '({})' : found),
          )
      }
    },
  },
  {
    id: 'empty-start',
    family: 'literal',
    trust: 'token',
    prior: 0.35,
    on: ['list', 'number', 'string'],
    *make(node) {
      // The start of an accumulator.
      const isStart = node.parent?.kind === 'declarator' || node.role === 'arg'
      const isEmpty =
        node.children.length === 0 &&
        ['[]', '0', '1', "''", '""'].includes(node.name === '' ? '[]' : node.name)
      if (!isStart || !isEmpty) return
      for (const found of ['Number.NEGATIVE_INFINITY', 'Number.POSITIVE_INFINITY', '[]', '0', '1', "''"]) {
        if (found !== node.name) yield propose(0.6, replace(node, found))
      }
    },
  },
]
