import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { askForReport } from './ask-for-report.ts'
import { detectTestCommand } from './detect-commands.ts'

function project(files: Record<string, string | object>): string {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-detect-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}

const withTest = { scripts: { test: 'vitest run' } }
const nodeTest = "import test from 'node:test'\n"
const placeholder = { scripts: { test: 'echo "Error: no test specified" && exit 1' } }

const table: [string, Record<string, string | object>, string | null][] = [
  ['a test script', { 'package.json': withTest }, 'npm test'],
  ['a test script and pnpm', { 'package.json': withTest, 'pnpm-lock.yaml': '' }, 'pnpm test'],
  ['a test script and yarn', { 'package.json': withTest, 'yarn.lock': '' }, 'yarn test'],
  [
    'a test script and bun, whose own `bun test` is another runner',
    { 'package.json': withTest, 'bun.lock': '' },
    'bun run test',
  ],
  [
    'a named package manager',
    { 'package.json': { ...withTest, packageManager: 'pnpm@9.1.0' }, 'yarn.lock': '' },
    'pnpm test',
  ],
  ["npm's placeholder", { 'package.json': placeholder }, null],
  ["npm's placeholder and node tests", { 'package.json': placeholder, 'a.test.js': nodeTest }, 'node --test'],
  [
    'vitest as a dependency',
    { 'package.json': { devDependencies: { vitest: '1' } } },
    'npx --no-install vitest run',
  ],
  ['a vitest configuration', { 'vitest.config.ts': '' }, 'npx --no-install vitest run'],
  ['jest in package.json', { 'package.json': { jest: {} } }, 'npx --no-install jest'],
  ['mocha', { '.mocharc.yml': '' }, 'npx --no-install mocha'],
  ['node tests in a folder', { 'test/deep/x.mjs': nodeTest }, 'node --test'],
  ['files named like tests that are none', { 'a.test.js': 'export {}' }, null],
  ['node tests of dependencies only', { 'node_modules/x/a.test.js': nodeTest }, null],
  ['pytest settings', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python3 -m pytest'],
  ['python tests with uv', { 'tests/test_a.py': '', 'uv.lock': '' }, 'uv run pytest'],
  ['a python project without tests', { 'pyproject.toml': '[project]\n' }, null],
  ['go', { 'go.mod': 'module x', 'x_test.go': 'package x' }, 'go test ./...'],
  ['go without tests', { 'go.mod': 'module x' }, null],
  ['rust', { 'Cargo.toml': '' }, 'cargo test'],
  ['ava', { 'package.json': { devDependencies: { ava: '6' } } }, 'npx --no-install ava'],
  [
    'playwright',
    { 'package.json': { devDependencies: { '@playwright/test': '1' } }, 'playwright.config.ts': '' },
    'npx --no-install playwright test',
  ],
  ['tape', { 'package.json': { devDependencies: { tape: '5' } } }, "npx --no-install tape 'test/**/*.js'"],
  ["python's own runner", { 'test_a.py': 'import unittest\n' }, 'python3 -m unittest'],
  [
    "python's own runner in a folder that is no package",
    { 'tests/test_a.py': 'import unittest\n' },
    'python3 -m unittest discover -s tests',
  ],
  [
    "python's own runner in a package",
    { 'tests/test_a.py': 'from unittest import TestCase\n', 'tests/__init__.py': '' },
    'python3 -m unittest',
  ],
  [
    'python tests of both kinds',
    { 'test_a.py': 'import unittest\n', 'test_b.py': 'def test_x(): pass\n' },
    'python3 -m pytest',
  ],
  ['maven', { 'pom.xml': '<project/>' }, 'mvn -B test'],
  ['maven with its wrapper', { 'pom.xml': '<project/>', mvnw: '' }, './mvnw -B test'],
  ['gradle', { 'build.gradle': '' }, 'gradle test'],
  ['gradle in Kotlin, with its wrapper', { 'build.gradle.kts': '', gradlew: '' }, './gradlew test'],
  ['gradle with modules only', { 'settings.gradle.kts': '', gradlew: '' }, './gradlew test'],
  ['maven and gradle', { 'pom.xml': '', 'build.gradle': '', gradlew: '' }, 'mvn -B test'],
  ['maven and a test script for the pages', { 'pom.xml': '', 'package.json': withTest }, 'npm test'],
  ['phpunit', { 'phpunit.xml.dist': '<phpunit/>' }, 'vendor/bin/phpunit'],
  ['a make target', { Makefile: 'all:\n\ntest: all\n\t./run\n' }, 'make test'],
  ['a make variable named test', { Makefile: 'test := x\nall:\n' }, null],
  ['a broken package.json', { 'package.json': '{ nope' }, null],
  ['nothing', {}, null],
]

for (const [what, files, command] of table) {
  test(`${what}: ${command ?? 'no command'}`, () => {
    expect(detectTestCommand(project(files))).toBe(command)
  })
}

test('a folder that does not exist has no command', () => {
  expect(detectTestCommand('/no/such/folder')).toBeNull()
})

const vitest = "--reporter=default --reporter=json --outputFile.json='/r'"
const node =
  "--test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination='/r'"

const here = fileURLToPath(new URL('.', import.meta.url))
const mocha = `--reporter '${here}mocha-reporter.cjs' -O 'file=/r'`
const pytest = "--junitxml='/r' -o junit_family=xunit1 -o junit_logging=all -o junit_log_passing_tests=false"
const playwright = "PLAYWRIGHT_JSON_OUTPUT_NAME='/r'"
const go = `'${process.execPath}' '${here}go-output.ts' '/r' go test`

const asked: [string, string | null, string | null][] = [
  ['npm test', 'mocha', `npm test -- ${mocha}`],
  ['npx --no-install mocha spec', null, `npx --no-install mocha spec ${mocha}`],
  ['npm test', 'playwright test', `${playwright} npm test -- --reporter=list,json`],
  ['npx playwright test e2e', null, `${playwright} npx playwright test e2e --reporter=list,json`],
  ['pytest', null, `pytest ${pytest}`],
  ['python3 -m pytest tests -x', null, `python3 -m pytest tests -x ${pytest}`],
  ['uv run pytest', null, `uv run pytest ${pytest}`],
  ['go test ./...', null, `${go} ./...`],
  ['CGO_ENABLED=0 go test -race ./...', null, `CGO_ENABLED=0 ${go} -race ./...`],
  ['vendor/bin/phpunit', null, "vendor/bin/phpunit --log-junit '/r'"],
  ['mvn -B test', null, 'mvn -B test -DtrimStackTrace=false'],
  ['./mvnw -B clean verify', null, './mvnw -B clean verify -DtrimStackTrace=false'],
  ["mvn -o test -Dtest='A#b+c'", null, "mvn -o test -Dtest='A#b+c' -DtrimStackTrace=false"],
  ['gradle test', null, 'gradle cleanTest test --no-daemon --continue'],
  ['./gradlew test --daemon -q', null, './gradlew cleanTest test --daemon -q --continue'],
  [
    "gradle cleanTest test --tests 'A.b' --no-daemon",
    null,
    "gradle cleanTest test --tests 'A.b' --no-daemon --continue",
  ],
  ['gradle :app:check --fail-fast', null, 'gradle :app:check --fail-fast --no-daemon'],
  ['npm test', 'vitest run', `npm test -- ${vitest}`],
  ['npm run test', 'vitest', `npm run test -- ${vitest}`],
  ['pnpm test', 'vitest run src', `pnpm test ${vitest}`],
  ['npm test', 'NODE_ENV=test npx vitest run', `npm test -- ${vitest}`],
  ['npm test', 'jest --coverage', "npm test -- --json --outputFile='/r'"],
  ['npm test', 'node --test', `npm test -- ${node}`],
  ['npm test', 'node --test --experimental-strip-types', `npm test -- ${node}`],
  ['npx --no-install vitest run', null, `npx --no-install vitest run ${vitest}`],
  ['node --test', null, `node --test ${node}`],
  ["node --test 'test/**/*.js'", null, `node ${node} --test 'test/**/*.js'`],
  // Better left alone: several commands, own reporters, other tools, watch mode.
  ['npm test', 'npm run build && vitest run', null],
  ['npm test', 'vitest run --reporter=dot', null],
  ['npm test', 'vitest watch', null],
  ['npm test', 'vitest bench', null],
  ['npm test', 'jest --watch', null],
  ['npm test', 'mocha --reporter dot', null],
  ['npm test', 'mocha --parallel', null],
  ['npm test', 'ava', null],
  ['npm test', "tape 'test/*.js'", null],
  ['cargo test', null, null],
  ['mvn -B compile', null, null],
  ['mvn test -DtrimStackTrace=true', null, null],
  ['gradle test --continuous', null, null],
  ['gradle test --dry-run', null, null],
  ['gradle assemble', null, null],
  ['mvn test && ./after', null, null],
  ['npx playwright show-report', null, null],
  ['npx playwright test --reporter=dot', null, null],
  ['pytest --junitxml=mine.xml', null, null],
  ['python3 -m unittest', null, null],
  ['go vet ./...', null, null],
  ['go test -json ./...', null, null],
  ['go test -c ./x', null, null],
  ['npm test', 'node test.js', null],
  ['npm test', 'vitest run; true', null],
  ['npm test', 'vitest run $ARGS', null],
  ['npm test', 'vitest run | tee log', null],
  ['npm test -- --bail', 'vitest run', null],
  ['npm run other', 'vitest run', null],
  ['make test', null, null],
]

for (const [command, script, expected] of asked) {
  test(`a report of \`${command}\`${script === null ? '' : ` that is \`${script}\``}`, () => {
    const cwd = project(script === null ? {} : { 'package.json': { scripts: { test: script } } })
    expect(askForReport(command, cwd, '/r')).toBe(expected)
  })
}

test('a node script with files is run directly, unless other scripts run around it', () => {
  const cwd = project({ 'package.json': { scripts: { test: 'node --test test/a.js' } } })
  expect(askForReport('npm test', cwd, '/r')).toMatch(
    new RegExp(`^PATH='${cwd}/node_modules/.bin:.*':"\\$PATH" node .* --test test/a.js$`),
  )
  const hooked = project({ 'package.json': { scripts: { pretest: 'tsc', test: 'node --test test/a.js' } } })
  expect(askForReport('npm test', hooked, '/r')).toBeNull()
})

test('a reporter that the project has chosen for mocha is left alone', () => {
  expect(askForReport('npx mocha', project({ '.mocharc.yml': 'reporter: dot\n' }), '/r')).toBeNull()
  expect(
    askForReport('npx mocha', project({ 'package.json': { mocha: { reporter: 'x' } } }), '/r'),
  ).toBeNull()
  expect(askForReport('npx mocha', project({ '.mocharc.yml': 'timeout: 10\n' }), '/r')).not.toBeNull()
})

test('a path with quotes stays one argument', () => {
  expect(askForReport('npx vitest run', project({}), "/it's here/r")).toContain(
    "--outputFile.json='/it'\\''s here/r'",
  )
})
