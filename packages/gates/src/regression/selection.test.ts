// Real projects, real runners: what was recorded, what is selected, what is run.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../../tools/env.ts'
import { unconfined } from '../run-command.ts'
import { runTests } from '../tests.ts'
import { checkRegression } from './check.ts'
import { collectMap } from './collect.ts'
import { refreshMap } from './refresh.ts'
import { rerunFailed } from './rerun.ts'
import { selectAffected } from './select.ts'

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const timeoutMs = 200_000

function setUp(files: Record<string, string>) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-regression-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'project')
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const edit = (name: string, find: string, replace: string): void => {
    const text = readFileSync(join(cwd, name), 'utf8')
    if (!text.includes(find)) throw new Error(`${name} has no ${find}`)
    write(name, text.replace(find, replace))
  }
  const env = { PATH: `${join(modules, '.bin')}:${toolEnv.path}`, HOME: dir }
  const options = {
    evidenceDir: join(dir, 'evidence'),
    env,
    tailBytes: 4_000,
    surroundings: unconfined('test'),
  }
  return { dir, cwd, options, folder: join(dir, 'maps'), write, edit }
}

const nodeTest = (body: string, imports = '') =>
  `import test from 'node:test'\nimport assert from 'node:assert'\n${imports}\ntest('it', () => { ${body} })\n`
const shapes = `
export const unit = 1
export function area(a, b) { return a * b * unit }
export function edge(a, b) { return 2 * (a + b) }
`
const nodeProject = {
  'package.json': '{ "type": "module" }',
  'data/table.json': '{ "three": 3 }',
  'src/shapes.js': shapes,
  'src/lone.js': 'export const lone = () => 1',
  'src/unused.js': 'export const unused = 1',
  'test/area.test.js': nodeTest('assert.equal(area(2, 3), 6)', `import { area } from '../src/shapes.js'`),
  'test/edge.test.js': nodeTest('assert.equal(edge(2, 3), 10)', `import { edge } from '../src/shapes.js'`),
  'test/data.test.js': nodeTest(
    `assert.equal(JSON.parse(readFileSync('data/table.json', 'utf8')).three, 3)`,
    `import { readFileSync } from 'node:fs'`,
  ),
  'test/json.test.js': nodeTest(
    'assert.equal(table.three, 3)',
    `import table from '../data/table.json' with { type: 'json' }`,
  ),
  'test/text.test.js': nodeTest(
    `assert.ok(text.includes('export'))`,
    `import { readFileSync } from 'node:fs'\nconst text = readFileSync(new URL('../src/lone.js', import.meta.url), 'utf8')`,
  ),
  'test/child.test.js': nodeTest(
    `assert.equal(String(execFileSync(process.execPath, ['-p', '1'])).trim(), '1')`,
    `import { execFileSync } from 'node:child_process'`,
  ),
  'test/lone.test.js': nodeTest(
    'assert.equal(lone(), 1)',
    `const { lone } = await import('../src/' + 'lone.js')`,
  ),
}

test('with node:test: each change selects the tests that ran or read what changed, and says why', async () => {
  const { cwd, options, write, edit } = setUp(nodeProject)
  const collected = await collectMap(options, { cwd, command: 'node --test', timeoutMs })
  if (collected.is === 'not_possible') throw new Error(collected.why)
  const { map } = collected
  expect(collected.result?.is).toBe('passed')
  expect(Object.keys(map.tests).sort()).toEqual(
    ['area', 'child', 'data', 'edge', 'json', 'lone', 'text'].map((name) => `test/${name}.test.js`),
  )

  const select = (changedFiles: readonly string[], failed: readonly string[] = []) => {
    const selection = selectAffected({ cwd, changedFiles, map, failed })
    return selection.is === 'everything'
      ? ['everything']
      : selection.tests.map(({ test: file }) => file.slice(5, -8))
  }
  const with1 = (name: string, find: string, replace: string, check: () => void) => {
    edit(name, find, replace)
    check()
    write(name, nodeProject[name as keyof typeof nodeProject])
  }
  expect(select([])).toEqual([])
  // The test that starts a process may depend on anything.
  with1('src/shapes.js', 'a * b', 'a + b', () =>
    expect(select(['src/shapes.js']).sort()).toEqual(['area', 'child']),
  )
  with1('src/shapes.js', '2 *', '3 *', () =>
    expect(select(['src/shapes.js']).sort()).toEqual(['child', 'edge']),
  )
  const diff = 'rename from old.js\n--- a/src/shapes.js\n+++ b/src/shapes.js\n@@ -1 +1 @@\n'
  const byDiff = selectAffected({ cwd, diff, map })
  expect(byDiff).toMatchObject({ is: 'everything', because: ['old.js was deleted'] })
  // The map sees a change that the caller did not name.
  with1('src/shapes.js', '2 *', '3 *', () => expect(select([]).sort()).toEqual(['child', 'edge']))
  with1('src/shapes.js', 'unit = 1', 'unit = 2', () =>
    expect(select(['src/shapes.js']).sort()).toEqual(['area', 'child', 'edge']),
  )
  with1('src/lone.js', '=> 1', '=> 2', () =>
    expect(select(['src/lone.js']).sort()).toEqual(['child', 'lone', 'text']),
  )
  with1('data/table.json', '3', '4', () =>
    expect(select(['data/table.json']).sort()).toEqual(['child', 'data', 'json']),
  )
  with1('src/unused.js', '1', '2', () => expect(select(['src/unused.js'])).toContain('child'))
  with1('src/shapes.js', '2 *', '3 *', () =>
    expect(select(['src/shapes.js'], ['test/lone.test.js'])).toEqual(['lone', 'edge', 'child']),
  )
})

test('what cannot be told selects everything, with the reason', async () => {
  const { cwd, options, write } = setUp(nodeProject)
  const collected = await collectMap(options, { cwd, command: 'node --test', timeoutMs })
  if (collected.is === 'not_possible') throw new Error(collected.why)
  const why = (changedFiles: string[], map = collected.map) => {
    const selection = selectAffected({ cwd, changedFiles, map })
    return selection.is === 'everything' ? selection.because.join() : selection.tests
  }
  write('src/style.css', '')
  write('src/shapes.ts', '')
  expect(why(['package.json'])).toMatch(/settings file/)
  expect(why(['package-lock.json'])).toMatch(/packages/)
  expect(why(['vitest.config.ts'])).toMatch(/settings file/)
  expect(why(['src/gone.js'])).toMatch(/deleted/)
  expect(why(['src/style.css'])).toMatch(/no test was seen to read it/)
  expect(why(['main.py'])).toMatch(/deleted|not code/)
  expect(why(['src/shapes.ts'])).toMatch(/in place of src\/shapes.js/)
  expect(why(['../other/a.js'])).toMatch(/outside/)
  // Without a map nobody knows who reads what; code goes by what is imported.
  const bare = selectAffected({ cwd, changedFiles: ['src/style.css'], map: null })
  expect(bare).toMatchObject({ is: 'everything' })
  const graph = selectAffected({ cwd, changedFiles: ['src/shapes.js'], map: null })
  expect(graph.is === 'subset' && graph.tests.map(({ test: file }) => file).sort()).toEqual(
    // The others import what they compute, read files or start processes.
    ['area', 'child', 'data', 'edge', 'lone', 'text'].map((name) => `test/${name}.test.js`),
  )
})

const vitestProject = {
  'package.json':
    '{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }',
  'src/shapes.ts': `export interface Shape { a: number; b: number }
export const unit: number = 1
export function area({ a, b }: Shape): number { return a * b * unit }
export const edge = ({ a, b }: Shape): number => 2 * (a + b)
export class Box { constructor(private readonly shape: Shape) {}
  get area() { return area(this.shape) }
  edge<T>(_?: T): number { return edge(this.shape) } }
`.replace(
    'constructor(private readonly shape: Shape) {}',
    'shape: Shape; constructor(shape: Shape) { this.shape = shape }',
  ),
  'src/index.ts': `export * from './shapes.ts'\n`,
  'test/area.test.ts': `import { expect, test } from 'vitest'\nimport { area } from '../src/index.ts'
test('area', () => { expect(area({ a: 2, b: 3 })).toBe(6) })\n`,
  'test/edge.test.ts': `import { expect, test } from 'vitest'\nimport { Box } from '../src/index.ts'
test('edge', () => { expect(new Box({ a: 2, b: 3 }).edge()).toBe(10) })\n`,
}

verifies(
  'LOOP-FLAW-5',
  'a regression check runs the failed tests and those that the change concerns, and no others, in a budget',
  async () => {
    const { cwd, options, folder, edit } = setUp(vitestProject)
    symlinkSync(modules, join(cwd, 'node_modules'), 'dir')
    const request = { cwd, command: 'npm test', timeoutMs, folder }
    const first = await refreshMap(options, request)
    expect(first).toMatchObject({ is: 'collected', result: { is: 'passed' } })
    // Nothing has changed: the map comes from the cache, and no test is run.
    expect(await refreshMap(options, request)).toMatchObject({ is: 'collected', result: null })

    edit('src/shapes.ts', '2 * (a + b)', '3 * (a + b)')
    const check = { ...request, changedFiles: ['src/shapes.ts'], budgetMs: timeoutMs }
    const broken = await checkRegression(options, check)
    expect(broken.selection).toEqual({
      is: 'subset',
      first: [],
      tests: [{ test: 'test/edge.test.ts', why: 'it runs a changed function of src/shapes.ts' }],
    })
    expect(broken.results).toMatchObject([
      { is: 'failed', evidence: { report: { total: 1 } }, failures: [{ file: 'test/edge.test.ts' }] },
    ])

    edit('src/shapes.ts', '3 * (a + b)', '2 * (b + a)')
    const repaired = await checkRegression(options, { ...check, failed: ['test/edge.test.ts'] })
    expect(repaired).toMatchObject({
      complete: true,
      results: [{ is: 'passed', evidence: { report: { total: 1 } } }],
    })

    const late = await checkRegression(options, { ...check, budgetMs: 0 })
    expect(late).toMatchObject({ complete: false, results: [], why: expect.stringMatching(/budget/) })

    // Only the test that ran the changed function is recorded again.
    const again = await refreshMap(options, request)
    expect(again).toMatchObject({ is: 'collected', result: { evidence: { report: { total: 1 } } } })
    expect(
      selectAffected({ cwd, changedFiles: [], map: again.is === 'collected' ? again.map : null }),
    ).toEqual({
      is: 'subset',
      first: [],
      tests: [],
    })
  },
)

test('tests that share their modules leave no map, and imports decide', async () => {
  const { cwd, options, folder, edit } = setUp(vitestProject)
  symlinkSync(modules, join(cwd, 'node_modules'), 'dir')
  const request = { cwd, command: 'vitest run --no-isolate', timeoutMs, folder }
  expect(await collectMap(options, request)).toMatchObject({ is: 'not_possible' })
  edit('src/shapes.ts', '2 * (a + b)', '3 * (a + b)')
  expect(selectAffected({ cwd, changedFiles: ['src/shapes.ts'], map: null })).toMatchObject({
    is: 'subset',
    tests: [{ test: 'test/area.test.ts' }, { test: 'test/edge.test.ts' }],
  })
})

test('a command that cannot be run in part is run whole', async () => {
  const { cwd, options, folder, edit } = setUp(nodeProject)
  edit('src/shapes.js', '2 *', '3 *')
  const command = 'true && node --test'
  expect(await collectMap(options, { cwd, command, timeoutMs })).toMatchObject({ is: 'not_possible' })
  const request = { cwd, command, folder, changedFiles: ['src/shapes.js'], budgetMs: timeoutMs }
  const checked = await checkRegression(options, request)
  expect(checked).toMatchObject({ complete: true, why: expect.stringMatching(/plain call/) })
  expect(checked.results).toMatchObject([{ is: 'failed', failures: [{ file: 'test/edge.test.js' }] }])
})

// Fails at first, then passes every time.
const flakyOnce = (count: string) => `
  import { existsSync, writeFileSync } from 'node:fs'
  import test from 'node:test'
  test('shaky', () => {
    if (existsSync(${JSON.stringify(count)})) return
    writeFileSync(${JSON.stringify(count)}, '')
    throw new Error('not this time')
  })
  test('steady', () => {})`

test('a test that fails and then passes on the same tree is flaky: a warning if it passed before, else it blocks', async () => {
  const { dir, cwd, options, write } = setUp({ 'package.json': '{ "type": "module" }' })
  const count = join(dir, 'count')
  write('shaky.test.js', flakyOnce(count))
  const command = 'node --test'
  const request = { cwd, command, timeoutMs }
  const result = await runTests(options, request)
  expect(result).toMatchObject({ is: 'failed', failures: [{ id: 'shaky.test.js > shaky' }] })
  const before = await rerunFailed(options, { ...request, result, base: () => ['passed'] })
  expect(before).toMatchObject({
    flaky: ['shaky.test.js > shaky'],
    tests: [{ is: 'flaky', blocks: false, now: ['failed', 'passed', 'passed'] }],
    result: {
      is: 'passed_with_warnings',
      warnings: [expect.stringContaining('flaky: shaky.test.js > shaky')],
    },
  })
  rmSync(count)
  const fresh = await runTests(options, request)
  const failedBefore = await rerunFailed(options, { ...request, result: fresh, base: () => ['failed'] })
  expect(failedBefore).toMatchObject({
    flaky: ['shaky.test.js > shaky'],
    tests: [{ is: 'flaky', blocks: true }],
    result: { is: 'failed', failures: [{ id: 'shaky.test.js > shaky' }] },
  })
})

test('a test that always fails stays failed, and a command that breaks is not excused', async () => {
  const { cwd, options } = setUp({
    'package.json': '{ "type": "module" }',
    'bad.test.js': `import test from 'node:test'\ntest('bad', () => { throw new Error('always') })`,
  })
  const request = { cwd, command: 'node --test', timeoutMs }
  const result = await runTests(options, request)
  const again = await rerunFailed(options, { ...request, result, base: () => ['passed'], times: 1 })
  expect(again).toMatchObject({
    flaky: [],
    tests: [{ is: 'regressed', now: ['failed', 'failed'] }],
    result: { is: 'failed' },
  })
  const spent = await rerunFailed(options, { ...request, result, base: () => ['passed'], budgetMs: 0 })
  expect(spent).toMatchObject({ reruns: [], tests: [{ is: 'regressed', now: ['failed'] }] })
  const crashed = await runTests(options, { ...request, command: 'exit 3' })
  expect(await rerunFailed(options, { ...request, command: 'exit 3', result: crashed })).toMatchObject({
    result: { is: 'failed' },
    reruns: [],
  })
})
