// Words for people are shown, never asked: what a program goes by is a field of its own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Fields that hold sentences. */
const WORDS: ReadonlySet<string> = new Set([
  'reason',
  'why',
  'note',
  'pushNote',
  'outcome',
  'summary',
  'feedback',
  'lastError',
  'impact',
  'hint',
])
/** Bare names like these hold the output of other programs as often; as fields of ours they are sentences. */
const WORDS_AS_FIELD: ReadonlySet<string> = new Set([...WORDS, 'text', 'words'])
const ASKING: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'includes', 'match', 'search'])
/** Where words still decide. Entries may be taken away, never added. */
const LEFT: readonly string[] = []

interface Syntax {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const childrenOf = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax)
const nameOf = (node: unknown): string => (isSyntax(node) && 'name' in node ? String(node.name) : '')

/** Below brackets, `?.` and `?? ''` stands what is meant. */
function meantBy(node: Syntax): Syntax {
  const inner = node.expression ?? (node.type === 'LogicalExpression' ? node.left : undefined)
  return isSyntax(inner) ? meantBy(inner) : node
}

function holdsWords(node: unknown, asField: ReadonlySet<string>): boolean {
  if (!isSyntax(node)) return false
  const meant = meantBy(node)
  if (meant.type === 'MemberExpression') return asField.has(nameOf(meant.property))
  return meant.type === 'Identifier' && WORDS.has(nameOf(meant))
}

/** `item.reason.startsWith(…)` and `/…/.test(item.reason)`; to cut words into lines decides nothing. */
function asksWords({ type, callee, arguments: given }: Syntax): boolean {
  if (type !== 'CallExpression' || !isSyntax(callee) || callee.type !== 'MemberExpression') return false
  const called = nameOf(callee.property)
  if (ASKING.has(called)) return holdsWords(callee.object, WORDS_AS_FIELD) && isWrittenOut(given)
  // The text of a source file is read by patterns; whoever reads a sentence so has lost a field.
  return called === 'test' && Array.isArray(given) && holdsWords(given[0], WORDS)
}

/** A sentence or a pattern in the program itself; what is compared with other data is a search. */
function isWrittenOut(given: unknown): boolean {
  const [first] = Array.isArray(given) ? given : []
  if (!isSyntax(first)) return false
  if (first.type === 'Identifier') return /^[A-Z][A-Z0-9_]+$/.test(nameOf(first))
  return first.type === 'Literal' && !(typeof first.value === 'string' && /^\s*$/.test(first.value))
}

function placesIn(file: string, text: string): string[] {
  const found: string[] = []
  const walk = (node: Syntax): void => {
    if (asksWords(node)) found.push(`${file}: ${text.slice(node.start).split('\n', 1)[0]?.slice(0, 80)}`)
    childrenOf(node).forEach(walk)
  }
  walk(parseSync(file, text).program as unknown as Syntax)
  return found
}

test('nothing is decided by how words for people begin', () => {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/testing\/|\/conformance\//.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => placesIn(file, readFileSync(join(root, file), 'utf8')))
  expect(found.sort()).toEqual([...LEFT])
})

test.each([
  ["if ((item.reason ?? '').startsWith('push failed')) go()", 1],
  ['const flaky = warned.some(({ text }) => /^flaky:/.test(gate.why))', 1],
  ["sandbox.note.startsWith('confined')", 1],
  ['outcome?.startsWith(NOT_DONE)', 1],
  ["failed.why.split('\\n', 1)[0]", 0],
  ['summary.includes(file)', 0],
  ["line.startsWith('ok ')", 0],
])('%s is found %i times', (text, times) => {
  expect(placesIn('some.ts', text)).toHaveLength(times)
})
