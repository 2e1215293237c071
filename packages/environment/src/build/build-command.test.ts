// Builds that a project's own test script makes are made for test commands that do not go by it.
import { expect, test } from 'vitest'
import { buildBefore } from './build-command.ts'

const scripts = { build: 'babel src -d lib', 'build:browser': 'rollup -c', compile: 'tsc', lint: 'eslint .' }
const before = (command: string, own: Record<string, string>, configured: string | null = null) =>
  buildBefore({ command, configured, manifest: { scripts: { ...scripts, ...own } } })

test.each([
  [
    'a pretest that builds',
    'npx mocha a.js',
    { pretest: 'npm run build && npm run lint', test: 'mocha' },
    'npm run build',
  ],
  ['a test that builds first', 'npx mocha a.js', { test: 'npm run compile && mocha' }, 'npm run compile'],
  [
    'a compiler in the script',
    'npx mocha a.js',
    { test: 'rimraf out && tsc -p test && mocha out' },
    'npx --no-install rimraf out && npx --no-install tsc -p test',
  ],
  ['the script itself', 'npm test', { pretest: 'npm run build', test: 'mocha' }, null],
  ['the script with more words', 'npm test -- --grep x', { pretest: 'npm run build', test: 'mocha' }, null],
  ['another script', 'npm run test:unit', { pretest: 'npm run build', test: 'mocha' }, 'npm run build'],
  [
    'a command that builds',
    'npm run build && npx mocha a.js',
    { pretest: 'npm run build', test: 'mocha' },
    null,
  ],
  ['a test that lints first', 'npx mocha a.js', { test: 'npm run lint && mocha' }, null],
  ['a check of types', 'npx mocha a.js', { test: 'tsc --noEmit && mocha' }, null],
  ['a test that only tests', 'npx mocha a.js', { test: 'mocha' }, null],
  ['a script that a shell reads', 'npx mocha a.js', { pretest: 'npm run build; true', test: 'mocha' }, null],
] as const)('%s', (_, command, own, expected) => {
  expect(before(command, own)).toBe(expected)
})

test('what the settings say goes before everything but itself', () => {
  expect(before('npm test', { test: 'mocha' }, 'make lib')).toBe('make lib')
  expect(before('make lib && npm test', { test: 'mocha' }, 'make lib')).toBeNull()
})
