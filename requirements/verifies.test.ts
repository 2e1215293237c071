import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

type Report = {
  success: boolean
  testResults: {
    message: string
    assertionResults: { status: string; title: string; meta: object; failureMessages: string[] }[]
  }[]
}

/** Runs one test file in a vitest of its own. */
function runFixture(source: string, env: Record<string, string> = {}): Report {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-verifies-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    "export default { test: { fsModuleCache: false, reporters: ['json'] } }",
  )
  const head = [
    "import { expect } from 'vitest'",
    `import { verifies } from '${here}verifies.ts'`,
    `import { notRun } from '${here}not-run.ts'`,
  ]
  writeFileSync(join(folder, 'fixture.test.ts'), `${[...head, source].join('\n')}\n`)
  const args = [join(modules, 'vitest/vitest.mjs'), 'run', '--outputFile', join(folder, 'out.json')]
  const child = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 200_000,
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
  })
  const out = join(folder, 'out.json')
  if (!existsSync(out)) throw new Error(`no report: ${child.stdout}${child.stderr}`)
  return JSON.parse(readFileSync(out, 'utf8'))
}

test('an unknown id fails the file at load and names the id and the file', () => {
  const report = runFixture("verifies(['AC-2.1.c', 'NO-SUCH-1'], 'a title', () => { expect(1).toBe(1) })")
  expect(report.success).toBe(false)
  expect(report.testResults[0]?.message).toContain("unknown requirement id 'NO-SUCH-1'")
  expect(report.testResults[0]?.message).toContain('fixture.test.ts')
})

test('a test in which no assertion ran fails, one with an assertion passes and carries its ids', () => {
  const report = runFixture(`
    verifies('AC-2.1.c', 'silent', () => undefined)
    verifies(['AC-2.1.c', 'AC-2.1.a'], 'speaking', async () => { expect(await Promise.resolve(1)).toBe(1) })
  `)
  const results = report.testResults[0]?.assertionResults ?? []
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['silent', 'failed'],
    ['speaking', 'passed'],
  ])
  expect(results[0]?.failureMessages.join()).toContain('expected any number of assertion')
  expect(results[1]?.meta).toMatchObject({ requirements: ['AC-2.1.c', 'AC-2.1.a'] })
})

test('a test that is not run is skipped with its reason, and fails where nothing may be left out', () => {
  const source =
    "verifies('AC-2.1.c', 'needs a moon', (context) => notRun(context, 'no moon', 'apt install moon'))"
  const lenient = runFixture(source).testResults[0]?.assertionResults[0]
  expect(lenient).toMatchObject({ status: 'skipped', meta: { notRun: 'no moon' } })
  const strict = runFixture(source, { TREADLE_STRICT: '1' }).testResults[0]?.assertionResults[0]
  expect(strict?.status).toBe('failed')
  expect(strict?.failureMessages.join()).toContain('not run: no moon (install: apt install moon)')
})
