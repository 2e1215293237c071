// Assertions that hold a value against another, in the words of the libraries that people use.
import { isSyntax, type Syntax } from '../tree/convert.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A call that holds what was seen against what is expected. */
export interface Equality {
  /** The whole call. */
  readonly whole: Span
  /** The expression that is looked at. */
  readonly seen: Syntax
  readonly expected: Span
  /** The last word of what is called, such as `toBe` or `equal`. */
  readonly word: Span & { readonly text: string }
  readonly form: 'expect' | 'chai' | 'assert' | 'should'
  /** What stands between what is seen and that word; of an `assert`, what stands before it. */
  readonly chain: Span
}

const JEST = new Set(['toBe', 'toEqual', 'toStrictEqual'])
const CHAI = new Set(['equal', 'equals', 'eq', 'eql', 'eqls'])
const ELSEWHERE = new Set(['not', 'resolves', 'rejects'])
const ASSERT = new Set(['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual'])
/** The word for values that are compared part by part, by the word for those that are the same. */
const DEEP: Readonly<Record<string, string>> = {
  toBe: 'toEqual',
  equal: 'deepEqual',
  strictEqual: 'deepStrictEqual',
}

export function equalityIn(node: unknown): Equality | null {
  if (!isSyntax(node) || node.type !== 'CallExpression') return null
  const args = node.arguments as readonly Syntax[]
  return ofAssert(node, args) ?? ofChain(node, args)
}

/** `assert.equal(seen, expected)`, `equal(seen, expected)`. */
function ofAssert(node: Syntax, args: readonly Syntax[]): Equality | null {
  const [seen, expected] = args
  const word = wordOf(node.callee)
  if (seen === undefined || expected === undefined || word === null || !ASSERT.has(word.text)) return null
  const holder = isSyntax(node.callee) && node.callee.type === 'MemberExpression' ? node.callee.object : null
  if (holder !== null && !/^(assert|strict|t)$/.test(wordOf(holder)?.text ?? '')) return null
  return { whole: node, seen, expected, word, form: 'assert', chain: { start: node.start, end: word.start } }
}

/** `expect(seen).toBe(expected)`, `expect(seen).to.deep.equal(expected)`, `seen.should.equal(expected)`. */
function ofChain(node: Syntax, args: readonly Syntax[]): Equality | null {
  const [expected] = args
  const word = wordOf(node.callee)
  if (expected === undefined || word === null || !isSyntax(node.callee)) return null
  const { root, words } = chainOf(node.callee)
  if (words.some((each) => ELSEWHERE.has(each))) return null
  if (isExpect(root)) {
    const [seen] = root.arguments as readonly Syntax[]
    if (seen === undefined) return null
    const found = { whole: node, seen, expected, word, chain: { start: root.end, end: word.start } }
    if (words.length === 1 && JEST.has(word.text)) return { ...found, form: 'expect' }
    return words[0] === 'to' && CHAI.has(word.text) ? { ...found, form: 'chai' } : null
  }
  const at = words.indexOf('should')
  if (at < 0 || !CHAI.has(word.text)) return null
  const seen = below(node.callee, words.length - at)
  if (seen === null) return null
  return { whole: node, seen, expected, word, form: 'should', chain: { start: seen.end, end: word.start } }
}

function isExpect(root: Syntax): boolean {
  return root.type === 'CallExpression' && wordOf(root.callee)?.text === 'expect'
}

/** The expression at the bottom of a chain of members, and the names above it. */
function chainOf(callee: Syntax): { root: Syntax; words: string[] } {
  const words: string[] = []
  let at = callee
  while (at.type === 'MemberExpression' && at.computed !== true && isSyntax(at.object)) {
    words.unshift(wordOf(at)?.text ?? '')
    at = at.object
  }
  return { root: at, words }
}

function below(callee: Syntax, levels: number): Syntax | null {
  let at = callee
  for (let level = 0; level < levels; level += 1) {
    if (!isSyntax(at.object)) return null
    at = at.object
  }
  return at
}

function wordOf(node: unknown): (Span & { readonly text: string }) | null {
  if (!isSyntax(node)) return null
  const word = node.type === 'MemberExpression' ? node.property : node
  if (!isSyntax(word) || word.type !== 'Identifier') return null
  return { start: word.start, end: word.end, text: String(word.name) }
}

/** Whether a statement does nothing but check: it is no part of what another assertion needs. */
export function isCheck(node: unknown): boolean {
  if (equalityIn(node) !== null) return true
  if (!isSyntax(node)) return false
  if (node.type === 'AwaitExpression') return isCheck(node.argument)
  if (node.type !== 'CallExpression' && node.type !== 'MemberExpression') return false
  const callee = node.type === 'CallExpression' ? node.callee : node
  if (!isSyntax(callee)) return false
  const { root, words } = chainOf(callee)
  return isExpect(root) || wordOf(root)?.text === 'assert' || words.includes('should')
}

const isPlain = (answer: string): boolean => !/^[[{]|^new /.test(answer)

/** The same assertion about another expression, with another value expected. */
export function worded(
  { form, word, chain }: Equality,
  text: string,
  changed: string,
  answer: string,
): string {
  const seen = changed.trim()
  const before = text.slice(chain.start, chain.end)
  if (thrownIn(answer) !== null) {
    const act = `() => ${seen.startsWith('{') ? `(${seen})` : seen}`
    if (form === 'assert') return `${before}throws(${act})`
    if (form === 'expect') return `expect(${act}).toThrow()`
    return form === 'chai' ? `expect(${act}).to.throw()` : `(${act}).should.throw()`
  }
  const own = isPlain(answer) ? word.text : deepWord(form, word.text)
  if (form === 'assert') return `${before}${own}(${seen}, ${answer})`
  return `${form === 'should' ? seen : `expect(${seen})`}${before}${own}(${answer})`
}

function deepWord(form: Equality['form'], word: string): string {
  if (form === 'chai' || form === 'should') return 'eql'
  return DEEP[word] ?? word
}

/** The error in an answer that says that one is thrown. */
function thrownIn(answer: string): string | null {
  return /^throws (.*)$/s.exec(answer)?.[1] ?? null
}
