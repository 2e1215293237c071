// Real projects, real runners: tests are run once more, and what each of them ran tells causes apart.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { unconfined } from './run-command.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const timeoutMs = 60_000

const source = `
export function plan(kind, n) {
  if (kind === 'sum') {
    return n + n
  }
  if (kind === 'square') {
    return n * n
  }
  return [1, 2].map((each) => each * n)
}
`
const suite = (header: string) => `${header}
import { plan } from '../src/plan.js'
test('sums', () => same(plan('sum', 2), 5))
test('sums more', () => same(plan('sum', 3), 7))
test('squares', () => same(plan('square', 3), 10))
test('lists', () => same(plan('list', 1)[1], 2))
`
const headers = {
  'node --test': `import test from 'node:test'\nimport { equal as same } from 'node:assert'`,
  'node --test --test-isolation=none': `import test from 'node:test'\nimport { equal as same } from 'node:assert'`,
  'vitest run': `import { expect, test } from 'vitest'\nconst same = (a, b) => expect(a).toBe(b)`,
}

function setUp(command: keyof typeof headers, { trace = true, marks = false } = {}) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-watched-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'project')
  const files = {
    'package.json': '{ "type": "module" }',
    'src/plan.js': source,
    'test/plan.test.js': `${suite(headers[command])}
${marks ? `const { appendFileSync } = await import('node:fs')\nappendFileSync(${JSON.stringify(join(dir, 'runs'))}, '.')` : ''}`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  symlinkSync(modules, join(cwd, 'node_modules'), 'dir')
  const env = { PATH: `${join(modules, '.bin')}:${toolEnv.path}`, HOME: dir }
  const gates = openGates({
    evidenceDir: join(dir, 'state', 'evidence'),
    env,
    tailBytes: 4_000,
    trace,
    surroundings: unconfined('test'),
  })
  const look = async () => {
    const gate = await gates.runTests({ cwd, command, timeoutMs })
    if (gate.is !== 'failed') throw new Error(`the tests: ${gate.is}`)
    const run = { command, timeoutMs, tookMs: gate.evidence.durationMs }
    return { gate, hints: () => gates.hints({ cwd, failures: gate.failures, run }) }
  }
  return { dir, cwd, look }
}

test.each(Object.keys(headers) as (keyof typeof headers)[])(
  '%s: each branch with the tests that ran it',
  async (command) => {
    const { look } = setUp(command)
    const before = new Set(readdirSync(tmpdir()))
    const { hints } = await look()
    const { parts = [] } = await hints()
    const shown = parts.map(({ fn, failing, passing }) => {
      const names = [...failing].map((id) => id.replace('test/plan.test.js > ', '')).sort()
      return `${fn} ${names.join('+')} ${passing}`
    })
    expect(shown.sort()).toEqual([
      'src/plan.js#plan squares 0',
      'src/plan.js#plan squares 1',
      'src/plan.js#plan squares+sums+sums more 1',
      'src/plan.js#plan sums+sums more 0',
    ])
    // Nothing of it is left behind.
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('record-') && !before.has(name))).toEqual(
      [],
    )
  },
)

test('the same failures on the same files are looked at once; after an edit again', async () => {
  const { dir, cwd, look } = setUp('node --test', { marks: true })
  const { hints } = await look()
  const runs = () => readdirSync(dir).includes('runs')
  expect(runs()).toBe(true)
  const first = await hints()
  expect(await hints()).toMatchObject({ parts: first.parts })
  rmSync(join(dir, 'runs'))
  await hints()
  expect(runs()).toBe(false)
  writeFileSync(join(cwd, 'src/plan.js'), `${source}\n// changed`)
  await hints()
  expect(runs()).toBe(true)
})

test('where it is switched off the sources alone speak', async () => {
  const { dir, look } = setUp('node --test', { trace: false, marks: true })
  const { gate, hints } = await look()
  rmSync(join(dir, 'runs'))
  const { parts, reachedBy } = await hints()
  expect(parts).toBeUndefined()
  expect([...reachedBy(gate.failures[0] ?? expect.fail()).keys()]).toEqual(['src/plan.js#plan'])
  expect(existsSync(join(dir, 'runs'))).toBe(false)
})
