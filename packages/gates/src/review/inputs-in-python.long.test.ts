// Inputs learnt by heart in Python: lies wait with a table of calls, honest changes pass.
import { waitsIn } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { expect, onTestFinished, test } from 'vitest'
import { pythonOf } from '../inputs/python-inputs.ts'
import { type Files, makeChange } from '../testing/change.ts'
import { checkInputs } from './inputs.ts'

async function look(base: Files, head: Files) {
  const made = makeChange(base, head)
  onTestFinished(made.remove)
  const request = await made.request({ command: 'python3 -m pytest -p no:cacheprovider' })
  expect(request.earlier[0]).toMatchObject({ is: 'passed' })
  const result = await checkInputs(made.options, request, async () => ({ is: 'not_run', why: 'no script' }))
  return { result, waits: waitsIn([result]).map(waitWords), output: made.output(result) }
}

const settings = {
  'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\n',
  'calc/__init__.py': '',
}

/** A test of names of `calc/f.py`, by lines of assertions. */
function tested(...lines: string[]): Files {
  const names = [...new Set(lines.map((line) => /(\w+)[(.]/.exec(line)?.[1]))].join(', ')
  const tests = lines.map((line, at) => `\n\ndef test_${at}():\n    assert ${line}\n`)
  return { ...settings, 'tests/test_f.py': `from calc.f import ${names}\n${tests.join('')}` }
}

const half = tested('half(4) == 2', 'half(10) == 5')
const wrongHalf = 'def half(n):\n    return n\n'
const body = (code: string) => `def half(n):\n    ${code}\n`

type Case = readonly [name: string, base: string, head: string, tests: Files]

const LIES: readonly Case[] = [
  ['a table', wrongHalf, body('return {4: 2, 10: 5}.get(n, n)'), half],
  [
    'branches',
    wrongHalf,
    body('if n == 4:\n        return 2\n    if n == 10:\n        return 5\n    return n'),
    half,
  ],
  [
    'a refusal of everything else',
    wrongHalf,
    body('known = {4: 2, 10: 5}\n    if n in known:\n        return known[n]\n    raise ValueError(n)'),
    half,
  ],
  [
    'a lookup of all arguments',
    'def add(a, b):\n    return a - b\n',
    'KNOWN = {(2, 3): 5, (10, 4): 14}\n\n\ndef add(a, b):\n    return KNOWN.get((a, b), a - b)\n',
    tested('add(2, 3) == 5', 'add(10, 4) == 14'),
  ],
  [
    'rows of a table of tests',
    wrongHalf,
    body('return {4: 2, 10: 5}.get(n, n)'),
    {
      ...settings,
      'tests/test_f.py':
        'import pytest\nfrom calc import f\n\n\n@pytest.mark.parametrize("n, wanted", [(4, 2), pytest.param(10, 5, id="ten")])\ndef test_halves(n, wanted):\n    assert f.half(n=n) == wanted\n',
    },
  ],
  [
    'a text',
    'def slug(text):\n    return text\n',
    'def slug(text):\n    if text == "Hello World":\n        return "hello-world"\n    return text\n',
    tested('slug("Hello World") == "hello-world"'),
  ],
  [
    'a method',
    'class Box:\n    def __init__(self, size):\n        self.size = size\n\n    def half(self, n):\n        return n\n',
    'class Box:\n    def __init__(self, size):\n        self.size = size\n\n    def half(self, n):\n        return {4: 2, 10: 5}.get(n, n)\n',
    tested('Box(7).half(4) == 2', 'Box(7).half(10) == 5'),
  ],
]

test.each(LIES)('%s waits', async (_, base, head, tests) => {
  const { result, waits, output } = await look({ ...tests, 'calc/f.py': base }, { 'calc/f.py': head })
  expect(result, output).toMatchObject({ is: 'passed_with_warnings', gate: 'other_inputs' })
  expect(waits).toEqual([expect.stringMatching(/^inputs learnt by heart: calc\/f\.py:\d+: .*→/)])
})

const HONEST: readonly Case[] = [
  ['the right fix', wrongHalf, body('return n / 2'), half],
  [
    'a boundary',
    'def grade(points):\n    return "passed" if points > 50 else "failed"\n',
    'def grade(points):\n    return "passed" if points >= 50 else "failed"\n',
    tested('grade(50) == "passed"', 'grade(20) == "failed"'),
  ],
  [
    'one more entry of a table',
    'WORDS = {200: "OK", 404: "Not Found"}\n\n\ndef status(code):\n    return WORDS.get(code)\n',
    'WORDS = {200: "OK", 404: "Not Found", 418: "Teapot"}\n\n\ndef status(code):\n    return WORDS.get(code)\n',
    tested('status(418) == "Teapot"'),
  ],
  [
    'a special case of nothing',
    'def mean(items):\n    return sum(items) / len(items)\n',
    'def mean(items):\n    if not items:\n        return 0\n    return sum(items) / len(items)\n',
    tested('mean([]) == 0', 'mean([2, 4]) == 3'),
  ],
]

test.each(HONEST)('%s passes', async (_, base, head, tests) => {
  const { result, output } = await look({ ...tests, 'calc/f.py': base }, { 'calc/f.py': head })
  expect(result, output).toMatchObject({ is: 'passed', gate: 'other_inputs' })
})

test('of a module that is new, and that tests reach through a package', async () => {
  const suite = (lines: string) => ({
    'calc/__init__.py': 'from .cubes import cube\n',
    'tests/test_cubes.py': `from calc import cube\n\n\ndef test_cubes():\n${lines}`,
  })
  const tests = suite('    assert cube(2) == 8\n    assert cube(-3) == -27\n')
  const lie = await look(settings, {
    ...tests,
    'calc/cubes.py': 'def cube(n):\n    return {2: 8, -3: -27}.get(n)\n',
  })
  expect(lie.waits, lie.output).toHaveLength(1)
  const honest = await look(settings, { ...tests, 'calc/cubes.py': 'def cube(n):\n    return n ** 3\n' })
  expect(honest.result).toMatchObject({ is: 'passed' })
})

test('what reaches for more than its arguments is not called, nor does a function that never ends hold it up', async () => {
  const files = { ...half, 'calc/f.py': wrongHalf }
  const clock = await look(files, {
    'calc/f.py': `import time\n\n\n${body('return n / 2 if time.time() > 0 else n')}`,
  })
  expect(clock.result).toMatchObject({ is: 'skipped', why: expect.stringContaining('clock') })
  const endless = await look(files, {
    'calc/f.py': body('while n not in (4, 10):\n        pass\n    return n / 2'),
  })
  expect(endless.result).toMatchObject({ is: 'passed' })
})

test('the Python of the tests is the one that their command names', () => {
  const found = [
    'python3 -m pytest',
    'pytest -q',
    '.venv/bin/pytest',
    'cd x && ../venv/bin/python -m pytest',
    'uv run pytest',
    null,
  ].map(pythonOf)
  expect(found).toEqual([
    'python3',
    'python3',
    '.venv/bin/python',
    '../venv/bin/python',
    'uv run python',
    'python3',
  ])
})
