import { expect, test } from 'vitest'
import { judgeChanges } from './integrity.ts'

const blocking = (path: string, before: string | null, after: string): string[] =>
  judgeChanges([{ path, before, after }])
    .filter(({ blocks }) => blocks)
    .map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`)

const head = 'export const sum = (a, b) => a + b\n'

test.each<[code: string, said: RegExp]>([
  [`import assert from 'node:assert'\nassert.equal = () => {}`, /^src\/m\.js:3 assert\.equal is overwritten/],
  [`import * as a from 'assert/strict'\na['deepEqual'] = () => {}`, /is overwritten, which judges/],
  [`import { strict } from 'node:assert'\nstrict.equal = () => {}`, /strict\.equal is overwritten/],
  [`const { strict: assert } = require('node:assert')\nassert.ok = () => {}`, /assert\.ok is overwritten/],
  [`const assert = require('assert')\nassert.equal = () => {}`, /assert\.equal is overwritten/],
  [`require('assert').equal = () => {}`, /is overwritten/],
  [`globalThis.expect = () => new Proxy({}, {})`, /^src\/m\.js:2 globalThis\.expect is overwritten/],
  [`global.it = () => {}`, /global\.it is overwritten/],
  [`import assert from 'node:assert'\nObject.assign(assert, { equal() {} })`, /changed by Object\.assign/],
  [`Object.defineProperty(globalThis.expect, 'x', {})`, /changed by Object\.defineProperty/],
  [`jest.spyOn(expect, 'extend')`, /changed by jest\.spyOn/],
  [`expect.extend({ toBe: () => ({ pass: true }) })`, /expect\.extend changes what assertions mean/],
  [`import { expect } from 'vitest'\nexpect.extend({ toBe: () => ({ pass: true }) })`, /expect\.extend/],
  [`vi.mock('node:assert')`, /node:assert is mocked/],
  [`export function set() { globalThis.assert = () => {} }`, /globalThis\.assert is overwritten/],
  [`function one(expect) {}\nexpect.any = () => {}`, /expect\.any is overwritten/],
  [`process.exit = () => {}`, /process\.exit is overwritten/],
  [`process.exitCode = 0`, /process\.exitCode is set to success/],
  [`Object.defineProperty(process, 'exitCode', { get: () => 0 })`, /process is changed/],
  [`process.on('exit', () => { process.exitCode = 0 })`, /exit code/],
  [`process.once('beforeExit', function () { process.exit(0) })`, /exit code/],
  [`process.exit(0)`, /as soon as the file is loaded/],
])('code that disarms the tests is blocked, with the place: %s', (code, said) => {
  expect(blocking('src/m.js', head, `${head}${code}\n`).join('\n')).toMatch(said)
  expect(blocking('src/m.js', null, `${head}${code}\n`).join('\n')).toMatch(said)
  // What was there before is not of this change.
  expect(blocking('src/m.js', `${head}${code}\n`, `${head}${code}\nexport const more = 1\n`)).toEqual([])
})

test.each([
  `import assert from 'node:assert'\nexport const f = (x) => assert.ok(x)`,
  `const assert = (x) => x\nassert.strict = assert`,
  `function expect(token) {}\nexpect.next = 1`,
  `export function main() { process.exit(0) }`,
  `export function main() { process.exitCode = 1 }`,
  `process.on('exit', () => { clean() })`,
  `process.on('SIGTERM', () => { process.exit(0) })`,
  `Object.assign(options, { test: 1 })`,
  `const test = {}\ntest.name = 'x'`,
  `export function end(test, elapsed) { test.elapsed = elapsed }`,
  `for (const suite of suites) suite.open = false`,
  `function make() { const assert = (x) => x; return Object.assign(assert, { ok: assert }) }`,
  `each(tests, ({ test }) => { test.done = true })`,
])('code that does not is not blocked: %s', (code) => {
  expect(blocking('src/m.js', head, `${head}${code}\n`)).toEqual([])
})

test('a program may end itself', () => {
  expect(blocking('bin/run.js', null, 'await main()\nprocess.exit(0)\n')).toEqual([])
  expect(blocking('src/cli.ts', null, 'await main()\nprocess.exit()\n')).toEqual([])
})
