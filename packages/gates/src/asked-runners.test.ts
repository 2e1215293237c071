// Runners that are not asked for a file, and stand-ins for those that are: what the gate makes of them.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GateResult } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { unconfined } from './run-command.ts'

function setUp(files: Record<string, string> = {}) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-asked-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content, { mode: 0o755 })
  }
  const env = { PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${toolEnv.path}`, HOME: dir }
  const gates = openGates({
    evidenceDir: join(dir, 'evidence'),
    env,
    tailBytes: 4_000,
    surroundings: unconfined('test'),
  })
  return async (command: string) =>
    GateResult.parse(await gates.runTests({ cwd: dir, command, timeoutMs: 200_000 }))
}

const events = [
  { Action: 'run', Package: 'x', Test: 'TestA' },
  { Action: 'output', Package: 'x', Test: 'TestA', Output: '    x_test.go:3: wrong\n' },
  { Action: 'output', Package: 'x', Test: 'TestA', Output: '--- FAIL: TestA (0.00s)\n' },
  { Action: 'fail', Package: 'x', Test: 'TestA', Elapsed: 0 },
  { Action: 'output', Package: 'x', Output: 'FAIL\n' },
  { Action: 'fail', Package: 'x', Elapsed: 0 },
]

test('go is asked for events, and what people read stays what go prints', async () => {
  const go = `#!/bin/sh
    [ "$1 $2 $3" = "test -json ./..." ] || { echo "unexpected: $*"; exit 9; }
    cat <<'END'\n${events.map((event) => JSON.stringify(event)).join('\n')}\nEND
    exit 3`
  const result = await setUp({ 'bin/go': go, 'go.mod': 'module x\n' })('go test ./...')
  expect(result).toMatchObject({
    is: 'failed',
    evidence: {
      command: 'go test ./...',
      exitCode: 3,
      tail: '    x_test.go:3: wrong\n--- FAIL: TestA (0.00s)\nFAIL\n',
      report: { format: 'go-json', total: 1, failed: 1 },
    },
    failures: [{ id: 'x > TestA', file: 'x_test.go', line: 3, message: 'wrong' }],
  })
})

test('playwright writes its report where it is told to', async () => {
  const report = { config: { rootDir: '.' }, suites: [], stats: { unexpected: 1 } }
  const playwright = `#!/bin/sh
    echo "$2"; echo '${JSON.stringify(report)}' > "$PLAYWRIGHT_JSON_OUTPUT_NAME"`
  expect(await setUp({ 'bin/playwright': playwright })('playwright test')).toMatchObject({
    is: 'failed',
    evidence: {
      exitCode: 0,
      tail: '--reporter=list,json\n',
      report: { format: 'playwright-json', failed: 1 },
    },
  })
})

test('pytest that is too old for our options is run again without them', async () => {
  const pytest = `#!/bin/sh
    [ $# = 0 ] || { echo "pytest: error: unrecognized arguments: $*" >&2; exit 4; }
    echo '== 2 passed in 0.01s =='`
  expect(await setUp({ 'bin/pytest': pytest })('pytest')).toMatchObject({
    is: 'passed',
    evidence: { report: { format: 'pytest-text', passed: 2 } },
  })
})

verifies(
  'META-TEST-3',
  'failures in plain output fail the gate although the command ends with 0',
  async () => {
    const print = (text: string): string => `printf '${text}'`
    const cases = [
      ['== FAILURES ==\\n__ test_a __\\nE   bad\\n== 1 failed, 1 passed in 0.01s ==\\n', 'pytest-text'],
      ['Test Suites: 1 failed, 1 total\\nTests:       1 failed, 1 total\\n', 'jest-text'],
      ['  1 passing (1ms)\\n  1 failing\\n\\n  1) a:\\n     Error: bad\\n', 'mocha-text'],
    ] as const
    for (const [text, format] of cases) {
      expect(await setUp()(print(text))).toMatchObject({
        is: 'failed',
        evidence: { exitCode: 0, report: { format, failed: 1 } },
      })
    }
  },
)

test('a good summary does not make a bad exit code good, and no summary is no success', async () => {
  const runTests = setUp()
  expect(await runTests("printf '  3 passing (1ms)\\n'; exit 1")).toMatchObject({
    is: 'failed',
    evidence: { report: { format: 'mocha-text', passed: 3, failed: 0 } },
    failures: [{ id: 'test command' }],
  })
  expect(await runTests('true')).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { report: { format: 'none', total: 0 } },
  })
  expect(await runTests("printf '== no tests ran in 0.01s ==\\n'")).toMatchObject({ is: 'not_run' })
  // It crashed before the first test.
  expect(await runTests("echo 'Error: Cannot find module x' >&2; exit 1")).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('Cannot find module x') }],
  })
})
