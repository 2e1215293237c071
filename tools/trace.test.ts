import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A checkout with the real tools, the real requirements and two test files. */
function checkout(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-trace-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const filter = (from: string) => !from.endsWith('.test.ts')
  for (const name of ['tools', 'requirements', 'vitest.config.ts', 'tsconfig.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n/.trace/\n/.cache/\n')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const head = `import { expect } from 'vitest'\nimport { verifies } from '${folder}/requirements/verifies.ts'\n`
  const pass = (ids: string) =>
    `verifies(${ids}, 'test of ${ids.replaceAll("'", '')}', () => { expect(1).toBe(1) })\n`
  writeFileSync(join(folder, 'a.test.ts'), `${head}${pass("'AC-2.1.c'")}${pass("'AC-2.1.a'")}`)
  const fail = "verifies('AC-2.1.a', 'fails', () => { expect(1).toBe(2) })\n"
  writeFileSync(
    join(folder, 'b.test.ts'),
    `${head}${pass("['AC-2.1.d', 'AC-2.1.c', 'AC-2.1.b', 'AC-2.1.e']")}${fail}`,
  )
  return folder
}

function runTests(folder: string, ...args: string[]): string {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const added = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    CI: '1',
    TREADLE_TEST_DATABASE_URL: 'postgres://unused',
  }
  const ran = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: added,
  })
  return ran.stdout + ran.stderr
}

function trace(folder: string, ...args: string[]): string {
  return execFileSync(process.execPath, ['tools/trace.ts', ...args], { cwd: folder, encoding: 'utf8' })
}

test('test commands leave results that trace reads, for exactly the tree they ran on', () => {
  const folder = checkout()
  expect(JSON.parse(trace(folder, '--json'))).toMatchObject({
    total: expect.any(Number),
    verified: 0,
    ran: false,
  })

  expect(runTests(folder)).toContain('Traced')
  const report = JSON.parse(trace(folder, '--json'))
  // AC-2.1.a passes in one file and fails in the other, so it is not verified.
  expect(report).toMatchObject({ ran: true, verified: 4, failed: ['b.test.ts: fails'] })
  expect(report.groups.queue.missing).toContain('AC-2.1.a')
  expect(report.groups.queue.missing).not.toContain('AC-2.1.c')
  expect(report.manyIds).toHaveLength(1)
  expect(report.tiers.quick).toMatchObject({ whole: true, tests: 4 })

  runTests(folder, 'a.test.ts')
  expect(JSON.parse(trace(folder, '--json'))).toMatchObject({ ran: true, verified: 4 })
  runTests(folder, '-t', 'AC-2.1.c')
  expect(JSON.parse(trace(folder, '--json'))).toMatchObject({ ran: true, verified: 4 })

  writeFileSync(join(folder, 'new-file.ts'), 'export {}\n')
  expect(trace(folder)).toContain('verified: 0, ran: false')
})
