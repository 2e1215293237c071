// Stand-ins for Maven and Gradle that write what the real ones write: which files count, and what the gate makes of them.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GateResult } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { unconfined } from './run-command.ts'
import { writesReports } from './written-reports.ts'

function setUp(files: Record<string, string> = {}) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-written-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content, { mode: 0o755 })
  }
  const env = { PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${toolEnv.path}`, HOME: dir }
  const secrets = ['value-of-a-secret']
  const gates = openGates({
    evidenceDir: join(dir, 'evidence'),
    env,
    tailBytes: 4_000,
    secrets,
    surroundings: unconfined('test'),
  })
  const runTests = async (command: string) =>
    GateResult.parse(await gates.runTests({ cwd: dir, command, timeoutMs: 200_000 }))
  return { dir, runTests }
}

const passing = (name: string): string =>
  `<?xml version="1.0"?><testsuite name="${name}" tests="1"><testcase name="ok" classname="${name}"/></testsuite>`
const failing = (name: string, said: string): string =>
  `<?xml version="1.0"?><testsuite name="${name}" tests="1" failures="1"><testcase name="bad" classname="${name}"><failure message="${said}" type="java.lang.AssertionError">java.lang.AssertionError: ${said}\n\tat ${name}.bad(${name.split('.').at(-1)}.java:7)\n</failure></testcase></testsuite>`

/** A program that writes these files and ends so. */
const writes = (files: Record<string, string>, exitCode: number, said = ''): string =>
  [
    '#!/bin/sh',
    ...Object.entries(files).flatMap(([name, text]) => [
      `mkdir -p '${dirname(name)}'`,
      `cat > '${name}' <<'END'\n${text}\nEND`,
    ]),
    `cat <<'END'\n${said}\nEND`,
    `exit ${exitCode}`,
  ].join('\n')

const surefire = 'target/surefire-reports'

verifies(
  ['META-TEST-3', 'META-TEST-5'],
  'the files of all modules that Maven writes are one report',
  async () => {
    const { runTests } = setUp({
      'core/src/test/java/shop/PriceTest.java': 'class PriceTest {}',
      'bin/mvn': writes(
        {
          [`core/${surefire}/TEST-shop.PriceTest.xml`]: failing('shop.PriceTest', 'with value-of-a-secret'),
          [`web/${surefire}/TEST-shop.PageTest.xml`]: passing('shop.PageTest'),
          'web/target/failsafe-reports/TEST-shop.PageIT.xml': passing('shop.PageIT'),
          // TestNG writes the same tests again.
          [`web/${surefire}/junitreports/TEST-shop.PageTest.xml`]: passing('shop.PageTest'),
          'notes/TEST-other.xml': passing('other'),
        },
        1,
        'args: "$@"',
      ),
    })
    expect(await runTests('mvn -B verify')).toMatchObject({
      is: 'failed',
      evidence: { command: 'mvn -B verify', report: { format: 'junit', total: 3, passed: 2, failed: 1 } },
      failures: [
        {
          id: 'shop.PriceTest > bad',
          file: 'core/src/test/java/shop/PriceTest.java',
          line: 7,
          message: 'java.lang.AssertionError: with [redacted]',
        },
      ],
    })
  },
)

test('what lay there before the run does not count, however new it says it is', async () => {
  const { dir, runTests } = setUp({
    [`${surefire}/TEST-a.PlantedTest.xml`]: passing('a.PlantedTest'),
    'build/test-results/test/TEST-a.OldTest.xml': failing('a.OldTest', 'long ago'),
    'bin/mvn': writes({}, 0),
    'bin/gradle': writes({ 'build/test-results/test/TEST-a.NewTest.xml': passing('a.NewTest') }, 0),
  })
  const later = new Date(Date.now() + 24 * 60 * 60_000)
  utimesSync(join(dir, surefire, 'TEST-a.PlantedTest.xml'), later, later)
  expect(await runTests('mvn test')).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { report: { format: 'none', total: 0 } },
  })
  expect(await runTests('gradle test')).toMatchObject({
    is: 'passed',
    evidence: { report: { format: 'junit', total: 1, passed: 1 } },
  })
})

test('a file that is written again with the same content counts again', async () => {
  const file = 'build/test-results/test/TEST-a.NewTest.xml'
  const text = passing('a.NewTest')
  const { runTests } = setUp({ [file]: `${text}\n`, 'bin/gradle': writes({ [file]: text }, 0) })
  expect(await runTests('gradle test')).toMatchObject({ is: 'passed', evidence: { report: { total: 1 } } })
})

verifies(
  'META-TEST-3',
  'a green report does not make a bad exit code good, nor a good one a bad report',
  async () => {
    const { runTests } = setUp({
      'bin/mvn': writes({ [`${surefire}/TEST-a.ATest.xml`]: passing('a.ATest') }, 1, 'web does not compile'),
      'bin/gradle': writes({ 'build/test-results/test/TEST-a.BTest.xml': failing('a.BTest', 'no') }, 0),
    })
    expect(await runTests('mvn test')).toMatchObject({
      is: 'failed',
      evidence: { report: { passed: 1, failed: 0 } },
      failures: [{ id: 'test command', message: expect.stringContaining('web does not compile') }],
    })
    expect(await runTests('gradle test')).toMatchObject({
      is: 'failed',
      evidence: { exitCode: 0 },
      failures: [{ id: 'a.BTest > bad' }],
    })
  },
)

test('a file that is cut off is not read, and then what was printed tells', async () => {
  const { runTests } = setUp({
    'bin/mvn': writes(
      { [`${surefire}/TEST-a.ATest.xml`]: '<testsuite name="a.ATest" tests="2"><testcase name="ok"' },
      1,
      '[INFO]  T E S T S\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0',
    ),
  })
  expect(await runTests('mvn test')).toMatchObject({
    is: 'failed',
    evidence: { report: { format: 'maven-text', total: 2, failed: 1 } },
  })
})

test('what a test printed does not make the file unreadable', async () => {
  const printed = `<testsuite name="a.ATest" tests="1"><testcase name="ok" classname="a.ATest"><system-out><![CDATA[<!DOCTYPE html>]]></system-out></testcase></testsuite>`
  const { runTests } = setUp({ 'bin/mvn': writes({ [`${surefire}/TEST-a.ATest.xml`]: printed }, 0) })
  expect(await runTests('mvn test')).toMatchObject({ is: 'passed', evidence: { report: { total: 1 } } })
})

test('a project of Gradle that has nothing to clean is run again as it was told', async () => {
  const gradle = `#!/bin/sh
    case "$*" in *cleanTest*) echo "Task 'cleanTest' not found in root project 'shop'." >&2; exit 1;; esac
    echo "1 test completed, 1 failed"; echo "BUILD FAILED in 1s"; exit 1`
  const result = await setUp({ 'bin/gradle': gradle }).runTests('gradle test')
  expect(result).toMatchObject({ is: 'failed', evidence: { report: { format: 'gradle-text', failed: 1 } } })
})

test.each([
  ['mvn test', true],
  ['cd server && ./mvnw -B verify', true],
  ['CI=1 ./gradlew check', true],
  ['npm test', true],
  ['npm run other', false],
  ['vitest run mvn.test.ts', false],
  ['cat gradle.properties', false],
])('%s calls Maven or Gradle: %s', (command, expected) => {
  const { dir } = setUp({ 'package.json': JSON.stringify({ scripts: { test: 'mvn test', other: 'ls' } }) })
  expect(writesReports(command, dir)).toBe(expected)
})
