// A test that failed before the change and passes now is run again before anybody believes it.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../../tools/env.ts'
import { openGates } from '../gates.ts'
import { unconfined } from '../run-command.ts'

const timeoutMs = 50_000
const failuresOf = (gate: GateResult) => (gate.is === 'failed' ? gate.failures : [])

/** In each run the test does what the next letter says: p passes, f fails, x ends the process. */
function setUp(runs: string) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-fixed-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'project')
  mkdirSync(cwd)
  const count = JSON.stringify(join(dir, 'count'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'steady.test.js'), `import test from 'node:test'\ntest('steady', () => {})\n`)
  writeFileSync(
    join(cwd, 'shaky.test.js'),
    `import { appendFileSync, readFileSync } from 'node:fs'
import test from 'node:test'
test('shaky', () => {
  appendFileSync(${count}, '.')
  const now = '${runs}'[readFileSync(${count}, 'utf8').length - 1]
  if (now === 'x') process.exit(7)
  if (now === 'f') throw new Error('not this time')
})
`,
  )
  const gates = openGates({
    evidenceDir: join(dir, 'evidence'),
    env: { PATH: toolEnv.path, HOME: dir },
    tailBytes: 4_000,
    surroundings: unconfined('test'),
  })
  const request = { cwd, command: 'node --test', timeoutMs }
  const confirm = async () => {
    const fixed = failuresOf(await gates.runTests(request))
    const result = await gates.runTests(request)
    return { result, settled: await gates.confirmFixed({ ...request, result, fixed }) }
  }
  return { confirm }
}

test('one that fails again was mended by luck: it is reported as flaky and blocks', async () => {
  const { settled } = await setUp('fppf').confirm()
  expect(settled).toMatchObject({
    is: 'failed',
    gate: 'tests_pass',
    failures: [{ id: 'shaky.test.js > shaky', file: 'shaky.test.js' }],
  })
  const [message] = failuresOf(settled).map((failure) => failure.message)
  expect(message).toMatch(/^flaky: shaky.test.js > shaky passed 2 of 3 runs on the same tree/)
  expect(message).toContain('not this time')
})

test('one that passes every time is mended, and nothing is said', async () => {
  const { result, settled } = await setUp('fppp').confirm()
  expect(settled).toBe(result)
})

test('a run that ends without a word about the test proves nothing', async () => {
  const { settled } = await setUp('fpxp').confirm()
  expect(settled).toMatchObject({ is: 'passed' })
})

test('nothing is run where nothing failed before', async () => {
  const { result, settled } = await setUp('ppff').confirm()
  expect(settled).toBe(result)
})
