import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { subsetCommand } from './plain-call.ts'

function folder(scripts: Record<string, string> = {}, more: object = {}): string {
  const cwd = mkdtempSync(join(tmpdir(), 'treadle-call-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts, ...more }))
  return cwd
}

const files = ['test/a.test.ts', 'test/b c.test.ts']

test.each([
  ['vitest run', "vitest run test/a.test.ts 'test/b c.test.ts'"],
  ['vitest', "vitest run test/a.test.ts 'test/b c.test.ts'"],
  ['npx --no-install vitest run', "npx --no-install vitest run test/a.test.ts 'test/b c.test.ts'"],
  ['vitest run unit -c my.ts --silent', "vitest run -c my.ts --silent test/a.test.ts 'test/b c.test.ts'"],
  ['jest --ci test', "jest --ci --runTestsByPath test/a.test.ts 'test/b c.test.ts'"],
  ['TZ=UTC mocha -r tsx', "TZ=UTC mocha -r tsx test/a.test.ts 'test/b c.test.ts'"],
  ["node --import tsx --test 'test/**'", "node --import tsx --test test/a.test.ts 'test/b c.test.ts'"],
  ['python -m pytest -q tests', "python -m pytest -q test/a.test.ts 'test/b c.test.ts'"],
  ['go test ./...', "go test ./... -run '^(TestA|TestB)$'"],
  ['cargo test --workspace', 'cargo test --workspace -- --exact TestA TestB'],
])('%s becomes %s', (command, subset) => {
  const names = ['TestA', 'TestB']
  expect(subsetCommand(command, folder(), { files, names })).toMatchObject({ is: 'command', command: subset })
})

test('tests of go are named without their package and subtests', () => {
  const names = ['example.com/calc > TestAdd', 'example.com/calc > TestTable > row#01', 'TestTable/other']
  expect(subsetCommand('go test ./...', folder(), { files, names })).toMatchObject({
    command: "go test ./... -run '^(TestAdd|TestTable)$'",
  })
})

const priceTest = 'class PriceTest {\n  void words() {}\n  void adds(int a) {}\n}\n'

function javaFolder(more: Record<string, string> = {}): string {
  const cwd = folder()
  mkdirSync(join(cwd, 'src/test/java/shop'), { recursive: true })
  const sources = { 'src/test/java/shop/PriceTest.java': priceTest, 'src/test/java/shop/GreenTest.java': '' }
  for (const [name, text] of Object.entries({ ...sources, ...more })) writeFileSync(join(cwd, name), text)
  return cwd
}

const java = ['shop.PriceTest > words', 'shop.PriceTest > adds(int)[2]', 'shop.GreenTest > a title, of words']
const quiet = '-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false'
const chosen = "--tests 'shop.PriceTest.words' --tests 'shop.PriceTest.adds' --tests 'shop.GreenTest'"

test.each([
  ['mvn -B -o test', `mvn -B -o test -Dtest='shop.PriceTest#words+adds,shop.GreenTest' ${quiet}`],
  [
    'CI=1 ./mvnw clean test -pl shop',
    `CI=1 ./mvnw clean test -pl shop -Dtest='shop.PriceTest#words+adds,shop.GreenTest' ${quiet}`,
  ],
  ['gradle test', `gradle test ${chosen}`],
  ['./gradlew --offline -p shop :test -q', `./gradlew --offline -p shop :test ${chosen} -q`],
])('%s becomes %s', (command, subset) => {
  expect(subsetCommand(command, javaFolder(), { files, names: java })).toMatchObject({ command: subset })
})

test('tests of Java without names are told by their files, and classes within classes by their beginning', () => {
  const file = ['shop/src/test/java/shop/PriceTest.java']
  expect(subsetCommand('mvn test', javaFolder(), { files: file })).toMatchObject({
    command: `mvn test -Dtest='shop.PriceTest' ${quiet}`,
  })
  expect(subsetCommand('gradle test', javaFolder(), { files, names: ['shop.A$B > c'] })).toMatchObject({
    command: "gradle test --tests 'shop.A*'",
  })
})

test.each([
  ['mvn verify', 'more than a test run'],
  ['mvn clean', 'no goal that runs tests'],
  ['mvn test -Dtest=Other', 'chooses tests'],
  ['gradle check', 'more than a test run'],
  ['gradle test --tests Other', 'chooses tests'],
  ['gradle test', 'has modules'],
])('%s cannot be run in part: %s', (command, why) => {
  const modules = why === 'has modules' ? { 'settings.gradle': "include 'a'\n" } : {}
  expect(subsetCommand(command, javaFolder(modules), { files, names: java })).toMatchObject({
    is: 'not_possible',
    why: expect.stringContaining(why),
  })
})

test.each([
  ['npm run lint && vitest run', 'more than one plain call'],
  ['vitest run | tee log', 'more than one plain call'],
  ['make test', 'not a call of a known test runner'],
  ['vitest bench', 'not a plain run'],
  ['vitest run --changed', 'chooses tests'],
  ['vitest run --shard=1/2', 'chooses tests'],
  ['vitest run --odd thing', 'whether thing belongs to --odd'],
  ['node test.js', 'without --test'],
  ['node --test --test-isolation=none', 'chooses tests'],
])('%s cannot be run in part', (command, why) => {
  const subset = subsetCommand(command, folder(), { files })
  expect(subset.is).toBe('not_possible')
  if (why !== 'without --test') expect(subset).toMatchObject({ why: expect.stringContaining(why) })
})

test('a package script is looked into, unless others run around it', () => {
  expect(subsetCommand('npm test', folder({ test: 'vitest run' }), { files: ['a.test.ts'] })).toMatchObject({
    is: 'command',
    command: 'vitest run a.test.ts',
  })
  expect(subsetCommand('npm test', folder({ test: 'vitest', pretest: 'tsc' }), { files })).toMatchObject({
    is: 'not_possible',
  })
  expect(subsetCommand('npm test', folder(), { files })).toMatchObject({ is: 'not_possible' })
})

test('names that a shell or a runner would take for something else are left to the whole suite', () => {
  const cwd = folder()
  expect(subsetCommand('node --test', cwd, { files: ['[id].test.ts'] })).toMatchObject({ is: 'not_possible' })
  expect(subsetCommand('vitest run', cwd, { files: ["it's.test.ts"] })).toMatchObject({ is: 'not_possible' })
  expect(subsetCommand('vitest run', cwd, { files: [] })).toMatchObject({ is: 'not_possible' })
  expect(subsetCommand('vitest run', cwd, { files: ['-x.test.ts'] })).toMatchObject({
    command: 'vitest run ./-x.test.ts',
  })
  expect(subsetCommand('mocha', folder({}, { mocha: { spec: 'all' } }), { files })).toMatchObject({
    is: 'not_possible',
  })
})
