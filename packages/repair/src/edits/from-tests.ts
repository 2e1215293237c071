// Edits that a failing test spells out: the text that it waits for in the place of the one that came, an option that it
// gives, a sign that a pattern has to take.
import { isValue, type Node } from '../tree/node.ts'
import { visible } from '../tree/scope.ts'
import { type Context, group, type Operator, operand, type Proposal, propose, replace } from './edit.ts'
import type { TextDifference } from './text-difference.ts'

/** Letters around the difference that the literal must share with what came. */
const SHARED_MIN = 3

/**
 * The literal that the text came from, with the part changed that the test wants otherwise. If it is then a text of the
 * test as a whole, it may be the answer to that test alone.
 */
function* byDifference(node: Node, context: Context): Generator<Proposal> {
  const text = context.file.text.slice(node.start, node.end)
  const inTests = new Set(context.testLiterals.map((literal) => literal.slice(1, -1)))
  for (const each of context.differences) {
    if (/[\\'"`$\n]/.test(each.wanted)) continue
    for (const { at, shared } of placesIn(text.slice(1, -1), each)) {
      const start = node.start + 1 + at
      const weight = Math.min(2, 0.5 + shared / 8)
      const whole = text.slice(1, at + 1) + each.wanted + text.slice(at + 1 + each.came.length, -1)
      const change = replace({ start, end: start + each.came.length }, each.wanted)
      yield { ...propose(weight, change), special: inTests.has(whole) }
    }
  }
}

/** Where in the literal the text that came may stand, with how much around it is the same. */
function placesIn(
  literal: string,
  { before, after, came }: TextDifference,
): { at: number; shared: number }[] {
  const found: { at: number; shared: number }[] = []
  for (let at = 0; at + came.length <= literal.length; at += 1) {
    if (!literal.startsWith(came, at)) continue
    const head = sharedEnd(literal.slice(0, at), before)
    const tail = sharedStart(literal.slice(at + came.length), after)
    const shared = head + tail + came.length
    if (shared >= SHARED_MIN) found.push({ at, shared })
  }
  return found.sort((a, b) => b.shared - a.shared).slice(0, 2)
}

function sharedEnd(one: string, other: string): number {
  let count = 0
  while (count < Math.min(one.length, other.length) && one.at(-1 - count) === other.at(-1 - count)) count += 1
  return count
}

function sharedStart(one: string, other: string): number {
  let count = 0
  while (count < Math.min(one.length, other.length) && one[count] === other[count]) count += 1
  return count
}

const OPTIONS = /^(opts?|options?|config|cfg|settings|params|props|flags)$/i
const KEYS_MAX = 6
const TAKES: ReadonlySet<Node['kind']> = new Set(['declarator', 'assign', 'pair', 'return'])

/** Names of options in sight here. */
export function optionNames(at: Node): string[] {
  return visible(at)
    .filter(({ name, is }) => OPTIONS.test(name) && is !== 'import')
    .map(({ name }) => name)
    .slice(0, 2)
}

/** `options.fallback || value`: what a test gives by name goes before what was there. */
function* optionFirst(node: Node, context: Context): Generator<Proposal> {
  const isTaken = node.role === 'value' && TAKES.has(node.parent?.kind ?? 'other')
  if (!isValue(node) || !isTaken) return
  for (const name of optionNames(node)) {
    for (const key of context.testKeys.slice(0, KEYS_MAX)) {
      const option = [{ ref: name }, `.${key}`]
      yield propose(1, replace(node, ...group(node, ...option, ' || ', ...operand(node))))
      yield propose(0.6, replace(node, ...group(node, ...option, ' ?? ', ...operand(node))))
    }
  }
}

const SIGNS_MAX = 8

/** A sign of the tests in a set of a pattern, a word of theirs beside the words of a group, a run made longer. */
function* patternFromTest(node: Node, context: Context): Generator<Proposal> {
  const slash = node.name.lastIndexOf('/')
  const body = node.name.slice(1, slash)
  const signs = context.testSigns.slice(0, SIGNS_MAX)
  for (const { at, end, text, weight } of [
    ...widerSets(body, signs),
    ...longerRuns(body),
    ...moreWords(body, context.testWords, signs),
  ])
    yield propose(
      weight,
      replace(node, `/${body.slice(0, at)}${text}${body.slice(end)}${node.name.slice(slash)}`),
    )
}

interface PatternChange {
  readonly at: number
  readonly end: number
  readonly text: string
  readonly weight: number
}

function widerSets(body: string, signs: readonly string[]): PatternChange[] {
  return [...body.matchAll(/\[\^?((?:\\.|[^\]\\])*)\]/g)].flatMap((set) => {
    const end = set.index + set[0].length - 1
    const missing = signs.filter((sign) => !(set[1] ?? '').includes(sign))
    return missing.map((sign) => ({ at: end, end, text: escapedSign(sign), weight: 1 }))
  })
}

function longerRuns(body: string): PatternChange[] {
  const runs = [...body.matchAll(/\{(\d+)\}/g)].map((run) => {
    return { at: run.index, end: run.index + run[0].length, text: `{${run[1]},}`, weight: 0.8 }
  })
  const spaces = [...body.matchAll(/(?<!\\) /g)].map(({ index }) => {
    return { at: index, end: index + 1, text: '\\s', weight: 0.7 }
  })
  return [...runs, ...spaces]
}

/** In each group, and for the whole. */
function moreWords(body: string, words: readonly string[], signs: readonly string[]): PatternChange[] {
  const groups = [...body.matchAll(/(?<!\\)\)(?![*+?{])/g)].map(({ index }) => index)
  const inGroups = groups.flatMap((at) => [
    ...words.map((word) => ({ at, end: at, text: `|${word}`, weight: 0.5 })),
    { at: at + 1, end: at + 1, text: '?', weight: 0.4 },
  ])
  const at = body.length
  const others = [...words, ...signs.map(escapedSign)]
  return [...inGroups, ...others.map((other) => ({ at, end: at, text: `|${other}`, weight: 0.3 }))]
}

function escapedSign(sign: string): string {
  return /[\\\]^$.*+?()[{}|/-]/.test(sign) ? `\\${sign}` : sign
}

export const fromTests: readonly Operator[] = [
  {
    id: 'text-by-difference',
    family: 'literal',
    trust: 'token',
    prior: 0.9,
    on: ['string', 'template'],
    make: byDifference,
  },
  {
    id: 'option-first',
    family: 'default',
    trust: 'other',
    prior: 0.3,
    on: ['name', 'member', 'call', 'string', 'number', 'boolean', 'list', 'record', 'template'],
    make: optionFirst,
  },
  {
    id: 'pattern-from-test',
    family: 'pattern',
    trust: 'other',
    prior: 0.35,
    on: ['regex'],
    make: patternFromTest,
  },
]
