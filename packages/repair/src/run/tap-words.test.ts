import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadProject } from '../project/load.ts'
import { writeFiles } from '../scratch-project.ts'
import { runBaseline } from '../search/baseline.ts'

test('tests of tape and tap run on the fast path, those inside of others by themselves', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tap-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFiles(root, {
    'scratch/.keep': '',
    'sum.js': 'exports.sum = (a, b) => a + b\n',
    'test/tape.js': `const test = require('tape')
const { sum } = require('../sum')
test('plain', function (t) { t.plan(2); t.equal(sum(1, 2), 3); setTimeout(function () { t.ok(true) }, 50) })
test('suite', function (t) {
  t.test('inner', function (st) { st.deepEqual([sum(1, 1)], [3]); st.equal(1, 1); st.end() })
  t.test('sound', function (st) { st.throws(function () { throw new TypeError('no') }, TypeError); st.end() })
  t.end()
})
test('never ends', function (t) { t.ok(true) })
`,
    'test/tap.js': `const tap = require('tap')
const { sum } = require('../sum')
tap.test('async', async (t) => { t.same({ a: '1' }, { a: 1 }); await t.rejects(Promise.reject(new Error('x'))) })
tap.test('wrong', async (t) => { t.match({ a: sum(1, 1), b: 2 }, { a: 3 }) })
tap.test('unknown word', (t) => { t.mockImport('x'); t.end() })
`,
  })
  const project = loadProject(root, null)
  const baseline = await runBaseline(project, { path: join(root, 'scratch'), before: [] })
  const verdicts = Object.fromEntries((baseline?.tests ?? []).map(({ name, is }) => [name, is]))
  expect(verdicts).toEqual({
    plain: 'passed',
    'suite > inner': 'failed',
    'suite > sound': 'passed',
    'suite > (its own checks)': 'passed',
    'never ends': 'failed',
    async: 'passed',
    wrong: 'failed',
    'unknown word': 'left',
  })
  const inner = baseline?.tests.find(({ name }) => name === 'suite > inner')
  expect(inner?.failure).toMatchObject({
    message: 'should be deeply equivalent',
    actual: '[ 2 ]',
    expected: '[ 3 ]',
  })
})
