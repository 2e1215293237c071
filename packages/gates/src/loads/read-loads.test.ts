// Records of loads are written by the project's own processes, and may hold anything.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readLoads } from './read-loads.ts'

function written(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-loads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
const lines = (...all: readonly unknown[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')

test('the records of all processes are one, by paths of the tree', () => {
  const folder = written({
    one: lines(
      [
        'asked',
        {
          program: 'node v1',
          options: ['--import=/tree/test/first.js', '--conditions=x'],
          paths: '/tree/lib:/else',
        },
      ],
      ['load', null, null, '/tree/test/a.test.js'],
      ['load', '/tree/test/a.test.js', '../src/a', '/tree/src/a.js'],
      ['load', '/tree/test/a.test.js', './none', null],
    ),
    two: lines(
      ['load', '/tree/src/a.js', 'pump', '/tree/node_modules/@pump/core/index.js'],
      ['first', '/tree/src/a.js', null, '/usr/lib/b.js'],
      ['module', 'colorsys', '/usr/lib/python3/colorsys.py'],
      ['package', '@pump/core', '1.0.0'],
    ),
  })
  expect(readLoads(folder, '/tree')).toEqual({
    loads: [
      { by: null, name: null, to: 'test/a.test.js', all: true },
      { by: 'test/a.test.js', name: '../src/a', to: 'src/a.js', all: true },
      { by: 'test/a.test.js', name: './none', to: null, all: true },
      { by: 'src/a.js', name: 'pump', to: 'package @pump/core', all: true },
      { by: 'src/a.js', name: null, to: 'outside', all: false },
      { by: null, name: 'colorsys', to: 'outside', all: true },
    ],
    packages: [['@pump/core', '1.0.0']],
    asked: [['test/a.test.js', 'node v1 --import=test/first.js --conditions=x paths lib, outside']],
    partial: [],
  })
})

test('a line that is no record is told, and the others are read', () => {
  const folder = written({
    one: `{"a":1}\nnot json\n${lines(['load', null, null, '/tree/a.js'], ['load', 'x'.repeat(5_000), null, null], ['run', 'rm'])}`,
  })
  expect(readLoads(folder, '/tree')).toMatchObject({
    loads: [{ to: 'a.js' }],
    partial: ['a line of a record could not be read'],
  })
})

test('what is no plain file is not read', () => {
  const folder = written({ one: lines(['load', null, null, '/tree/a.js']) })
  mkdirSync(join(folder, 'folder'))
  symlinkSync('/dev/zero', join(folder, 'zero'))
  expect(readLoads(folder, '/tree')).toMatchObject({ partial: ['a record could not be read'] })
})

test('without a load there is no record', () => {
  expect(readLoads(written({}), '/tree')).toBeNull()
  expect(readLoads(written({ one: lines(['package', 'npm', '1.0.0']) }), '/tree')).toBeNull()
})
