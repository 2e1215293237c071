import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { env as toolEnv } from '../../../../tools/env.ts'
import { openGates } from '../gates.ts'
import { unconfined } from '../run-command.ts'
import { mostImported } from './most-imported.ts'
import { plantedText } from './plant.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function project(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-canary-')))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

function canary(cwd: string, command: string | null) {
  const evidenceDir = join(cwd, '..', `${cwd.split('/').at(-1)}-evidence`)
  folders.push(evidenceDir)
  const gates = openGates({
    evidenceDir,
    env: { PATH: toolEnv.path, HOME: cwd },
    tailBytes: 8_000,
    surroundings: unconfined('test'),
  })
  return gates.canary({ cwd, command, timeoutMs: 60_000 })
}

const sum = 'export const sum = (a, b) => a + b\n'
const sumTest = (from: string) => `import { test } from 'node:test'
import assert from 'node:assert'
import { sum } from '${from}'
test('sums', () => assert.equal(sum(1, 2), 3))
`

test('tests that load the tree they are started in turn red, and the file is as it was', async () => {
  const cwd = project({ 'src/sum.mjs': sum, 'test/sum.test.mjs': sumTest('../src/sum.mjs') })
  expect(await canary(cwd, 'node --test')).toEqual({ is: 'sees', file: 'src/sum.mjs' })
  expect(readFileSync(join(cwd, 'src/sum.mjs'), 'utf8')).toBe(sum)
})

test('tests that load a package through a link into another checkout stay green: they are blind', async () => {
  const manifest = '{"name":"@p/sum","main":"index.mjs","exports":"./index.mjs"}'
  const owner = project({ 'packages/sum/index.mjs': sum, 'packages/sum/package.json': manifest })
  const cwd = project({
    'packages/sum/index.mjs': sum,
    'packages/sum/package.json': manifest,
    'test/sum.test.mjs': sumTest('@p/sum'),
  })
  mkdirSync(join(cwd, 'node_modules/@p'), { recursive: true })
  symlinkSync(join(owner, 'packages/sum'), join(cwd, 'node_modules/@p/sum'))
  expect(await canary(cwd, 'node --test')).toEqual({
    is: 'blind',
    files: ['packages/sum/index.mjs'],
    command: 'node --test',
  })
})

test('tests that were red before count only if they are redder with the canary', async () => {
  const cwd = project({
    'src/sum.mjs': sum,
    'test/red.test.mjs': "import { test } from 'node:test'\ntest('red', () => { throw new Error('red') })\n",
    'test/sum.test.mjs': sumTest('../src/sum.mjs'),
  })
  expect(await canary(cwd, 'node --test')).toEqual({ is: 'sees', file: 'src/sum.mjs' })
  const unmoved = project({
    'src/sum.mjs': sum,
    'test/red.test.mjs': "import { test } from 'node:test'\ntest('red', () => { throw new Error('red') })\n",
  })
  expect(await canary(unmoved, 'node --test')).toMatchObject({ is: 'nothing' })
})

test.each([
  ['no command', { 'src/sum.mjs': sum }, null, 'there is no test command'],
  ['no tests', { 'src/sum.mjs': sum }, 'node --test', 'the command ran no tests'],
  ['no source', { 'a.txt': 'a' }, 'node --test', 'there is no source file to plant in'],
  [
    'tests that name no source',
    {
      'src/sum.mjs': sum,
      'test/a.test.mjs': "import { test } from 'node:test'\ntest('a', () => undefined)\n",
    },
    'node --test',
    'the tests name no source file that could be planted in',
  ],
])('with %s there is nothing to tell', async (_, files, command, why) => {
  expect(await canary(project(files as Record<string, string>), command)).toEqual({ is: 'nothing', why })
})

test('the files that tests import come first, types and settings not at all', () => {
  const cwd = project({
    'src/types.ts': 'export interface A { a: 1 }\n',
    'src/deep/rare.ts': 'export const rare = 1\n',
    'src/often.ts': "import { rare } from './deep/rare.ts'\nexport const often = rare\n",
    'vitest.config.ts': 'export default {}\n',
    'test/a.test.ts': "import { often } from '../src/often.ts'\nimport type { A } from '../src/types.ts'\n",
  })
  expect(mostImported(cwd)).toEqual([
    { path: 'src/often.ts', byTest: true },
    { path: 'src/deep/rare.ts', byTest: false },
  ])
})

test('in Python a package is found by the name that it is imported by', () => {
  const cwd = project({
    'src/mypkg/__init__.py': 'def add(a, b): return a + b\n',
    'src/mypkg/rest.py': 'x = 1\n',
    'tests/test_add.py': 'from mypkg import add\ndef test_add(): assert add(1, 2) == 3\n',
  })
  expect(mostImported(cwd)[0]).toEqual({ path: 'src/mypkg/__init__.py', byTest: true })
})

test.each([
  ['a.py', '"""Doc."""\nfrom __future__ import annotations\nx = 1\n', 'annotations\nraise RuntimeError'],
  ['a.js', '#!/usr/bin/env node\nx()\n', "node\nthrow new Error('t');\nx()"],
  ['a.php', '<?php\n$x = 1;\n', "<?php\nthrow new \\Exception('t');\n$x"],
  ['a.go', 'package a\n', '@@@ t @@@\npackage a'],
  ['a.rs', 'fn a() {}\n', 'compile_error!("t");\nfn'],
])('%s gets a line of its own language', (path, text, expected) => {
  expect(plantedText(path, text, 't')).toContain(expected)
})

test('nothing is planted in declarations and data', () => {
  expect(plantedText('a.d.ts', '', 't')).toBeNull()
  expect(plantedText('a.json', '{}', 't')).toBeNull()
})

test('a test that puts a link in the place of the planted file has nothing written through it', async () => {
  const elsewhere = project({ profile: 'mine\n' })
  const target = join(elsewhere, 'profile')
  const body = `import { rmSync, symlinkSync } from 'node:fs'
import { test } from 'node:test'
const file = new URL('../src/sum.mjs', import.meta.url)
rmSync(file)
symlinkSync(${JSON.stringify(target)}, file)
test('passes', () => {})
`
  const cwd = project({ 'src/sum.mjs': sum, 'test/sum.test.mjs': body })
  await canary(cwd, 'node --test')
  expect(readFileSync(target, 'utf8')).toBe('mine\n')
  expect(readFileSync(join(cwd, 'src/sum.mjs'), 'utf8')).toBe(sum)
})
