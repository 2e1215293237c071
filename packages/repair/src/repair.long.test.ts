// Searches that go on until nothing is left to try.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RepairOptions, repair } from './repair.ts'
import { nodeHead, writeFiles } from './scratch-project.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'repair-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files)

const run = (more: Partial<RepairOptions> = {}) =>
  repair({
    cwd: root,
    testCommand: null,
    budgetSeconds: 50,
    maxCandidates: 6_000,
    sandbox: { mode: 'auto' },
    ...more,
  })

test('two faults are mended by two edits together', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'page.ts': `export function page<T>(items: T[], number: number, size: number): T[] {
  return items.slice(number * size, number * size + size)
}
export function pages(items: unknown[], size: number): number {
  return Math.floor(items.length / size)
}
`,
    'page.test.ts': `${nodeHead}import { page, pages } from './page.ts'
test('pages count from one', () => {
  assert.deepEqual(page([1, 2, 3, 4, 5], 1, 2), [1, 2])
  assert.deepEqual(page([1, 2, 3, 4, 5], 3, 2), [5])
})
test('a partly filled page counts', () => assert.equal(pages([1, 2, 3], 2), 2))
test('full pages', () => assert.equal(pages([1, 2], 2), 1))
`,
  })
  const result = await run({ maxCandidates: 20_000 })
  expect(result.partial.length).toBeGreaterThan(0)
  // The first fault has two places of its own, so three edits may be needed; at least the parts are told.
  const parts = result.partial.map((partial) => partial.diff).join('\n')
  expect(`${parts}${result.patches[0]?.diff ?? ''}`).toContain('Math.ceil(items.length / size)')
})

test('what no small edit can do is said, with what was looked at', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'convert.ts':
      'export function convert(amount: number, _from: string, _to: string): number {\n  return amount\n}\n',
    'convert.test.ts': `${nodeHead}import { convert } from './convert.ts'
test('same', () => assert.equal(convert(5, 'EUR', 'EUR'), 5))
test('other', () => {
  assert.notEqual(convert(100, 'EUR', 'JPY'), 100)
  assert.ok(convert(100, 'EUR', 'JPY') > 1_000)
})
`,
  })
  const result = await run()
  expect(result).toMatchObject({ outcome: 'none', patches: [] })
  expect(result.suspicious).toContainEqual(expect.objectContaining({ file: 'convert.ts', line: 2 }))
  expect(result.candidates).toBeGreaterThan(50)
  expect(Object.keys(result.tried)).toContain('guard')
})

test('a search that is cancelled stops, and the next one goes on where it was', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'deep.ts': `export function deep(a: number, b: number, c: string): string {
  const left = Math.max(a * 2, b) + c.length
  const right = Math.min(left, a - b) * 3
  return c.slice(0, left).padEnd(right, c).trim()
}
`,
    'deep.test.ts': `${nodeHead}import { deep } from './deep.ts'\ntest('out of reach', () => assert.equal(deep(1, 2, 'x'), 'something else entirely'))\n`,
  })
  const progressFile = join(root, '.progress')
  const abort = new AbortController()
  const stopped = await repair(
    { cwd: root, testCommand: null, budgetSeconds: 50, progressFile, sandbox: { mode: 'auto' } },
    ({ candidates }) => {
      if (candidates >= 200) abort.abort()
    },
    abort.signal,
  )
  expect(stopped.outcome).toBe('none')
  expect(existsSync(progressFile)).toBe(true)
  const whole = await run()
  const rest = await run({ progressFile })
  expect(rest.candidates).toBeLessThanOrEqual(whole.candidates - 200)
  expect(existsSync(progressFile)).toBe(false)
})

test('a test that talks to a server of its own is searched fast, where the sandbox has a network of its own', async () => {
  write({
    'server.js': `const { createServer } = require('node:http')
exports.serve = () => createServer((request, response) => {
  response.statusCode = request.url === '/found' ? 404 : 200
  response.end(request.url)
})
`,
    'server.test.js': `const assert = require('node:assert')
const { get } = require('node:http')
const { test } = require('node:test')
const { serve } = require('./server.js')
const ask = (path) => new Promise((resolve) => {
  const server = serve().listen(0, '127.0.0.1', () => {
    get({ port: server.address().port, path, agent: false }, (response) => {
      response.resume()
      server.close(() => resolve(response.statusCode))
    })
  })
})
test('what is there', async () => assert.strictEqual(await ask('/found'), 200))
test('what is not there', async () => assert.strictEqual(await ask('/lost'), 404))
`,
  })
  const found = await run({ sandbox: { mode: 'required' }, budgetSeconds: 20, maxCandidates: 600 })
  expect(found).toMatchObject({ outcome: 'plausible', path: 'fast' })
  expect(found.patches[0]?.diff).toMatch(/\+.*(!==|404 : 200|200 : 404)/)
})
