import { expect, test } from 'vitest'
import { keyOf } from './capability.ts'
import { readScript } from './read-script.ts'

function read(text: string, path = 'src/a.ts'): string[] {
  const reading = readScript(path, text)
  return reading.is === 'read' ? [...reading.capabilities.values()].map(keyOf) : [reading.why]
}

test.each<[code: string, found: string]>([
  ['export const a = process.env.HOME', 'environment: process.env.HOME'],
  ['const { argv } = process\nexport const a = argv', 'arguments: process.argv'],
  [`import { env } from 'node:process'\nexport const a = env.X`, 'environment: process.env'],
  [`import p from 'process'\nexport const a = p.argv`, 'arguments: process.argv'],
  ['export const a = Date.now()', 'clock: Date.now'],
  ['export const a = new Date()', 'clock: new Date()'],
  ['export const a = new Date(...[])', 'clock: new Date()'],
  ['export const a = [Date][0]', 'globals: Date as a value'],
  ['export const a = Math.random()', 'randomness: Math.random'],
  ['export const a = new Error().stack', 'call stack: .stack'],
  ['export function f({ stack }) { return stack }', 'call stack: .stack'],
  [`import { getCallSites } from 'node:util'\ngetCallSites()`, 'call stack: util.getCallSites'],
  [`import util from 'util'\nutil.inspect(1)`, 'call stack: util.inspect'],
  [`import { readFileSync } from 'node:fs'\nreadFileSync('x')`, 'files: import fs'],
  [`const { get } = require('https')\nget('x')`, 'network: import https'],
  [`export const a = await import('./b.js')`, 'module system: import(./b.js)'],
  ['export const f = (n) => require(n)', 'module system: require() of a computed name'],
  [`process.getBuiltinModule('node:assert').equal = () => {}`, 'module system: process.getBuiltinModule'],
  [`module.constructor._load('node:assert')`, 'reflection: .constructor'],
  ['Object.is = () => true', 'patch: writes Object.is'],
  ['({ is: Object.is } = { is: () => true })', 'patch: writes Object.is'],
  ['for (Object.is of [() => true]) break', 'patch: writes Object.is'],
  ['[Array][0].prototype.at = () => 1', 'patch: writes [Array][0].prototype.at'],
  ['Array.prototype.at = () => 1', 'patch: writes Array.prototype.at'],
  ['Object.assign(JSON, {})', 'patch: Object.assign on what is not its own'],
  [`import { x } from './x.js'\nx.y = 1`, 'patch: writes x.y'],
  ['export const a = { valueOf: () => 1 }', 'protocol: defines valueOf'],
  ['export class A { [Symbol.toPrimitive]() {} }', 'protocol: Symbol.toPrimitive'],
  ['export class A extends Number {}', 'protocol: extends Number'],
  ['export const a = new Proxy({}, {})', 'reflection: Proxy'],
  [`export const a = (() => {})['const' + 'ructor']`, 'computed name: a member put together from text'],
  [`const k = 'constructor'\nexport const f = (x) => x[k]`, `computed name: 'constructor'`],
  [`export const a = (0, eval)('1')`, 'code from text: eval'],
  ['export const a = fetch("x")', 'network: fetch'],
  ['export const a = whoKnows()', 'globals: unknown name whoKnows'],
  [`import { x } from 'left-pad'\nx()`, 'package: import left-pad'],
  ['export const a = expect', 'test runner: expect'],
  ['export const a = process.env.VITEST', 'asks for the runner: VITEST'],
  [`export const f = (env) => 'NODE_TEST_CONTEXT' in env`, 'asks for the runner: NODE_TEST_CONTEXT'],
  ['const { JEST_WORKER_ID: w } = process.env\nexport { w }', 'asks for the runner: JEST_WORKER_ID'],
  [`export const f = (s) => s.includes('.treadle')`, 'test runner: looks for .treadle'],
  ['export const a = (function () { return this })()', 'globals: this of a bare call'],
  ['function g() { return this }\nmodule.exports = g()', 'globals: this of a bare call'],
  ['function g() { return this.process }\nmodule.exports = g()', 'globals: this.process'],
  [`const k = 'stack'\nexport const f = (e) => e[k]`, `computed name: 'stack'`],
  [`export const a = { '@@__IMMUTABLE_ITERABLE__@@': true }`, 'protocol: defines @@__IMMUTABLE_ITERABLE__@@'],
  // A name that is declared elsewhere in the file is still the global here.
  ['function g(process) { return process }\nexport const a = process.env.A', 'environment: process.env.A'],
  ['declare const process: any\nexport const a = process.env.A', 'environment: process.env.A'],
  ['// @jsx h\nexport {}', 'directive: @jsx h'],
])('%s', (code, found) => {
  expect(read(code)).toContain(found)
})

test.each<[code: string, path?: string]>([
  ['export const add = (a: number, b: number): number => a + b'],
  [`import type { Stats } from 'node:fs'\nexport type A = Stats`],
  ['interface Process { env: string }\nexport const f = (p: Process) => p.env'],
  ['export function f(process) { return process.env }'],
  ['export const f = (xs) => xs.map(Number).filter(Boolean)'],
  ['export const d = new Date(0), e = new Date(2020, 1)'],
  [`import { join } from 'node:path'\nexport const p = join('a', 'b')`],
  [
    'function Own() { this.x = 1 }\nOwn.prototype.y = function () { return this }\nmodule.exports = Own',
    'src/a.js',
  ],
  ['class Own {}\nOwn.prototype.x = 1\nexport { Own }'],
  ['module.exports = { a: 1 }\nexports.b = 2', 'src/a.js'],
  ['export class E extends Error { constructor(m) { super(m); this.name = "E" } }'],
  [
    'export const A = ({ x }) => <p title="the test page">{x.map((y) => <b key={y}>{y}</b>)}</p>',
    'src/a.jsx',
  ],
  ['export const has = (o, k) => Object.prototype.hasOwnProperty.call(o, k)'],
  ['enum Color { Red }\nnamespace N { export const a = Color.Red }\nexport { N }'],
  [
    'export function f(a: string): string\nexport function f(b: number): number\nexport function f(c: any) { return c }',
  ],
  ['export abstract class A { abstract run(step: number): void }'],
  [`export const safe = (key: string) => key !== '__proto__'`],
])('%s brings nothing', (code, path) => {
  expect(read(code, path)).toEqual([])
})

test('the script of a component is read at its own lines', () => {
  const reading = readScript(
    'a.vue',
    '<template>\n<p/>\n</template>\n<script lang="ts">\nlet a: number = Date.now()\n</script>\n',
  )
  expect(reading).toMatchObject({ is: 'read' })
  expect(reading.is === 'read' && [...reading.capabilities.values()]).toEqual([
    { rule: 'clock', what: 'Date.now', line: 5 },
  ])
})

test('what does not parse is unreadable, and so is what is nested without end', () => {
  expect(readScript('a.ts', 'const = ((').is).toBe('unreadable')
  expect(
    readScript('a.ts', `export default ${'-'.repeat(1)}${'('.repeat(30_000)}1${')'.repeat(30_000)}`).is,
  ).toBe('unreadable')
})
