import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeHead, writeFiles } from '../scratch-project.ts'
import { loadProject } from './load.ts'

test('what a link leads to outside of the project is not loaded for it, and a pipe is not waited for', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'load-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'project')
  mkdirSync(root)
  writeFileSync(join(folder, 'login.json'), '{"token":"SECRET"}')
  writeFileSync(join(folder, 'login.js'), 'module.exports = "SECRET"')
  const head = `${nodeHead}import login from './login.json' with { type: 'json' }\nimport other from '../login.js'\n`
  writeFiles(root, { 'a.test.mjs': `${head}test('a', () => assert.ok(login ?? other))\n` })
  symlinkSync(join(folder, 'login.json'), join(root, 'login.json'))
  execFileSync('mkfifo', [join(root, 'b.test.mjs')])
  const { files, left, tests } = loadProject(root, null)
  expect(JSON.stringify(files.map(({ text }) => text))).not.toContain('SECRET')
  expect([files.map(({ path }) => path), tests, left]).toEqual([['a.test.mjs'], [0], []])
})

test('helpers of the tests are none of the program, and a program that checks its arguments is', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'load-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const asserts = "const assert = require('node:assert')\n"
  writeFiles(folder, {
    'src/checked.js': `${asserts}exports.half = (n) => { assert(Number.isFinite(n)); return n / 2 }\n`,
    'src/context.js':
      '// describe (see below) what it does\nexports.context = function context(options, next) { return () => next }\n',
    'lib/tester.js': `${asserts}exports.run = (name, act, cases) => describe(name, () => { for (const c of cases) it(c, () => assert.ok(act(c))) })\n`,
    'lib/same.js': `${asserts}exports.same = (a, b) => assert.deepStrictEqual(a, b)\n`,
    'a.test.js':
      "require('./src/checked.js'); require('./src/context.js'); require('./lib/tester.js'); require('./lib/same.js')\ntest('a', () => undefined)\n",
  })
  const { files } = loadProject(folder, null)
  const editable = files.filter(({ isTestCode }) => !isTestCode).map(({ path }) => path)
  expect(editable.sort()).toEqual(['src/checked.js', 'src/context.js'])
})
