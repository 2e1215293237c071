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
  return scopedTests(root, readTestCommand(root, command).named, listSources(root))
}

test.each([
  [
    "A=1 cross-env B='2 3' mocha a.js && node --test",
    [
      ['mocha', 'a.js'],
      ['node', '--test'],
    ],
  ],
  [`npx --no-install jest "src/a b" 'c\\d' e\\ f`, [['jest', 'src/a b', 'c\\d', 'e f']]],
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
    setup: ['should', 'test/globals.js', './test/more.js'],
  })
  writeFiles(root, {
    '.mocharc.yml': 'require:\n  - chai/register-expect.js\n  - ts-node/register\nspec: "lib/*.js"\n',
  })
  expect(readTestCommand(root, 'node_modules/.bin/mocha').named).toContain('lib/*.js')
  expect(readTestCommand(root, 'node --import ./test/world.mjs --test').setup).toEqual(['./test/world.mjs'])
})
