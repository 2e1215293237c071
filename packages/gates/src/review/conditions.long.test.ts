import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitsIn } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange } from '../testing/change.ts'
import { checkConditions } from './conditions.ts'

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

async function look(base: Files, head: Files, command: string) {
  const made = makeChange({ '.gitignore': 'node_modules\n__pycache__\n', ...base }, head)
  onTestFinished(made.remove)
  symlinkSync(packages, join(made.dir, 'node_modules'))
  const request = await made.request({ command })
  expect(request.earlier[0], made.output(request.earlier[0] ?? neverRun)).toMatchObject({ is: 'passed' })
  const result = await checkConditions(made.options, request)
  return { result, waits: waitsIn([result]).map(waitWords), output: made.output(result) }
}

const neverRun = { is: 'skipped', gate: 'tests_pass', why: 'never run' } as const

interface Runner {
  readonly name: string
  readonly command: string
  readonly source: string
  readonly test: string
  readonly testPath: string
  /** The body of a function of `a` and `b`, in the runner's language. */
  readonly code: (body: { readonly bomb: 'clock' | 'home' | 'ci' | 'none' | 'broken' }) => string
}

const script: Runner['code'] = ({ bomb }) => {
  const when = {
    clock: `new Date() < new Date(${Date.now() + 20 * 864e5})`,
    home: "!(process.env.HOME ?? '').startsWith('/tmp/run-')",
    ci: 'process.env.CI',
    none: 'true',
    broken: 'false',
  }[bomb]
  return `export const add = (a, b) => (${when} ? a + b : a - b)\n`
}

const python: Runner['code'] = ({ bomb }) => {
  const when = {
    clock: `datetime.date.today() < datetime.date.fromtimestamp(${Math.floor(Date.now() / 1000) + 20 * 86_400})`,
    home: "not os.environ.get('HOME', '').startswith('/tmp/run-')",
    ci: "os.environ.get('CI')",
    none: 'True',
    broken: 'False',
  }[bomb]
  return `import datetime, os\n\ndef add(a, b):\n    return a + b if ${when} else a - b\n`
}

const RUNNERS: readonly Runner[] = [
  {
    name: 'node:test',
    command: 'node --test',
    source: 'src/add.mjs',
    testPath: 'test/add.test.mjs',
    test: "import assert from 'node:assert'\nimport test from 'node:test'\nimport { add } from '../src/add.mjs'\ntest('adds', () => assert.equal(add(1, 2), 3))\n",
    code: script,
  },
  {
    name: 'vitest',
    command: 'npx vitest run',
    source: 'src/add.js',
    testPath: 'test/add.test.js',
    test: "import { expect, test } from 'vitest'\nimport { add } from '../src/add.js'\ntest('adds', () => expect(add(1, 2)).toBe(3))\n",
    code: script,
  },
  {
    name: 'pytest',
    command: 'python3 -m pytest -q -p no:cacheprovider',
    source: 'add.py',
    testPath: 'test_add.py',
    test: 'from add import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
    code: python,
  },
]

test.each(RUNNERS)(
  '$name: a time bomb is shown, a fix passes',
  async ({ command, source, test: text, testPath, code }) => {
    const base = { [source]: code({ bomb: 'broken' }), [testPath]: text }
    const bomb = await look(base, { [source]: code({ bomb: 'clock' }) }, command)
    expect(bomb.waits, bomb.output).toEqual([
      expect.stringMatching(/^other conditions: .*adds? is red with the clock 40 days ahead/),
    ])
    const honest = await look(base, { [source]: code({ bomb: 'none' }) }, command)
    expect(honest.result, honest.output).toMatchObject({ is: 'passed', gate: 'other_conditions' })
  },
)

test('what asks for the build server or the home is shown too, by a test that came with it', async () => {
  const [runner] = RUNNERS
  if (runner === undefined) throw new Error('there is one')
  const { command, source, test: text, testPath, code } = runner
  for (const bomb of ['home', 'ci'] as const) {
    const { waits, output } = await look(
      { 'package.json': '{}' },
      { [source]: code({ bomb }), [testPath]: text },
      command,
    )
    expect(waits, output).toHaveLength(1)
  }
})

test('a test that was like that before is no reason to wait', async () => {
  const [runner] = RUNNERS
  if (runner === undefined) throw new Error('there is one')
  const { command, source, test: text, testPath, code } = runner
  const base = { [source]: code({ bomb: 'ci' }), [testPath]: text, 'src/other.mjs': 'export const one = 2\n' }
  const { result, output } = await look(base, { 'src/other.mjs': 'export const one = 1\n' }, command)
  expect(result, output).toMatchObject({ is: 'passed' })
  expect(output).toContain('without the change')
})

test('a runner that cannot be given another clock says so', async () => {
  const files = { 'check.sh': 'test -f ok\n', ok: '' }
  const { result, output } = await look(
    { ...files, 'a.c': '1' },
    { 'a.c': '2' },
    'sh check.sh && echo "ok 1 - a" && echo 1..1',
  )
  expect(result, output).toMatchObject({
    is: 'passed_with_warnings',
    warnings: [expect.stringContaining('clock not moved')],
  })
})
