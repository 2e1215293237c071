import { expect, test } from 'vitest'
import { missingPackage, withLines } from './failing-lines.ts'

test.each([
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hast-util-assert' imported from /x/a.js",
    'hast-util-assert',
  ],
  ["Error: Cannot find module '@scope/name'\nRequire stack:", '@scope/name'],
  ["Error: Cannot find module './lib.js'", null],
  ["Error: Cannot find module '/tmp/clone/lib.js'", null],
  ["ModuleNotFoundError: No module named 'yaml'", 'yaml'],
  ['/usr/bin/python3: No module named pytest', 'pytest'],
  ['sh: 1: vitest: not found', 'vitest'],
  ['bash: line 1: pnpm: command not found', 'pnpm'],
  ['AssertionError: the page was not found', null],
  ['expected 1 to be 2', null],
])('what is missing by %j', (tail, name) => {
  expect(missingPackage(tail)).toBe(name)
})

test('the last lines of a check stand below its words', () => {
  const tail = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n\n')
  const lines = withLines('npm test: exit code 1', tail).split('\n')
  expect([lines[0], lines[1], lines.at(-1), lines.length]).toEqual([
    'npm test: exit code 1',
    '| line 8',
    '| line 19',
    13,
  ])
})
