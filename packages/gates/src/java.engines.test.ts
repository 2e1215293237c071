// The real Maven and Gradle through the gate: the report, some of the tests only, and what does not compile.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GateResult } from '@treadle/contracts/gate'
import { notRun } from '@treadle/requirements/not-run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, type TestContext } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { subsetCommand } from './regression/plain-call.ts'
import { unconfined } from './run-command.ts'

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
// The sample projects take their libraries from there, so that nothing is fetched.
const libraries = {
  maven: '/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin',
  gradle: '/usr/share/java/junit4.jar',
}
const programs = { maven: 'mvn', gradle: 'gradle' }

function setUp(context: TestContext, runner: 'maven' | 'gradle') {
  const program = programs[runner]
  const install = 'apt-get install maven libsurefire-java gradle junit4'
  if (!starts(program)) notRun(context, `${program} does not start`, install)
  if (!existsSync(libraries[runner])) notRun(context, `${libraries[runner]} is not there`, install)
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-java-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'shop')
  cpSync(join(fixtures, runner, 'sample'), cwd, { recursive: true })
  const path = `${dirname(process.execPath)}:${toolEnv.path}`
  const env = { PATH: path, HOME: dir, GRADLE_USER_HOME: join(dir, 'gradle'), LANG: 'C.UTF-8' }
  const gates = openGates({
    evidenceDir: join(dir, 'evidence'),
    env,
    tailBytes: 8_000,
    surroundings: unconfined('test'),
  })
  const runTests = async (command: string) =>
    GateResult.parse(await gates.runTests({ cwd, command, timeoutMs: 240_000 }))
  return { cwd, runTests }
}

function starts(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

const test = 'src/test/java/shop/PriceTest.java'
const failures = [
  { id: 'shop.PriceTest > subtracts', file: test, line: 16, expected: '1', actual: '-1' },
  { id: 'shop.PriceTest > takesTooLong', file: test, line: 32 },
  { id: 'shop.PriceTest > throwsInside', file: test, line: 22 },
  { id: 'shop.PriceTest > words', file: test, line: 27, expected: 'naïve', actual: 'naive' },
]

const commands = [
  ['maven', 'mvn -B -o -Dmaven.repo.local=/usr/share/maven-repo test'],
  ['gradle', 'gradle --offline test'],
] as const

for (const [runner, command] of commands) {
  verifies(
    ['META-TEST-3', 'META-TEST-4', 'META-TEST-5'],
    `${runner}: what its own files say, with places in the project`,
    async (context) => {
      const { cwd, runTests } = setUp(context, runner)
      const whole = await runTests(command)
      expect(whole).toMatchObject({
        is: 'failed',
        evidence: { command, exitCode: 1, report: { format: 'junit', total: 7, passed: 2, skipped: 1 } },
      })
      const found = whole.is === 'failed' ? [...whole.failures] : []
      found.sort((a, b) => (a.id < b.id ? -1 : 1))
      expect(found).toMatchObject(failures)
      const thrown = found.find(({ id }) => id.endsWith('throwsInside'))
      expect(thrown?.frames?.find(({ own }) => own)).toMatchObject({
        file: 'src/main/java/shop/Price.java',
        line: 12,
        fn: 'shop.Price.divide',
      })

      const names = ['shop.PriceTest > subtracts', 'shop.GreenTest > halves']
      const subset = subsetCommand(command, cwd, { files: [test], names })
      expect(subset.is).toBe('command')
      if (subset.is !== 'command') return
      expect(await runTests(subset.command)).toMatchObject({
        evidence: { report: { format: 'junit', total: 2, passed: 1 } },
        failures: [{ id: 'shop.PriceTest > subtracts' }],
      })
      const source = join(cwd, 'src/main/java/shop/Price.java')
      const text = readFileSync(source, 'utf8')
      writeFileSync(source, text.replace('right - left', 'left - right'))
      // Nothing is left of the run before, although its files are.
      expect(await runTests(subset.command)).toMatchObject({
        is: 'passed',
        evidence: { report: { total: 2 } },
      })

      writeFileSync(source, text.replace('right - left', 'right -'))
      expect(await runTests(command)).toMatchObject({
        is: 'failed',
        evidence: { report: { format: 'none', total: 0 } },
        failures: [{ id: 'test command', message: expect.stringContaining('illegal start of expression') }],
      })
    },
    { timeout: 600_000 },
  )
}
