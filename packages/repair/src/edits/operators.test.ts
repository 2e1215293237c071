import { expect, test } from 'vitest'
import { statementsOf } from '../localise/hits.ts'
import { sourceFor } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { makeEdits, operators } from './catalogue.ts'
import { contextsFor } from './context.ts'
import { type Context, sourceChanges } from './edit.ts'
import { applyChanges, changesByFile } from './patch.ts'
import { differencesOf } from './text-difference.ts'

/** All texts that one operator makes of a source. */
function texts(op: string, source: string, more: Partial<Context> = {}): string[] {
  const file = sourceFor('/project', 'src/a.ts', source, 0)
  if (file === null) throw new Error('no syntax')
  const contextOf = contextsFor({ root: '/project', files: [file], left: [], tests: [] }, [])
  const suspects = statementsOf(file).map((place) => ({
    ...place,
    score: 1,
    line: 1,
    failing: 1,
    passing: 0,
  }))
  const edits = makeEdits({ suspects, contextOf: (of) => ({ ...contextOf(of), ...more }), max: 100_000 })
  return edits
    .filter((edit) => edit.op === op)
    .map((edit) => applyChanges(source, changesByFile([edit]).get('src/a.ts')?.changes ?? []))
}

const inFunction = (body: string, params = 'a: number, b: number') =>
  `function f(${params}) {\n  ${body}\n}\n`

const hole = (name: string) => `$\{${name}}`
const TEXT = `\`${hole('b')} is\``

const table: [op: string, from: string, to: string, params?: string][] = [
  ['compare-boundary', 'return a < b', 'return a <= b'],
  ['compare-boundary', 'return a >= b', 'return a > b'],
  ['compare-direction', 'return a < b', 'return a > b'],
  ['compare-direction', 'return a === b', 'return a !== b'],
  ['compare-other', 'return a === b', 'return a >= b'],
  ['compare-off-by-one', 'return a < b', 'return a < b - 1'],
  ['compare-off-by-one', 'return a <= b', 'return a + 1 <= b'],
  ['arithmetic-operator', 'return a + b', 'return a - b'],
  ['arithmetic-operator', 'return a / b', 'return a * b'],
  ['arithmetic-order', 'return a - b', 'return b - a'],
  ['arithmetic-drop', 'return a + b', 'return a'],
  ['arithmetic-regroup', 'return a + b / 2', 'return (a + b) / 2'],
  ['arithmetic-regroup', 'return (a + b) * 2', 'return a + (b * 2)'],
  ['number-near', 'return a * 9', 'return a * 10'],
  ['number-near', 'return a * 9', 'return a * 8'],
  ['number-near', 'return a * 0.5', 'return a * 5'],
  ['boolean-flip', 'return true', 'return false'],
  ['regex-flag', "return s.replace(/\\s+/, '-')", "return s.replace(/\\s+/g, '-')", 's: string'],
  ['regex-sign', 'return /\\d/.test(s)', 'return /\\d+/.test(s)', 's: string'],
  ['regex-sign', 'return /\\d+/.test(s)', 'return /^\\d+/.test(s)', 's: string'],
  ['nothing-other', 'return null', 'return undefined'],
  ['connective', 'return a && b', 'return a || b'],
  ['connective', 'return a || b', 'return a ?? b'],
  ['negate', 'if (a) return b', 'if (!a) return b'],
  ['negate', 'if (!a) return b', 'if (a) return b'],
  ['drop-condition', 'if (a && b) return 1', 'if (a) return 1'],
  ['regroup-condition', 'return a && b || c', 'return a && (b || c)', 'a: boolean, b: boolean, c: boolean'],
  ['add-condition', 'if (a > 1) return b', 'if ((a > 1) && b === 0) return b'],
  ['swap-branches', 'return a ? 1 : 2', 'return a ? 2 : 1'],
  ['one-branch', 'return a > 1 ? a : b', 'return a'],
  ['other-name', 'return a + 1', 'return b + 1'],
  ['method-family', 'return Math.floor(a / b)', 'return Math.ceil(a / b)'],
  ['method-family', 'return xs.some((x) => x > 1)', 'return xs.every((x) => x > 1)', 'xs: number[]'],
  [
    'other-property',
    'return p.first + p.second',
    'return p.second + p.second',
    'p: { first: number; second: number }',
  ],
  ['more-or-less', 'return xs', 'return xs.length', 'xs: number[]'],
  ['join-name', 'return a', 'return a + b'],
  ['join-name', 'return s.slice(a)', 'return s.slice(a - s.length)', 's: string, a: number'],
  ['name-for-number', 'return a + 1', 'return a + b'],
  ['name-for-member', 'return p.total + b', 'return a + b', 'a: number, b: number, p: { total: number }'],
  ['keep-best', 'a = b', 'a = Math.max(a, b)'],
  ['out-of-call', 'return Math.round(a / b)', 'return Math.round(a) / b'],
  ['into-call', 'return Math.round(a) * b', 'return Math.round(a * b)'],
  [
    'put-in',
    'if (seen.has(a)) return 1\n  return 0',
    'if (seen.has(a)) return 1\n  seen.add(a)\n  return 0',
    'seen: Set<number>, a: number',
  ],
  ['fill-slot', 'all[a].push(b)', 'all[a] ??= []\n  all[a].push(b)', 'all: number[][], a: number, b: number'],
  ['early-throw', 'return g(a)', "if (a === 0) throw new Error('no zero')\n  return g(a)", 'a: number'],
  ['assign-operator', 'a += b', 'a -= b'],
  ['assign-operator', 'a = b', 'a += b'],
  ['assign-target', 'a = 1', 'b = 1'],
  ['update-operator', 'a++', 'a--'],
  ['argument-order', 'return f(a, b)', 'return f(b, a)'],
  ['drop-argument', 'return f(a, b)', 'return f(a)'],
  ['add-argument', 'return f(a)', 'return f(a, b)'],
  ['drop-call', 'return s.trim().length', 'return s.length', 's: string'],
  ['known-trap', 'return xs.sort()', 'return xs.sort((a, b) => a - b)', 'xs: number[]'],
  ['wrap', 'return a - b', 'return Math.abs(a - b)'],
  ['clamp', 'return a', 'return Math.min(b, a)'],
  ['tail', 'return s', 'return s.trim()', 's: string'],
  ['tail', 'return Object.keys(p) as string[]', 'return (Object.keys(p) as string[]).sort()', 'p: object'],
  ['link', "return s.split(',')", "return s.trim().split(',')", 's: string'],
  ['copy', 'return xs', 'return [...xs]', 'xs: number[]'],
  ['element-order', 'return { ...p, ...q }', 'return { ...q, ...p }', 'p: object, q: object'],
  ['off-by-one', 'return xs.slice(a)', 'return xs.slice(a + 1)', 'xs: number[], a: number'],
  ['minus', 'return -a', 'return a'],
  ['default', 'return p.size', 'return p.size ?? 0', 'p: { size?: number }'],
  ['optional-step', 'return p.q.r', 'return p.q?.r', 'p: { q?: { r: number } }'],
  ['default-value', 'return a ?? 1', 'return a ?? null'],
  ['early-return', 'return xs[0]', 'if (xs.length === 0) return undefined\n  return xs[0]', 'xs: number[]'],
  ['value-or-empty', 'return a / b', 'return b === 0 ? 0 : a / b'],
  ['wrap-in-if', 'g(a)', 'if (!a) g(a)'],
  ['drop-guard', 'if (a > 1) g(b)', 'g(b)'],
  ['missing-return', 'g(a)', 'return g(a)'],
  ['other-jump', 'for (;;) break', 'for (;;) continue'],
  ['throw-return', "return new Error('x')", "throw new Error('x')"],
  ['delete-statement', 'g(a)\n  return b', 'return b'],
  ['swap-statements', 'g(a)\n  h(b)', 'h(b)\n  g(a)'],
  ['copy-statement', 'g(a)\n  return b', 'g(a)\n  g(a)\n  return b'],
  ['add-assignment', 'return b', 'a = b\n  return b'],
  ['transplant', 'return g(b) + a', 'return g(b) + g(b)'],
  ['fill-condition', 'if (true) return a\n  return b', 'if (a > b) return a\n  return b'],
  ['fill-condition', 'if (false || a > 1) return b', 'if (b === 0 || a > 1) return b'],
  ['fill-condition', "if (true) return '*'", "if (part === '*') return '*'", 'part: string'],
  ['fill-condition', 'if (false) return b', 'if (!user.off) return b', 'user: { off: boolean }, b: number'],
  ['fill-list', 'return [a].concat([])', 'return [a].concat([b])'],
  [
    'fill-list',
    'return xs.map(([k, v]) => [])',
    'return xs.map(([k, v]) => [k, v])',
    'xs: [string, number][]',
  ],
  ['fill-record', 'g({ a, b })\n  h({})', 'g({ a, b })\n  h({ a, b })'],
  [
    'add-pair',
    'return { x: { one: 1, two: 2 }, y: { one: 1 } }',
    'return { x: { one: 1, two: 2 }, y: { one: 1, two: 2 } }',
  ],
  ['add-element', 'return [a]', 'return [a, b]'],
  ['shorthand-value', 'return { a }', 'return { a: b }'],
  ['fill-template', `if (a) return ${TEXT}\n  return \`\``, `if (a) return ${TEXT}\n  return ${TEXT}`],
  [
    'fill-function',
    'return xs.filter((x) => x > b).filter(() => undefined)',
    'return xs.filter((x) => x > b).filter((x) => x > b)',
    'xs: number[], b: number',
  ],
  [
    'fill-function',
    'return xs.some(() => undefined)',
    "return xs.some((item) => item.is === 'on')",
    "xs: { is: 'on' | 'off' }[]",
  ],
  ['narrow', 'return xs', 'return xs.filter((item) => item > b)', 'xs: number[], b: number'],
  [
    'order-for',
    'return xs.sort()',
    'return xs.sort((a, b) => order(a, b))',
    'xs: number[], order: (a: number, b: number) => number',
  ],
  ['add-statement', 'return xs', 'xs.push(a)\n  return xs', 'xs: number[], a: number'],
  ['add-statement', 'return seen', 'seen.delete(a)\n  return seen', 'seen: Set<number>, a: number'],
  [
    'add-statement',
    'return all',
    'all.set(a, b)\n  return all',
    'all: Map<number, number>, a: number, b: number',
  ],
  ['add-statement', 'return xs', 'xs.sort()\n  return xs', 'xs: number[]'],
  ['borrow-statement', 'if (a > 1) g(b)\n  return b', 'if (a > 1) g(b)\n  if (a > 1) g(b)\n  return b'],
  ['add-else', 'if (a > 1) a = 2\n  return b', 'if (a > 1) a = 2\n  else b = 2\n  return b'],
  [
    'fill-block',
    'if (xs.length > 1) {}',
    'if (xs.length > 1) {\n    xs.push(a)\n  }',
    'xs: number[], a: number',
  ],
  [
    'instead-of-jump',
    'for (const x of xs) { if (x > 1) continue }',
    'for (const x of xs) { if (x > 1) xs.push(x) }',
    'xs: number[]',
  ],
  ['name-for-literal', "return g('')", 'return g(s)', 's: string'],
  [
    'other-object',
    'return p.size',
    'return Math.max(p.size, q.size)',
    'p: { size: number }, q: { size: number }',
  ],
  [
    'clamp-by-call',
    'return a',
    'return Math.min(a, most(b))',
    'a: number, b: number, most: (b: number) => number',
  ],
  [
    'call-for-value',
    'return a > 31',
    'return a > most(b)',
    'a: number, b: number, most: (b: number) => number',
  ],
  ['unit', 'return Math.ceil(a / b)', 'return Math.ceil((a / b) * 1000)'],
  ['exchange-sums', 'return g(a, n - 1 - b)', 'return g(n - 1 - a, b)', 'a: number, b: number, n: number'],
  [
    'exchange-sums',
    'return g(a, n - 1 - b)',
    'return g(m - 1 - a, b)',
    'a: number, b: number, n: number, m: number',
  ],
  ['exchange-calls', 'return Math.max(Math.min(a, b), 1)', 'return Math.min(Math.max(a, b), 1)'],
  ['sign', 'return +a', 'return -a'],
  ['optional-function', 'g(a)', 'g?.(a)'],
  ['list-case', 'return a', 'if (Array.isArray(a)) return a.map((item) => f(item, b))\n  return a'],
  ['value-unless', 'return String(a)', 'return a instanceof Error ? a.message : String(a)'],
  ['value-unless', 'return a + 1', 'return b === 0 ? a : a + 1'],
  ['regex-look', 'return /a(?=b)/.test(s)', 'return /a(?!b)/.test(s)', 's: string'],
  ['tail', 'return xs', 'return xs.slice(0, a)', 'xs: number[], a: number'],
  ['wrap', 'return s', 'return decodeURIComponent(s)', 's: string'],
  ['check-first', "if (typeof a.b === 'object') g(a)", "if (a && typeof a.b === 'object') g(a)", 'a: any'],
  ['check-first', "if (typeof a !== 'object') g(a)", "if (!a || typeof a !== 'object') g(a)", 'a: any'],
  ['check-first', 'return a.x > 1 ? a : b', 'return a && a.x > 1 ? a : b', 'a: any, b: any'],
  ['check-first', 'return xs.some((x) => x.y > 1)', 'return xs.some((x) => x && x.y > 1)', 'xs: any[]'],
  ['else-if', 'if (a) g(a)\n  else {\n    h(b)\n  }', 'if (a) g(a)\n  else if (b === 0) {\n    h(b)\n  }'],
]

test.each(table)('%s: %s becomes %s', (op: string, from: string, to: string, params?: string) => {
  const more = op === 'early-throw' ? { testLiterals: ["'no zero'"] } : {}
  expect(texts(op, inFunction(from, params), more)).toContain(inFunction(to, params))
})

const cart = (opts: string, body: string) => `function f(s, ${opts}) {\n  ${body}\n}\n`

test('an option that the failing test gives is asked for', () => {
  const given = { testKeys: ['strict'] }
  const source = cart('options', 'if (s.length > 1) return s\n  const end = s.at(-1)\n  return end')
  expect(texts('add-condition', source, given)).toContain(
    source.replace('s.length > 1', '(s.length > 1) && !options.strict'),
  )
  expect(texts('option-first', source, given)).toContain(
    source.replace('s.at(-1)', 'options.strict || s.at(-1)'),
  )
  expect(texts('option-first', cart('other', 'return s.at(-1)'), given)).toEqual([])
})

test('a literal is changed where the text that came differs from the one that was waited for', () => {
  const came = differencesOf([
    failedWith(`'<link rel="alternative" href="/a">'`, `'<link rel="alternate" href="/a">'`),
  ])
  const source = `function f(a) {\n  return '<link rel="alternative" href="' + a + '">'\n}\n`
  expect(texts('text-by-difference', source, { differences: came })).toEqual([
    source.replace('alternative', 'alternate'),
  ])
  const missing = differencesOf([failedWith(`'Line 3 is too long'`, `'Line 3 is much too long'`)])
  const words = `function f(a) {\n  return \`Line ${hole('a')} is too long\`\n}\n`
  expect(texts('text-by-difference', words, { differences: missing })).toContain(
    words.replace('is too', 'is much too'),
  )
  expect(texts('text-by-difference', "function f() {\n  return 'x'\n}\n", { differences: came })).toEqual([])
})

function failedWith(actual: string, expected: string): TestResult {
  const failure = { name: 'AssertionError', message: 'no', stack: '', actual, expected }
  return { key: '1', name: 'a', module: 0, is: 'failed', hits: {}, failure } as unknown as TestResult
}

test('a pattern takes a sign, a word or a longer run of the tests', () => {
  const given = { testSigns: [',', '/'], testWords: ['Unary'] }
  const of = (pattern: string) => `function f(s) {\n  return ${pattern}.test(s)\n}\n`
  expect(texts('pattern-from-test', of('/[-:.]+/'), given)).toContain(of('/[-:.,]+/'))
  expect(texts('pattern-from-test', of('/[-:.]+/'), given)).toContain(of('/[-:.\\/]+/'))
  expect(texts('pattern-from-test', of('/(?:Call|New)Expression/'), given)).toContain(
    of('/(?:Call|New|Unary)Expression/'),
  )
  expect(texts('pattern-from-test', of('/^a{2}b c$/'), given)).toContain(of('/^a{2,}b c$/'))
  expect(texts('pattern-from-test', of('/^a{2}b c$/'), given)).toContain(of('/^a{2}b\\sc$/'))
})

test('the default that suits what is done with a value goes first', () => {
  const keys = 'function f(o) {\n  return Object.keys(o)\n}\n'
  const first = (source: string) => texts('default', source, { threwOnNothing: true })[0]
  expect(first(keys)).toBe(keys.replace('(o)\n', '(o ?? {})\n'))
  const spread = 'function f(o) {\n  return [...o]\n}\n'
  expect(first(spread)).toBe(spread.replace('...o', '...o ?? []'))
})

test('what is async gets and loses its await', () => {
  const source = 'async function f(g: () => Promise<number>) {\n  const a = g()\n  return a\n}\n'
  expect(texts('await', source)).toContain(source.replace('= g()', '= await g()'))
  expect(texts('drop-await', source.replace('= g()', '= await g()'))).toContain(source)
  const all = 'async function f(xs: number[]) {\n  return xs.map(async (x) => x)\n}\n'
  expect(texts('await-all', all)).toContain(
    all.replace('xs.map(async (x) => x)', 'await Promise.all(xs.map(async (x) => x))'),
  )
})

test('a caught error is thrown again under a condition', () => {
  const source =
    'class Fatal extends Error {}\nfunction f() {\n  try {\n    g()\n  } catch (error) {\n    h(error)\n  }\n}\n'
  expect(texts('throw-on', source)).toContain(
    source.replace('h(error)', 'if (error instanceof Fatal) throw error\n    h(error)'),
  )
})

test('what another method does is done here with the names that are in sight', () => {
  const source = `class C {
  one(name: string, entry: { once: boolean }) {
    if (entry.once) this.drop(name)
    this.run(entry)
  }
  two(name: string, other: { once: boolean }) {
    this.run(other)
  }
}
`
  expect(texts('borrow-statement', source)).toContain(
    source.replace('    this.run(other)', '    if (other.once) this.drop(name)\n    this.run(other)'),
  )
})

test('only the order is wrong: sorting comes first', () => {
  const hints = { outOfOrder: true, wantsSorted: true }
  const source = 'function f(xs: string[]) {\n  const ys = xs.slice()\n  return ys\n}\n'
  expect(texts('add-statement', source, hints)[0]).toContain('.sort()')
})

test('a text that the test expects is made of what the function knows', () => {
  const source = 'function f(name: string) {\n  return ``\n}\n'
  expect(texts('fill-template', source, { testLiterals: ["'ann'", "'ann is out'"] })).toContain(
    source.replace('``', `\`${hole('name')} is out\``),
  )
})

test('a sibling of the declared type joins in', () => {
  const source =
    'interface Line {\n  price: number\n  quantity: number\n}\nconst cost = (line: Line) => 1 + line.price\n'
  expect(texts('join-sibling', source)).toContain(source.replace('line.price', 'line.price * line.quantity'))
})

test('a missing step takes its default from what the test waits for', () => {
  const source = 'function f(p: { q?: { r?: string } }) {\n  return p.q.r\n}\n'
  const made = texts('optional-step', source, { expectedLiterals: ["'friend'"], threwOnNothing: true })
  expect(made).toContain(source.replace('p.q.r', "p.q?.r ?? 'friend'"))
})

test('a parameter gets a default after its annotation', () => {
  expect(texts('parameter-default', 'function f(a?: number) {\n  return a + 1\n}\n')).toContain(
    'function f(a: number = 0) {\n  return a + 1\n}\n',
  )
})

test('parameters change places, and a constructor takes its field over', () => {
  const source = 'class C {\n  size = 0\n  constructor(size: number) {\n  }\n}\n'
  expect(texts('assign-field', source)).toContain(source.replace('{\n  }', '{\n    this.size = size\n  }'))
  const swap = 'function f(a: number, b: string) {\n  g(a, b)\n}\n'
  expect(texts('parameter-order', swap)).toContain(
    swap.replace('a: number, b: string', 'b: string, a: number'),
  )
})

test('two statements of a sibling method are copied together', () => {
  const source = `class C {
  get() {
    return this.value
  }
  set() {
    this.a()
    this.b()
  }
}
`
  expect(texts('copy-run', source)).toContain(
    source.replace('    return', '    this.a()\n    this.b()\n    return'),
  )
})

test('a case that falls through gets its break', () => {
  const source =
    'function f(a: number) {\n  switch (a) {\n    case 1:\n      g()\n    default:\n      h()\n  }\n}\n'
  expect(texts('add-break', source)).toContain(source.replace('g()', 'g()\n      break'))
})

test('a value of the tests is marked as such', () => {
  const file = sourceFor('/project', 'src/a.ts', 'const f = () => 1\n', 0)
  if (file === null) throw new Error('no syntax')
  const contextOf = contextsFor({ root: '/project', files: [file], left: [], tests: [] }, [])
  const suspects = statementsOf(file).map((place) => ({
    ...place,
    score: 1,
    line: 1,
    failing: 1,
    passing: 0,
  }))
  const edits = makeEdits({
    suspects,
    contextOf: (of) => ({ ...contextOf(of), testLiterals: ['4711'] }),
    max: 1_000,
  })
  const special = edits.filter((edit) => edit.special)
  expect(special.map((edit) => sourceChanges(edit)[0]?.text)).toEqual(['4711'])
})

test('every operator has a name of its own and a prior', () => {
  expect(new Set(operators.map((operator) => operator.id)).size).toBe(operators.length)
  expect(operators.length).toBeGreaterThanOrEqual(45)
  expect(operators.every(({ prior }) => prior > 0 && prior <= 1)).toBe(true)
})

test.each(['hasOwnProperty', 'valueOf', 'toString', 'constructor'])(
  'a call of %s is guessed at like any other',
  (name) => {
    expect(() => texts('default-value', inFunction(`return a.${name}(b)`))).not.toThrow()
  },
)
