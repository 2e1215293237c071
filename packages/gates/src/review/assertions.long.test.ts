import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange } from '../testing/change.ts'
import { checkAssertions } from './assertions.ts'

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

async function look(base: Files, head: Files, command: string) {
  const made = makeChange({ '.gitignore': 'node_modules\n__pycache__\n', ...base }, head)
  onTestFinished(made.remove)
  symlinkSync(packages, join(made.dir, 'node_modules'))
  const request = await made.request({ command })
  const result = await checkAssertions(made.options, request)
  const idle = result.is === 'failed' ? result.failures.map(({ file, line }) => `${file}:${line}`) : []
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: request.cwd, encoding: 'utf8' })
  return { result, idle, status, output: made.output(result) }
}

const head =
  "import assert from 'node:assert'\nimport test from 'node:test'\nimport { add } from '../src/add.mjs'\n"
const add = 'export const add = (a, b) => a + b\n'

test('node:test: honest assertions turn red, and the checkout is as it was', async () => {
  const text = `${head}test('adds', () => {
  assert.equal(add(1, 2), 3)
  assert.notEqual(add(1, 2), 4)
  assert.ok(add(1, 2) > 2)
  assert.throws(() => add(1, 2).none(), TypeError)
  assert.match(String(add(1, 2)), /3/)
})
test('adds more', async () => {
  assert.deepEqual([add(2, 2)], [4])
  if (process.platform === 'win32') assert.equal(add(1, 2), 3)
})
for (const n of [1, 2]) test(\`adds \${n}\`, () => assert.strictEqual(add(n, 1), n + 1))
`
  const { result, status, output } = await look(
    { 'package.json': '{}' },
    { 'src/add.mjs': add, 'test/add.test.mjs': text },
    'node --test',
  )
  expect(result, output).toMatchObject({ is: 'passed', gate: 'assertions' })
  expect(output.match(/: red when bent/g)).toHaveLength(7)
  expect(status).toBe('')
})

test('node:test: what is never reached, and what was disarmed, is refused', async () => {
  const text = `${head}test('adds', () => {
  assert.equal(add(1, 2), 3)
  if (add(1, 2) !== 3) assert.equal(add(1, 2), 3)
})
test('later', () => {
  setTimeout(() => assert.equal(add(1, 2), 3), 1e3).unref()
})
test('swallowed', () => {
  try { assert.equal(add(1, 2), 3) } catch {}
})
`
  const lie = await look(
    { 'package.json': '{}' },
    { 'src/add.mjs': add, 'test/add.test.mjs': text },
    'node --test',
  )
  expect(lie.idle.toSorted(), lie.output).toEqual([
    'test/add.test.mjs:12',
    'test/add.test.mjs:6',
    'test/add.test.mjs:9',
  ])
  const disarmed = `import assert from 'node:assert'\nassert.equal = () => {}\n${add}`
  const other = await look(
    { 'package.json': '{}' },
    {
      'src/add.mjs': disarmed,
      'test/add.test.mjs': `${head}test('adds', () => assert.equal(add(1, 2), 5))\n`,
    },
    'node --test',
  )
  expect(other.idle, other.output).toEqual(['test/add.test.mjs:4'])
})

test('vitest: honest ones turn red, a comparison that always holds is refused', async () => {
  const text = `import { expect, test } from 'vitest'
import { add } from '../src/add.mjs'
test('adds', async () => {
  expect(add(1, 2)).toBe(3)
  expect(add(1, 2)).not.toBe(4)
  expect([add(1, 2)]).toContain(3)
  expect(() => add(1, 2).none()).toThrow()
  await expect(Promise.resolve(add(1, 2))).resolves.toEqual(3)
})
`
  const honest = await look(
    { 'package.json': '{}' },
    { 'src/add.mjs': add, 'test/add.test.js': text },
    'npx vitest run',
  )
  expect(honest.idle, honest.output).toEqual([])
  expect(honest.output).toContain(': red when bent')
  const always = `Object.is = () => true\n${add}`
  const short =
    "import { expect, test } from 'vitest'\nimport { add } from '../src/add.mjs'\ntest('adds', () => expect(add(1, 2)).toBe(4))\n"
  const lie = await look(
    { 'package.json': '{}' },
    { 'src/add.mjs': always, 'test/add.test.js': short },
    'npx vitest run',
  )
  expect(lie.idle, lie.output).toEqual(['test/add.test.js:3'])
})

test('pytest: honest ones turn red, a value that equals everything is refused', async () => {
  const text = `import pytest
from calc import add

def test_adds():
    assert add(1, 2) == 3
    assert add(1, 2) != 4, 'ü'
    with pytest.raises(TypeError):
        add('a', 1)

@pytest.mark.parametrize('n', [1, 2])
def test_more(n):
    assert add(n, 1) in (2, 3)
`
  const command = 'python3 -m pytest -q -p no:cacheprovider'
  const honest = await look(
    { 'README.md': '' },
    { 'calc.py': 'def add(a, b):\n    return a + b\n', 'test_calc.py': text },
    command,
  )
  expect(honest.result, honest.output).toMatchObject({ is: 'passed' })
  expect(honest.output.match(/: red when bent/g)).toHaveLength(4)
  const lying =
    'class Any:\n    def __eq__(self, other):\n        return True\n\ndef add(a, b):\n    return Any()\n'
  const lie = await look(
    { 'README.md': '' },
    {
      'calc.py': lying,
      'test_calc.py': 'from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
    },
    command,
  )
  expect(lie.idle, lie.output).toEqual(['test_calc.py:4'])
})
