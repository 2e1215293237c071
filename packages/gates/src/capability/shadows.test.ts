import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findShadows } from './shadows.ts'

type Files = Readonly<Record<string, string | null>>

const SCRIPTS: Files = {
  'package.json': '{ "name": "x", "main": "./src/index.js" }',
  'src/index.js': "export { add } from './add.js'\n",
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'src/sum.ts': 'export const sum = (a: number, b: number) => a - b\n',
  'src/list/index.js': 'exports.list = []\n',
  'src/data.json': '{}',
  'test/add.test.js': "import assert from 'node:assert'\nimport { add } from '../src/add.js'\n",
  'test/sum.test.ts': "import { sum } from '../src/sum.js'\nimport { expect } from 'vitest'\n",
  'test/list.test.cjs': "const { list } = require('../src/list')\nconst data = require('../src/data')\n",
  'vite.config.ts': 'export default {}\n',
}

const PYTHON: Files = {
  'calc.py': 'def square(x):\n    return x\n',
  'pkg/__init__.py': '',
  'pkg/core.py': 'import math\n',
  'tests/test_calc.py': 'import json\nfrom calc import square\nimport requests\n',
  'tests/conftest.py': 'import pytest\n\n@pytest.fixture\ndef number():\n    return 4\n',
  'pyproject.toml':
    '[project]\ndependencies = ["requests>=2"]\n\n[tool.pytest.ini_options]\naddopts = "-W error"\n',
}

async function shadows(base: Files, head: Files): Promise<string[]> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'shadows-')))
  try {
    for (const [name, text] of Object.entries({ ...base, ...head })) {
      if (text === null) continue
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      writeFileSync(join(cwd, name), text)
    }
    const { refused, waits } = await findShadows({
      cwd,
      changed: Object.keys(head),
      readBase: async (path) => base[path] ?? null,
    })
    return [
      ...refused.map(({ file, what }) => `refused ${file}: ${what}`),
      ...waits.map(({ file, words }) => `waits ${file}: ${words}`),
    ]
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

test.each<[what: string, base: Files, head: Files, said: RegExp]>([
  [
    'a script in the place of TypeScript',
    SCRIPTS,
    { 'src/sum.js': 'export const sum = () => 3\n' },
    /^refused src\/sum\.js: .*src\/sum\.ts.*test\/sum\.test\.ts/,
  ],
  [
    'a file in the place of a folder',
    SCRIPTS,
    { 'src/list.js': 'exports.list = [1]\n' },
    /^refused src\/list\.js: .*src\/list\/index\.js/,
  ],
  [
    'code in the place of data',
    SCRIPTS,
    { 'src/data.js': 'module.exports = { a: 1 }\n' },
    /^refused src\/data\.js: .*src\/data\.json/,
  ],
  [
    'TypeScript that a loader prefers',
    SCRIPTS,
    { 'test/more.test.ts': "import { add } from '../src/add.js'\n", 'src/add.ts': 'export const add = 1\n' },
    /^(refused|waits) src\/add\.ts: .*src\/add\.js/,
  ],
  [
    'a package of the same name, nearer',
    SCRIPTS,
    { 'test/node_modules/vitest/index.js': 'export const expect = () => {}\n' },
    /^refused test\/node_modules\/vitest\/index\.js/,
  ],
  [
    'a manifest that points elsewhere',
    SCRIPTS,
    { 'src/list/package.json': '{ "main": "./other.js" }', 'src/list/other.js': 'exports.list = [1]\n' },
    /^refused src\/list\/package\.json/,
  ],
  [
    'a runner configuration before the one that was read',
    SCRIPTS,
    { 'vitest.config.ts': 'export default {}\n' },
    /^refused vitest\.config\.ts: .*vite\.config\.ts/,
  ],
  [
    'a look-alike path',
    SCRIPTS,
    { 'src/\u0430dd.js': 'export const add = (a, b) => 3\n' },
    /^refused src\/\u0430dd\.js: .*src\/add\.js/,
  ],
  [
    'a look-alike name',
    SCRIPTS,
    {
      'test/add.test.js':
        "import assert from 'node:assert'\nconst \u0430ssert = { equal() {} }\n\u0430ssert.equal(1, 2)\nassert.ok(1)\n",
    },
    /^refused test\/add\.test\.js: .*assert/,
  ],
  [
    'a name with a letter that nobody sees',
    SCRIPTS,
    { 'src/add.js': 'export const add = (a, b) => a - b\nconst add\u200d = 1\n' },
    /^refused src\/add\.js: .*add/,
  ],
  [
    'a module of the language',
    PYTHON,
    { 'tests/json.py': 'def loads(x):\n    return 1\n' },
    /^refused tests\/json\.py/,
  ],
  ['the runner itself', PYTHON, { 'pytest.py': 'def main(): pass\n' }, /^refused pytest\.py/],
  ['a package that is installed', PYTHON, { 'requests/__init__.py': '' }, /^refused requests\/__init__\.py/],
  [
    'a module nearer to the tests',
    PYTHON,
    { 'tests/calc.py': 'def square(x):\n    return 4\n' },
    /^refused tests\/calc\.py: .*calc\.py/,
  ],
  [
    'a package before a module',
    PYTHON,
    { 'calc/__init__.py': 'square = 4\n' },
    /^refused calc\/__init__\.py/,
  ],
  [
    'compiled code before its source',
    PYTHON,
    { '__pycache__/calc.cpython-311.pyc': 'x' },
    /^refused __pycache__\/calc\.cpython-311\.pyc: .*calc\.py/,
  ],
  ['machine code before its source', PYTHON, { 'calc.abi3.so': 'x' }, /^refused calc\.abi3\.so: .*calc\.py/],
  [
    'settings before the ones that held',
    PYTHON,
    { 'pytest.ini': '' },
    /^refused pytest\.ini: .*pyproject\.toml/,
  ],
  [
    'a fixture nearer to the tests',
    PYTHON,
    { 'tests/unit/conftest.py': 'import pytest\n\n@pytest.fixture\ndef number():\n    return 5\n' },
    /^refused tests\/unit\/conftest\.py: .*number/,
  ],
  [
    'a fixture that is added to a file',
    PYTHON,
    {
      'tests/conftest.py':
        'import pytest\n\n@pytest.fixture\ndef number():\n    return 4\n\n@pytest.fixture(name="capsys")\ndef quiet():\n    return 4\n',
    },
    /^refused tests\/conftest\.py: .*capsys/,
  ],
  [
    'a fixture of the runner',
    PYTHON,
    { 'tests/unit/conftest.py': 'import pytest\n\n@pytest.fixture\ndef tmp_path():\n    return 5\n' },
    /^refused tests\/unit\/conftest\.py: .*tmp_path/,
  ],
])('%s is refused', async (_what, base, head, said) => {
  expect((await shadows(base, head)).join('\n')).toMatch(said)
})

test.each<[what: string, base: Files, head: Files]>([
  ['a fix', SCRIPTS, { 'src/add.js': 'export const add = (a, b) => a + b\n' }],
  [
    'a new source with its test',
    SCRIPTS,
    { 'src/mul.js': '', 'test/mul.test.js': '', 'src/util/index.js': '' },
  ],
  [
    'names of the language, which a script does not shadow',
    SCRIPTS,
    { 'src/assert.js': '', 'src/path.ts': '' },
  ],
  ['a file that moves to TypeScript', SCRIPTS, { 'src/add.js': null, 'src/add.ts': '' }],
  ['a file that becomes a folder', SCRIPTS, { 'src/add.js': null, 'src/add/index.js': '' }],
  ['types beside a script', SCRIPTS, { 'src/add.d.ts': 'export const add: Function\n' }],
  ['a package in a fixture', SCRIPTS, { 'test/fixtures/app/node_modules/a/index.js': '' }],
  [
    'a new package of the workspace',
    SCRIPTS,
    { 'packages/a/package.json': '{ "main": "./index.js" }', 'packages/a/index.js': '' },
  ],
  [
    'words of another alphabet',
    SCRIPTS,
    {
      'src/add.js':
        "export const add = (a, b) => a + b // \u0430 \u0434\u0432\u0430\nconst сумма = 'r\u0430w'\n",
    },
  ],
  ['a style beside a component', SCRIPTS, { 'src/add.css': '', 'src/add.stories.js': '' }],
  ['a fix in Python', PYTHON, { 'calc.py': 'def square(x):\n    return x * x\n' }],
  ['a new module with its test', PYTHON, { 'shapes.py': '', 'tests/test_shapes.py': 'import shapes\n' }],
  ['a name of the language inside of a package', PYTHON, { 'pkg/json.py': '' }],
  ['a helper of the tests', PYTHON, { 'tests/helpers.py': '', 'tests/__init__.py': '' }],
  [
    'a module that becomes a package',
    PYTHON,
    { 'calc.py': null, 'calc/__init__.py': 'def square(x): pass\n' },
  ],
  [
    'a new fixture',
    PYTHON,
    { 'tests/unit/conftest.py': 'import pytest\n\n@pytest.fixture\ndef word():\n    return 5\n' },
  ],
  ['a fixture file', PYTHON, { 'tests/data/json.txt': '' }],
])('%s shadows nothing', async (_what, base, head) => {
  expect(await shadows(base, head)).toEqual([])
})
