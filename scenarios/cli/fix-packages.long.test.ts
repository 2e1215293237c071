// An ordinary repository: its packages are ignored by git, so that no worktree has them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { run } from '../kit/command.ts'
import { clearWorkspace } from '../kit/daemon.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

vi.setConfig({ testTimeout: 120_000 })
const made: Workspace[] = []
afterAll(async () => {
  for (const workspace of made) await clearWorkspace(workspace)
})

const PACKAGES = {
  'node_modules/cents/package.json': '{ "name": "cents", "main": "index.js" }',
  'node_modules/cents/index.js': 'exports.cents = (amount) => Math.round(amount * 100)\n',
  'node_modules/.bin/check-all': '#!/bin/sh\nexec node --test\n',
}

test('treadle fix mends what needs the packages and the programs of the repository', async () => {
  const workspace = makeWorkspace({
    files: {
      '.gitignore': 'node_modules\n',
      'package.json': '{ "scripts": { "test": "check-all" } }',
      'src/sum.js': `const { cents } = require('cents')
exports.sum = (prices) => {
  let all = 0
  for (let at = 0; at < prices.length - 1; at += 1) all += cents(prices[at])
  return all
}
`,
      'test/sum.test.js': `const assert = require('node:assert')
const { test } = require('node:test')
const { sum } = require('../src/sum.js')
test('one', () => assert.equal(sum([1.25]), 125))
test('two', () => assert.equal(sum([1.25, 2]), 325))
test('none', () => assert.equal(sum([]), 0))
`,
    },
    settings: { tests: { command: 'npm test' } },
  })
  made.push(workspace)
  for (const [path, text] of Object.entries(PACKAGES)) {
    mkdirSync(dirname(join(workspace.root, path)), { recursive: true })
    writeFileSync(join(workspace.root, path), text, { mode: 0o755 })
  }
  const ended = await run(workspace, ['fix', '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  const { branch } = JSON.parse(ended.stdout) as { branch: string }
  expect(workspace.git('diff', '--name-only', 'main', branch)).toBe('src/sum.js')
})
