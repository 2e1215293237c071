import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { redFiles, redTests } from './red-results.ts'
import type { TestResult, TierResults } from './trace-results.ts'

const result = (title: string, state: TestResult['state']): TestResult => ({ title, ids: [], state, ms: 1 })
const file = (tests: TestResult[], loaded = true) => ({ at: '2026-01-01T00:00:00Z', loaded, ms: 1, tests })

const run: TierResults = {
  tier: 'long',
  tree: 'a',
  at: '2026-01-01T00:00:00Z',
  whole: true,
  files: {
    'green.test.ts': file([result('holds', 'passed'), result('no browser', 'not-run')]),
    'red.test.ts': file([result('holds', 'passed'), result('does not', 'failed')]),
    'broken.test.ts': file([], false),
  },
}

test('red is what failed and what did not load', () => {
  expect(redFiles(run)).toEqual(['red.test.ts', 'broken.test.ts'])
  expect(redTests(run)).toEqual(['red.test.ts: does not', 'broken.test.ts: did not load'])
})

test('an unknown tier is refused with the words to type', () => {
  const script = fileURLToPath(new URL('again.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, 'soon'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain('npm run again -- quick')
})
