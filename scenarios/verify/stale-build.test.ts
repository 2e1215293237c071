// Code that is not made anew from the sources of a tree: it is not lent, or the canary holds it and says what to set.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { blindWords } from '@treadle/flow/verify/canary'
import { openGates } from '@treadle/gates/gates'
import { openSurroundings } from '@treadle/sandbox/surroundings'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnv } from '../env.ts'

const timeoutMs = 120_000
type Files = Readonly<Record<string, string>>

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const SOURCE = 'packages/lib/src/index.js'
const CODE = 'module.exports.twice = () => 84\n'
const COMMITTED: Files = {
  'package.json':
    '{"name":"p","private":true,"workspaces":["packages/*"],"scripts":{"build":"mkdir -p packages/lib/dist && cp packages/lib/src/index.js packages/lib/dist/"}}',
  'packages/lib/package.json': '{"name":"@p/lib","main":"dist/index.js"}',
  [SOURCE]: CODE,
  'test/lib.test.js':
    "const { test } = require('node:test')\ntest('twice', () => require('node:assert').equal(require('@p/lib').twice(), 84))\n",
}
const BUILT: Files = { 'packages/lib/dist/index.js': CODE }

/** A checkout with a build of its own, and a tree with what is committed; links lead from the one to the other. */
function project(committed: Files, installed: (owner: string) => void) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-stale-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const owner = join(root, 'owner')
  const tree = join(owner, '.treadle/worktrees/agent-1')
  write(owner, { ...committed, ...BUILT })
  write(tree, committed)
  mkdirSync(join(owner, 'node_modules/@p'), { recursive: true })
  installed(owner)
  return { root, owner, tree }
}

const linked = (owner: string) => symlinkSync('../../packages/lib', join(owner, 'node_modules/@p/lib'))

/** As an install leaves it that packs a package of the project instead of linking it. */
const copied = (owner: string) =>
  write(join(owner, 'node_modules/@p/lib'), {
    'package.json': '{"name":"@p/lib","main":"dist/index.js"}',
    'dist/index.js': CODE,
  })

const gatesOf = ({ root, owner }: { root: string; owner: string }, mode: 'auto' | 'off') =>
  openGates({
    evidenceDir: join(root, 'evidence'),
    env: cleanEnv(root),
    tailBytes: 8_000,
    surroundings: openSurroundings({ mode, owner, show: [] }),
  })

describe.each(['auto', 'off'] as const)('with the sandbox: %s', (mode) => {
  test('a build that git ignores is not lent: tests are red until set-up builds the tree’s own', async (context) => {
    if (mode === 'auto' && !(await needSandbox(context))) return
    const made = project(COMMITTED, linked)
    const gates = gatesOf(made, mode)
    const request = { cwd: made.tree, command: 'node --test', timeoutMs }
    expect(await gates.runTests(request)).toMatchObject({ is: 'failed' })
    expect(existsSync(join(made.tree, 'packages/lib/dist'))).toBe(false)
    write(made.tree, { [SOURCE]: CODE.replace('84', '0') })
    const setup = 'mkdir -p packages/lib/dist && cp packages/lib/src/index.js packages/lib/dist/'
    expect(await gates.runSetup({ ...request, command: setup })).toEqual({ is: 'ok' })
    const red = await gates.runTests(request)
    expect(red).toMatchObject({ is: 'failed', failures: [{ message: expect.stringContaining('84') }] })
  })

  test.for([
    ['a build that is committed', { ...COMMITTED, ...BUILT }, linked],
    ['a packed copy among the installed packages', COMMITTED, copied],
  ] as const)('%s stays green: the canary holds it, in words', async ([, committed, install], context) => {
    if (mode === 'auto' && !(await needSandbox(context))) return
    const made = project(committed, install)
    const found = await gatesOf(made, mode).canary({ cwd: made.tree, command: 'node --test', timeoutMs })
    if (found.is !== 'blind') throw new Error(`it was not noticed: ${JSON.stringify(found)}`)
    expect(found.files).toContain(SOURCE)
    expect(blindWords(found)).toMatch(
      /packages\/lib\/src\/index\.js.*a build that is out of date.*Set tests\.setupCommand/,
    )
  })
})
