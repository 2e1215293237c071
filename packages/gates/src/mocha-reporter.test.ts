import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const reporter = fileURLToPath(new URL('./mocha-reporter.cjs', import.meta.url))

/** Mocha 2 as far as its reporters see it: no paths of titles, and the options of reporters under another name. */
const MOCHA = `exports.reporters = { Spec: function Spec() { this.stats = { tests: 1, failures: 1 } } }\n`
const RUN = `const { EventEmitter } = require('node:events')
const Reporter = require(${JSON.stringify(reporter)})
const runner = new EventEmitter()
new Reporter(runner, { reporterOptions: { file: process.argv[2] } })
const root = { root: true, title: '' }
const suite = { root: false, title: 'sum', parent: root }
const test = { title: 'adds', parent: suite, file: 'a.js', duration: 1, fullTitle: () => 'sum adds' }
runner.emit('fail', test, new Error('3 is not 4'))
runner.emit('end')
`

test('a mocha that is too old to tell the path of a test is reported all the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mocha-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules/mocha'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/mocha/index.js'), MOCHA)
  writeFileSync(join(folder, 'run.js'), RUN)
  const file = join(folder, 'report.json')
  execFileSync(process.execPath, ['run.js', file], { cwd: folder })
  const report = JSON.parse(readFileSync(file, 'utf8'))
  expect(report.failures).toMatchObject([
    { titlePath: ['sum', 'adds'], fullTitle: 'sum adds', err: { message: '3 is not 4' } },
  ])
})
