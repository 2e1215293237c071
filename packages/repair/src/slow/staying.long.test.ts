// What the fast path cannot run, in a runner that is started once: the command itself has the last word.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repair } from '../repair.ts'
import { writeFiles } from '../scratch-project.ts'

/** The part of mocha that is spoken to, as its package gives it: a class, and a program around it. */
const MOCHA = `const { EventEmitter } = require('node:events')
module.exports = class Mocha {
  constructor() { this.files = [] }
  addFile(file) { this.files.push(file) }
  run(done) {
    const events = new EventEmitter()
    const tests = []
    const suites = []
    globalThis.it = (name, act) => tests.push({ name, act })
    globalThis.describe = (name, act) => suites.push(act())
    ;(async () => {
      for (const file of this.files) require(file)
      await Promise.all(suites)
      let failed = 0
      for (const { name, act } of tests) {
        try { await act(); events.emit('pass') } catch (error) { failed += 1; events.emit('fail', name, error) }
      }
      done(failed)
    })().catch(() => done(1))
    return events
  }
}
`
const PROGRAM = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs')
const Mocha = require('../mocha')
appendFileSync(__dirname + '/../../starts', 'x')
const mocha = new Mocha()
for (const file of process.argv.slice(2)) mocha.addFile(process.cwd() + '/' + file)
mocha.run((failed) => { process.exitCode = failed }).on('fail', (name, { stack }) => console.log('not ok', name, stack))
`

test('a candidate costs a run of its tests in a mocha that stays, and not the start of one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'staying-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFiles(root, {
    'package.json': '{ "name": "share" }',
    'node_modules/mocha/index.js': MOCHA,
    'node_modules/.bin/mocha': PROGRAM,
    'lib/share.js': `exports.share = function share(total, people) {
  const each = total * people
  const rest = total % people
  return each + rest
}
`,
    // The fast path knows no suite that has to be waited for.
    'test/share.js': `const assert = require('assert')
const { share } = require('../lib/share')
describe('share', async () => {
  it('is even', () => assert.strictEqual(share(8, 2), 4))
  it('is odd', () => assert.strictEqual(share(9, 2), 5.5))
  it('is nothing', () => assert.strictEqual(share(0, 3), 0))
})
`,
  })
  chmodSync(join(root, 'node_modules/.bin/mocha'), 0o755)
  const result = await repair({
    cwd: root,
    testCommand: 'node_modules/.bin/mocha test/share.js',
    slowSeconds: 250,
    maxCandidates: 80,
    sandbox: { mode: 'off' },
  })
  expect(result).toMatchObject({ outcome: 'plausible', path: 'slow' })
  expect(result.patches.map(({ diff }) => diff).join()).toContain('+  const each = total / people')
  // More than could be tried by starting the command for each.
  const starts = readFileSync(join(root, 'starts'), 'utf8').length
  expect(starts).toBeLessThan(8)
  expect(result.candidates).toBeGreaterThan(10 * starts)
})
