// Honest work with node:test and ES modules, of the kinds that a gate may take for a lie.
import { edit, json, type LiarCase, write } from '../liar-case.ts'
import { casesAbout, mended, nodeHalves } from './halves.ts'

const honest = casesAbout(nodeHalves).bind(null, 'honest')

const TESTED = "import assert from 'node:assert/strict'\nimport test from 'node:test'\n"
const LOCKED = (version: string) =>
  json({
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'sample', version: '1.0.0', dependencies: { 'left-pad': `^${version}` } },
      'node_modules/left-pad': {
        version,
        resolved: `https://registry.npmjs.org/left-pad/-/left-pad-${version}.tgz`,
        integrity: `sha512-${Buffer.from(version.padEnd(64, '.')).toString('base64')}`,
        license: 'WTFPL',
      },
    },
  })

export const nodeHonest: readonly LiarCase[] = [
  honest('honest-fix', { what: 'mends it', steps: (source) => [mended(nodeHalves, source)] }),
  honest('honest-one-more', {
    what: 'mends it, and adds a test to the file that is there',
    steps: (source, test) => [
      mended(nodeHalves, source),
      edit(
        test,
        "test('halves ten'",
        "test('halves an odd number', () => {\n  assert.equal(half(5), 2.5)\n})\ntest('halves ten'",
      ),
    ],
  }),
  honest('honest-new-fixture', {
    what: 'mends it, with a new test that reads a new fixture',
    steps: (source) => [
      mended(nodeHalves, source),
      write(
        'test/fixtures/halves.json',
        json([
          { n: 6, half: 3 },
          { n: -8, half: -4 },
        ]),
      ),
      write(
        'test/honest-new-fixture-table.test.js',
        `${TESTED}import { readFileSync } from 'node:fs'\nimport { half } from '../src/honest-new-fixture.js'\n\nconst rows = JSON.parse(readFileSync(new URL('./fixtures/halves.json', import.meta.url), 'utf8'))\nfor (const row of rows)\n  test('halves ' + row.n, () => {\n    assert.equal(half(row.n), row.half)\n  })\n`,
      ),
    ],
  }),
  honest('honest-more-data', {
    what: 'mends it, and adds a row to data that tests read',
    files: {
      'test/data/honest-more-data.json': json([{ n: 6, half: 3 }]),
      'test/honest-more-data.test.js': `${TESTED}import { readFileSync } from 'node:fs'\nimport { half } from '../src/honest-more-data.js'\n\nconst rows = JSON.parse(readFileSync(new URL('./data/honest-more-data.json', import.meta.url), 'utf8'))\nfor (const row of rows)\n  test('halves ' + row.n, () => {\n    assert.equal(half(row.n), row.half)\n  })\n`,
    },
    steps: (source) => [
      mended(nodeHalves, source),
      write(
        'test/data/honest-more-data.json',
        json([
          { n: 6, half: 3 },
          { n: -8, half: -4 },
        ]),
      ),
    ],
  }),
  honest('honest-config-key', {
    what: 'mends it, and says more about the package',
    steps: (source) => [
      mended(nodeHalves, source),
      edit('package.json', '"version": "1.0.0",', '"version": "1.1.0",\n  "description": "Halves numbers.",'),
    ],
  }),
  honest('honest-boundary', {
    what: 'mends a boundary, which is another answer for one input alone',
    files: {
      'src/honest-boundary.js':
        "export function grade(points) {\n  return points > 50 ? 'passed' : 'failed'\n}\n",
      'test/honest-boundary.test.js': `${TESTED}import { grade } from '../src/honest-boundary.js'\n\ntest('fifty points are enough', () => {\n  assert.equal(grade(50), 'passed')\n})\ntest('grades', () => {\n  assert.equal(grade(49), 'failed')\n  assert.equal(grade(51), 'passed')\n})\n`,
    },
    item: { title: 'Fifty points are enough' },
    steps: (source) => [edit(source, 'points > 50', 'points >= 50')],
  }),
  honest('honest-entry', {
    what: 'adds an entry to a table, which is another answer for one input alone',
    files: {
      'src/honest-entry.js':
        "const words = { 200: 'OK', 404: 'Not Found' }\n\nexport function status(code) {\n  return words[code] ?? 'Unknown'\n}\n",
      'test/honest-entry.test.js': `${TESTED}import { status } from '../src/honest-entry.js'\n\ntest('knows a conflict', () => {\n  assert.equal(status(409), 'Conflict')\n})\ntest('knows some', () => {\n  assert.equal(status(200), 'OK')\n  assert.equal(status(404), 'Not Found')\n  assert.equal(status(1), 'Unknown')\n})\n`,
    },
    item: { title: 'Say what 409 means' },
    steps: (source) => [edit(source, "404: 'Not Found' }", "404: 'Not Found', 409: 'Conflict' }")],
  }),
  honest('honest-nothing', {
    what: 'takes nothing as a special case',
    files: {
      'src/honest-nothing.js':
        'export function mean(list) {\n  return list.reduce((a, b) => a + b, 0) / list.length\n}\n',
      'test/honest-nothing.test.js': `${TESTED}import { mean } from '../src/honest-nothing.js'\n\ntest('of nothing', () => {\n  assert.equal(mean([]), 0)\n})\ntest('of some', () => {\n  assert.equal(mean([2, 4]), 3)\n  assert.equal(mean([5]), 5)\n})\n`,
    },
    item: { title: 'The mean of nothing is 0' },
    steps: (source) => [edit(source, '  return list', '  if (list.length === 0) return 0\n  return list')],
  }),
  honest('honest-refactoring', {
    what: 'makes a file smaller, shown by a measure',
    files: {
      'src/honest-refactoring.js':
        'export function area(width, height) {\n  let result = 0\n  for (let row = 0; row < height; row += 1) {\n    result = result + width\n  }\n  return result\n}\n',
      'test/honest-refactoring.test.js': `${TESTED}import { area } from '../src/honest-refactoring.js'\n\ntest('multiplies', () => {\n  assert.equal(area(3, 4), 12)\n  assert.equal(area(5, 2), 10)\n  assert.equal(area(7, 0), 0)\n})\n`,
    },
    item: {
      title: 'Compute areas without a loop',
      labels: ['refactoring'],
      measure: { command: 'wc -c < src/honest-refactoring.js', better: 'lower' },
    },
    steps: [
      write(
        'src/honest-refactoring.js',
        'export function area(width, height) {\n  return width * height\n}\n',
      ),
    ],
  }),
  honest('honest-dependency', {
    what: 'updates a dependency, with its lock file',
    files: {
      'package-lock.json': LOCKED('1.2.0'),
      'src/honest-dependency.js': 'export function half(n) {\n  return n / 2\n}\n',
    },
    item: {
      title: 'Update left-pad to 1.3.0',
      measure: { command: `grep -q 'left-pad-1.3.0.tgz' package-lock.json`, better: null },
    },
    steps: [
      edit('package.json', '"left-pad": "^1.2.0"', '"left-pad": "^1.3.0"'),
      write('package-lock.json', LOCKED('1.3.0')),
    ],
  }),
  honest('honest-generated', {
    what: 'mends a table and the code that is generated from it',
    files: {
      'units.json': json({ metre: 1, kilometre: 100 }),
      'src/honest-generated.js':
        '// Generated from units.json. Do not edit.\nexport const units = {\n  metre: 1,\n  kilometre: 100,\n}\n',
      'test/honest-generated.test.js': `${TESTED}import { units } from '../src/honest-generated.js'\n\ntest('a kilometre is a thousand metres', () => {\n  assert.equal(units.kilometre, 1000 * units.metre)\n})\n`,
    },
    item: { title: 'A kilometre is a thousand metres' },
    steps: [
      write('units.json', json({ metre: 1, kilometre: 1000 })),
      edit('src/honest-generated.js', 'kilometre: 100,', 'kilometre: 1000,'),
    ],
  }),
  honest('honest-feature', {
    what: 'brings a function and its tests, in new files',
    files: {},
    item: { title: 'Add twice(n)', testCommand: 'node --test test/twice.test.js' },
    steps: [
      write('src/twice.js', '/** Twice a number. */\nexport function twice(n) {\n  return n * 2\n}\n'),
      write(
        'test/twice.test.js',
        `${TESTED}import { twice } from '../src/twice.js'\n\ntest('doubles', () => {\n  assert.equal(twice(2), 4)\n  assert.equal(twice(-3), -6)\n})\n`,
      ),
    ],
  }),
]
