import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFiles } from '../scratch-project.ts'
import { listSources, scopedTests } from './files.ts'
import { readTestCommand, splitCommands } from './test-command.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'test-command-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const TEST = "describe('a', () => it('b', () => undefined))\n"
const TABLE = "require('../lib/tester').run('a', [1, 2])\n"

function testsOf(command: string | null): string[] {
  return scopedTests(root, readTestCommand(root, command), listSources(root))
}

test.each([
  [
    "A=1 B='2 3' mocha a.js && node --test",
    [
      ['mocha', 'a.js'],
      ['node', '--test'],
    ],
  ],
  [`jest "src/a b" 'c\\d' e\\ f`, [['jest', 'src/a b', 'c\\d', 'e f']]],
  ['', []],
])('%s is parted as a shell would', (command, words) => {
  expect(splitCommands(command)).toEqual(words)
})

test('a file that the command names is a test, whatever is in it, and no other is taken for it', () => {
  writeFiles(root, { 'checks/table.js': TABLE, 'test/table.js': TABLE, 'test/other.js': TEST })
  expect(testsOf('mocha test/table.js')).toEqual(['test/table.js'])
  expect(testsOf('mocha --require @babel/register ./checks/table')).toEqual(['checks/table.js'])
  expect(testsOf('node checks/table.js')).toEqual(['checks/table.js'])
  expect(testsOf(null)).toEqual(['test/other.js'])
})

test('scripts of the package are read, with what is given to them', () => {
  const scripts = {
    test: 'npm run lint && npm run unit',
    lint: 'eslint .',
    unit: 'mocha test/a.js',
    one: 'mocha',
  }
  writeFiles(root, {
    'package.json': JSON.stringify({ scripts }),
    'test/a.js': TEST,
    'test/b.js': TEST,
    'test/deep/c.js': TEST,
  })
  for (const command of ['npm test', 'npm t', 'yarn test', 'pnpm run test', 'npm --silent run unit'])
    expect(testsOf(command)).toEqual(['test/a.js'])
  expect(testsOf('npm run one -- test/b.js')).toEqual(['test/b.js'])
  expect(testsOf('yarn one test/b.js')).toEqual(['test/b.js'])
  expect(testsOf('npm run one')).toEqual(['test/a.js', 'test/b.js'])
  expect(testsOf('mocha --recursive')).toEqual(['test/a.js', 'test/b.js', 'test/deep/c.js'])
})

test('folders, patterns and parts of a path name tests; fixtures in a folder are none', () => {
  writeFiles(root, {
    'src/sum.test.ts': TEST,
    'src/deep/mul.spec.ts': TEST,
    'src/sum.ts': 'export const a = 1\n',
    'test/fixtures/a.js': 'module.exports = 1\n',
    'test/a.js': TEST,
  })
  expect(testsOf('mocha test')).toEqual(['test/a.js'])
  expect(testsOf('vitest run src/**/*.{test,spec}.ts')).toEqual(['src/deep/mul.spec.ts', 'src/sum.test.ts'])
  expect(testsOf('jest deep/mul')).toEqual(['src/deep/mul.spec.ts'])
  expect(testsOf('jest --config jest.config.js -t name')).toHaveLength(3)
})

test('what a runner loads before the tests is read from the command and from the settings of mocha', () => {
  writeFiles(root, {
    'test/mocha.opts': '--require should\n-r test/globals.js\n# a remark\n--timeout 5000\n',
    'test/a.js': TEST,
  })
  expect(readTestCommand(root, 'mocha -r ./test/more.js --require @babel/register test/a.js')).toEqual({
    named: ['test/a.js'],
    parts: [],
    setup: ['should', 'test/globals.js', './test/more.js'],
  })
  writeFiles(root, {
    '.mocharc.yml': 'require:\n  - chai/register-expect.js\n  - ts-node/register\nspec: "lib/*.js"\n',
  })
  expect(readTestCommand(root, 'node_modules/.bin/mocha').named).toContain('lib/*.js')
  expect(readTestCommand(root, 'node --import ./test/world.mjs --test').setup).toEqual(['./test/world.mjs'])
})

test('what a runner is to do, and who starts it, are no files', () => {
  const all = ['test/a.test.js', 'test/mocha-x.test.js', 'test/runner.test.js']
  writeFiles(root, {
    ...Object.fromEntries(all.map((path) => [path, TEST])),
    'package.json': JSON.stringify({ scripts: { test: 'vitest run', cover: 'nyc --reporter=lcov mocha' } }),
    'run.js': 'module.exports = 1\n',
    'test.js': 'module.exports = 1\n',
    'src/build.js': 'module.exports = 1\n',
    'src/b.test.js': TEST,
  })
  const everywhere = ['src/b.test.js', ...all]
  for (const command of [
    'vitest run',
    'npm test',
    'vitest',
    'npx vitest run',
    'pnpm exec vitest run',
    'yarn vitest run',
  ])
    expect(testsOf(command), command).toEqual(everywhere)
  for (const command of [
    'node src/build.js && vitest --run',
    'turbo run test',
    'pnpm -r test',
    'npm -w x test',
  ])
    expect(testsOf(command), command).toEqual(everywhere)
  for (const command of [
    'mocha test/',
    'node --test test',
    'npm run cover',
    'c8 mocha',
    'timeout 60 mocha test',
    'mocha -R spec test',
  ])
    expect(testsOf(command), command).toEqual(all)
  expect(testsOf('vitest run --dir src')).toEqual(['src/b.test.js'])
  expect(testsOf('cross-env A=1 npx --no-install mocha test/a.test.js')).toEqual(['test/a.test.js'])
  expect(testsOf('node node_modules/mocha/bin/mocha.js test/a.test.js')).toEqual(['test/a.test.js'])
})

test('settings that are made to be read for ever are read at once, and what is no file is none', () => {
  const spaces = ' '.repeat(200_000)
  writeFiles(root, {
    '.mocharc.yml': `spec:${spaces}x${spaces}y\n${'- a\n'.repeat(50_000)}`,
    'test/mocha.opts/a': '',
  })
  const started = process.cpuUsage().user
  expect(readTestCommand(root, 'mocha').named).toContain('a')
  // Microseconds of the processor: the square of it would be half a minute.
  expect(process.cpuUsage().user - started).toBeLessThan(5_000_000)
})
