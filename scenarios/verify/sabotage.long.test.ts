// A change that breaks a package of a workspace is refused, and an honest one is merged, by a real crew, confined where
// the machine can; and tests that do not see a change hold the crew until the owner has set what is missing.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { clearWorkspace } from '../kit/daemon.ts'
import { itemNumber, until, up } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const opened: Workspace[] = []
const folders: string[] = []
afterAll(async () => {
  for (const workspace of opened) await clearWorkspace(workspace)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const TEST = (from: string) => `const { test } = require('node:test')
test('twice', () => require('node:assert').equal(require('${from}').twice(21), 42))
`

/** The engine breaks the package for item 1, and mends the other for item 2, as its prompt says. */
const AGENT = `task=$(cat "$TREADLE_PROMPT_FILE")
case "$task" in
  *Simplify*) echo 'module.exports.twice = () => 0' > packages/lib/index.js ;;
  *) echo 'module.exports.half = (n) => n / 2' > packages/other/index.js ;;
esac
`

function monorepo(): Workspace {
  const workspace = makeWorkspace({
    settings: {
      merge: { approval: 'checks', target: 'main' },
      tests: { command: 'node --test', canary: 'auto' },
      engines: { default: 'command', command: { run: 'sh agent.sh' } },
      sandbox: { mode: 'auto' },
      limits: { pollMs: 100, sweepMs: 300, improvements: 1 },
    },
    files: {
      '.gitignore': 'node_modules\n',
      'agent.sh': AGENT,
      'package.json': '{"name":"p","private":true,"workspaces":["packages/*"]}',
      'packages/lib/package.json': '{"name":"@p/lib","main":"index.js"}',
      'packages/lib/index.js': 'module.exports.twice = (n) => 2 * n\n',
      'packages/other/package.json': '{"name":"@p/other","main":"index.js"}',
      'packages/other/index.js': 'module.exports.half = (n) => n\n',
      'test/lib.test.js': TEST('@p/lib'),
      'checks/half.js': `require('node:assert').equal(require('@p/other').half(4), 2)\n`,
    },
  })
  opened.push(workspace)
  mkdirSync(join(workspace.root, 'node_modules/@p'), { recursive: true })
  for (const name of ['lib', 'other'])
    symlinkSync(`../../packages/${name}`, join(workspace.root, 'node_modules/@p', name))
  return workspace
}

test('sabotage in a package that the tests load through a link is refused; an honest change is merged', async () => {
  const workspace = monorepo()
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Simplify the package' } })
  await daemon.client.addItem({
    body: { title: 'Mend half', testCommand: 'node checks/half.js' },
  })
  expect(await until(daemon, 2, 'done', 'escalated')).toMatchObject({ state: 'done', reason: null })
  expect(await until(daemon, 1, 'done', 'escalated')).toMatchObject({ state: 'escalated', mergeCommit: null })
  expect(workspace.git('show', 'main:packages/lib/index.js')).toContain('2 * n')
  expect(workspace.git('show', 'main:packages/other/index.js')).toContain('n / 2')
  expect((await daemon.client.workspace()).testsSeeChanges).toBe(true)
})

test('tests that load another copy of the code hold the crew, and the owner is told what to set', async () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-elsewhere-')))
  folders.push(elsewhere)
  const source = 'module.exports.twice = (n) => 2 * n\n'
  writeFileSync(join(elsewhere, 'twice.js'), source)
  const workspace = makeWorkspace({
    settings: { tests: { command: 'node --test', canary: 'auto' } },
    files: { 'src/twice.js': source, 'test/twice.test.js': TEST(`${elsewhere}/twice.js`) },
  })
  opened.push(workspace)
  const daemon = await up(workspace, 0)
  await daemon.client.addItem({ body: { title: 'Anything' } })
  const holds = await eventually('a hold', async () => {
    const found = (await daemon.client.workspace()).holds
    return found.some((why) => why.includes('do not see a change')) ? found : undefined
  })
  expect(holds.join()).toMatch(/`node --test` stayed green although src\/twice\.js could not be loaded/)
  expect(holds.join()).toContain('tests.setupCommand')
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'todo' })
})
