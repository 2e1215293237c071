// Making a repository a workspace.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '@treadle/contracts/config/read'
import { afterAll, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { addOrigin } from '../kit/origin.ts'
import { makeWorkspace, type Workspace } from '../kit/workspace.ts'

const made: Workspace[] = []
afterAll(() => {
  for (const workspace of made) workspace.remove()
})

/** A repository that is no workspace yet. */
function repository(): Workspace {
  const workspace = makeWorkspace()
  made.push(workspace)
  workspace.git('rm', '--quiet', 'treadle.json')
  workspace.git('commit', '--quiet', '--message', 'no workspace')
  return workspace
}

const configOf = ({ paths }: Workspace) =>
  readConfig({ own: readFileSync(paths.config, 'utf8'), vscode: null })

test('init writes settings that hold, and a second one leaves them as they are', async () => {
  const workspace = repository()
  workspace.git('switch', '--quiet', '--create', 'trunk')
  workspace.write('src/deep/file.txt', '')
  const first = await run(workspace, ['init', '--no-try', '--test-command', 'make test'], {
    cwd: join(workspace.root, 'src/deep'),
  })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('merged into trunk after you approve them')
  const { config, warnings } = configOf(workspace)
  expect(warnings).toEqual([])
  expect(config.merge).toMatchObject({ approval: 'human', target: 'trunk' })
  expect(config.tests.command).toBe('make test')
  expect(workspace.git('status', '--porcelain', '--untracked-files=all')).toBe(
    '?? src/deep/file.txt\n?? treadle.json',
  )

  const before = readFileSync(workspace.paths.config, 'utf8')
  const second = await run(workspace, ['init', '--target', 'other'])
  expect(second.code).toBe(0)
  expect(second.stdout).toContain('treadle.json is there already; it was left as it is.')
  expect(readFileSync(workspace.paths.config, 'utf8')).toBe(before)
  const asJson = await run(workspace, ['init', '--json'])
  expect(JSON.parse(asJson.stdout)).toEqual({
    workspace: workspace.root,
    config: workspace.paths.config,
    made: false,
    target: 'trunk',
    tests: { testCommand: 'make test', packages: { is: 'none' }, found: null },
  })
})

test('with a detached HEAD, init wants to be told the branch', async () => {
  const workspace = repository()
  workspace.git('checkout', '--quiet', '--detach')
  const refused = await run(workspace, ['init'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('HEAD is detached')
  expect(refused.stderr).toContain('treadle init --target main')
  expect(existsSync(workspace.paths.config)).toBe(false)
  expect((await run(workspace, ['init', '--target', 'main'])).code).toBe(0)
  expect(configOf(workspace).config.merge.target).toBe('main')
})

test('a repository without a commit can be set up, and is told that it needs one', async () => {
  const workspace = repository()
  rmSync(join(workspace.root, '.git'), { recursive: true })
  workspace.git('init', '--quiet', '--initial-branch=main')
  const ended = await run(workspace, ['init'])
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('The repository has no commit yet')
})

test('receipts come with every fetch: into a reference of their own, also while origin has none, and told once', async () => {
  const workspace = repository()
  addOrigin(workspace)
  const first = await run(workspace, ['init'])
  expect(first.stdout).toContain('Receipts of merges come with every git fetch')
  const second = await run(workspace, ['init'])
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(second.stdout).not.toContain('Receipts')
  const refspec = '+refs/notes/treadle*:refs/notes/treadle-origin*'
  expect(workspace.git('config', '--get-all', 'remote.origin.fetch').split('\n')).toEqual([
    '+refs/heads/*:refs/remotes/origin/*',
    refspec,
  ])
  expect(workspace.git('config', '--get-regexp', '^remote\\.')).not.toContain('remote.origin.push')
  workspace.git('fetch', '--quiet')
  const here = (ref: string) => workspace.git('for-each-ref', '--format=%(objectname)', ref)
  expect(here('refs/notes/')).toBe('')
  workspace.git('notes', '--ref=treadle', 'add', '-m', 'there')
  workspace.git('push', '--quiet', 'origin', 'refs/notes/treadle')
  const there = here('refs/notes/treadle')
  workspace.git('notes', '--ref=treadle', 'add', '-f', '-m', 'only here')
  const own = here('refs/notes/treadle')
  workspace.git('fetch', '--quiet')
  workspace.git('fetch', '--quiet', '--prune')
  expect([here('refs/notes/treadle'), here('refs/notes/treadle-origin')]).toEqual([own, there])
})

test('who lists what a plain push sends has the receipts added to the list', async () => {
  const workspace = repository()
  addOrigin(workspace)
  workspace.git('config', 'remote.origin.push', 'refs/heads/main')
  for (let times = 0; times < 2; times += 1) expect(await run(workspace, ['init'])).toMatchObject({ code: 0 })
  expect(workspace.git('config', '--get-all', 'remote.origin.push').split('\n')).toEqual([
    'refs/heads/main',
    'refs/notes/treadle:refs/notes/treadle',
  ])
})

test('where a lock file says which packages there are, they are installed in every worktree', async () => {
  const workspace = repository()
  workspace.write('package.json', JSON.stringify({ devDependencies: { left: '1.0.0' } }))
  workspace.write('package-lock.json', '{}')
  workspace.git('add', '--all')
  const first = await run(workspace, ['init', '--no-try', '--test-command', 'make test'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('Because of package-lock.json, every worktree begins with: npm ci')
  expect(configOf(workspace).config.tests).toMatchObject({ command: 'make test', setupCommand: 'npm ci' })
  // Who has taken it out is not given it again.
  workspace.write('treadle.json', '{}')
  expect((await run(workspace, ['init'])).stdout).not.toContain('npm ci')
  expect(configOf(workspace).config.tests.setupCommand).toBeNull()
})

test('init says how the tests are run, how long they take and what fails now; doctor says it again', async () => {
  const workspace = repository()
  workspace.write(
    'test/a.test.js',
    "const { test } = require('node:test')\ntest('adds', () => { throw new Error('no') })\ntest('is', () => undefined)\n",
  )
  workspace.git('add', '--all')
  workspace.git('commit', '--quiet', '--message', 'tests')
  const first = await run(workspace, ['init'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/Tests: `node --test` takes .+; 1 test passes, 1 fails: .*adds/)
  const checked = await run(workspace, ['doctor', '--json'])
  expect(JSON.parse(checked.stdout).tests).toMatchObject({
    testCommand: 'node --test',
    found: { is: 'ready', baseline: { passed: 1, failed: 1, tookMs: expect.any(Number) } },
  })
  expect(workspace.git('worktree', 'list').split('\n')).toHaveLength(1)
})

test('what keeps the tests from being run is told by init and doctor, with the setting', async () => {
  const workspace = repository()
  workspace.write(
    'package.json',
    JSON.stringify({ scripts: { test: 'left-runner' }, devDependencies: { 'left-runner': '1.0.0' } }),
  )
  workspace.write('node_modules/other/index.js', '')
  workspace.write('.gitignore', 'node_modules\n')
  workspace.git('add', '--all')
  workspace.git('commit', '--quiet', '--message', 'tests')
  const first = await run(workspace, ['init'])
  expect(first.stdout).toContain(
    'There is no lock file: worktrees take the packages of this checkout by links',
  )
  expect(first.stdout).toContain('needs the package left-runner, which is not installed')
  expect(first.stdout).toContain('Set tests.setupCommand in treadle.json to `npm install --no-package-lock`')
  const checked = await run(workspace, ['doctor'])
  expect(checked.code).toBe(1)
  expect(checked.stdout).toContain('left-runner: not found')
})

test('init --engine names who writes the code, in new settings alone', async () => {
  const workspace = repository()
  const misspelt = await run(workspace, ['init', '--no-try', '--engine', 'claude'])
  expect(misspelt).toMatchObject({ code: 2, stdout: '' })
  expect(misspelt.stderr).toContain('did you mean "claude-code"?')
  expect(existsSync(workspace.paths.config)).toBe(false)

  expect((await run(workspace, ['init', '--no-try', '--engine', 'claude-code'])).code).toBe(0)
  expect(configOf(workspace).config.engines.default).toBe('claude-code')

  const before = readFileSync(workspace.paths.config, 'utf8')
  const again = await run(workspace, ['init', '--no-try', '--engine', 'codex'])
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('"engines": { "default": "codex" }')
  expect(readFileSync(workspace.paths.config, 'utf8')).toBe(before)
})
