import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testParts } from './test-parts.ts'

function project(scripts: Record<string, string>, more: readonly string[] = []): string {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-parts-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ scripts }))
  mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true })
  for (const name of ['vitest', 'mocha', 'eslint', 'prettier', 'cross-env', 'tsc', 'c8'])
    writeFileSync(join(dir, 'node_modules/.bin', name), '')
  for (const name of more) writeFileSync(join(dir, name), '')
  return dir
}

const NPX = 'npx --no-install'

test.each<[string, Record<string, string>, string, object | null]>([
  ['one runner', { test: 'vitest run' }, 'npm test', null],
  [
    'as in many modern projects',
    { lint: 'eslint . && prettier -c src test', test: 'pnpm lint && vitest run --typecheck' },
    'pnpm test',
    { lint: ['pnpm lint'], build: [], tests: `${NPX} vitest run --typecheck` },
  ],
  [
    'lint, build and tests by scripts',
    {
      lint: 'eslint .',
      build: 'tsc -p .',
      unit: 'c8 mocha',
      test: 'npm run lint && npm run build && npm run unit',
    },
    'npm test',
    { lint: ['npm run lint'], build: ['npm run build'], tests: 'npm run unit' },
  ],
  [
    'scripts before and after',
    { pretest: 'npm run build', build: 'tsc', test: 'cross-env A=1 mocha', posttest: 'eslint .' },
    'npm test',
    {
      lint: ['npm run posttest'],
      build: ['npm run pretest'],
      tests: `${NPX} cross-env A=1 mocha`,
    },
  ],
  [
    'run-s with a pattern',
    {
      'lint:js': 'eslint .',
      'lint:format': 'prettier --check .',
      'test:unit': 'vitest run',
      test: 'run-s lint:* test:unit',
    },
    'npm test',
    { lint: ['npm run lint:js', 'npm run lint:format'], build: [], tests: 'npm run test:unit' },
  ],
  [
    'npm-run-all',
    { lint: 'eslint .', 'build:a': 'tsc', unit: 'mocha', test: 'npm-run-all --silent lint build:a unit' },
    'npm test',
    { lint: ['npm run lint'], build: ['npm run build:a'], tests: 'npm run unit' },
  ],
  [
    'a type check has to hold as a whole',
    { test: 'tsc --noEmit && vitest run' },
    'npm test',
    { lint: [], build: [`${NPX} tsc --noEmit`], tests: `${NPX} vitest run` },
  ],
  [
    'words for the runner',
    { test: 'eslint . && vitest run' },
    'npm test -- src/a.test.ts',
    { lint: [`${NPX} eslint .`], build: [], tests: `${NPX} vitest run src/a.test.ts` },
  ],
  ['more than an order of steps', { test: 'eslint . ; vitest run' }, 'npm test', null],
  ['a linter alone', { test: 'eslint .' }, 'npm test', null],
  [
    'a script that is called by its own name without an end',
    { test: 'npm run lint && npm test', lint: 'eslint .' },
    'npm test',
    null,
  ],
  [
    'tests by a script of the project',
    { lint: 'eslint .', unit: 'sh test.sh', test: 'npm run lint && npm run unit' },
    'npm test',
    { lint: ['npm run lint'], build: [], tests: 'npm run unit' },
  ],
  [
    'what is not known stays with the tests',
    { test: 'eslint . && ./check.sh && mocha' },
    'npm test',
    { lint: [`${NPX} eslint .`], build: [], tests: `./check.sh && ${NPX} mocha` },
  ],
])('the parts of a test command: %s', (_, scripts, command, parts) => {
  expect(testParts(command, project(scripts))).toEqual(parts)
})

test('where the package manager runs no scripts around others, they are no part', () => {
  const scripts = { pretest: 'eslint .', test: 'mocha' }
  expect(testParts('yarn test', project(scripts, ['.yarnrc.yml']))).toBeNull()
  expect(testParts('yarn test', project(scripts))).toMatchObject({ lint: ['yarn run pretest'] })
})

test.each<[string, Record<string, string>, string]>([
  ['another folder', { test: 'eslint . && mocha' }, 'cd packages/a && npm test'],
  ['a folder inside a script', { test: 'cd sub && eslint . && mocha' }, 'npm test'],
  ['a variable for what follows', { test: 'export A=1 && eslint . && mocha' }, 'npm test'],
  [
    'side by side',
    { serve: 'node s.js', lint: 'eslint .', e2e: 'mocha', test: 'run-p lint serve e2e' },
    'npm test',
  ],
  [
    'side by side by an option',
    { serve: 'node s.js', lint: 'eslint .', e2e: 'mocha', test: 'npm-run-all -p lint serve e2e' },
    'npm test',
  ],
])('%s is not taken apart', (_, scripts, command) => {
  expect(testParts(command, project(scripts))).toBeNull()
})

test('a variable with spaces stays before its program', () => {
  const scripts = { test: "eslint . && NODE_OPTIONS='--no-warnings --trace-exit' vitest run" }
  expect(testParts('npm test', project(scripts))?.tests).toBe(
    `NODE_OPTIONS='--no-warnings --trace-exit' ${NPX} vitest run`,
  )
})

test('what stands before a build is run before it', () => {
  const scripts = { proto: 'make proto', test: 'npm run proto && tsc && mocha' }
  expect(testParts('npm test', project(scripts))).toMatchObject({
    build: ['npm run proto', `${NPX} tsc`],
    tests: `${NPX} mocha`,
  })
})
