// treadle fix: one try on this repository's failing tests, without a daemon and without touching the checkout.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, start } from '../kit/command.ts'
import { everythingIn, readOrEmpty } from '../kit/processes.ts'
import { hold, moduleOf, moduleText, repair, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

interface Fixed {
  readonly outcome: string
  readonly branch: string
  readonly commit: string
  readonly reason: string
  readonly gates: readonly { readonly gate: string; readonly is: string }[]
}

/** The checkout, the branches that are the owner's, and our worktrees are as before. */
function expectUntouched(workspace: Workspace, head: string): void {
  const { git, paths } = workspace
  expect(git('rev-parse', 'HEAD')).toBe(head)
  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main')
  expect(git('status', '--porcelain')).toBe('')
  expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
  expect(readOrEmpty(paths.daemon)).toBe('')
  expect(everythingIn(workspace)).toEqual([])
}

test('green tests leave nothing to fix', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]], right: [1] })
  const head = workspace.git('rev-parse', 'HEAD')
  const ended = await run(workspace, ['fix'])
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('Nothing to fix: ')
  const asJson = await run(workspace, ['fix', '--json'])
  expect(asJson.code).toBe(0)
  expect((JSON.parse(asJson.stdout) as Fixed).outcome).toBe('nothing_to_fix')
  expectUntouched(workspace, head)
  expect(workspace.git('branch', '--list', 'treadle/*')).toBe('')
})

test('red tests are made green on a branch of their own', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  const head = workspace.git('rev-parse', 'HEAD')
  const ended = await run(workspace, ['fix', '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  const fixed = JSON.parse(ended.stdout) as Fixed
  expect(fixed.outcome).toBe('fixed')
  expect(fixed.gates.map(({ gate, is }) => [gate, is])).toEqual([
    ['tests_pass', 'passed'],
    ['secrets', 'passed'],
    ['test_integrity', 'passed'],
    ['capabilities', 'passed'],
  ])
  expect(workspace.git('rev-parse', fixed.branch)).toBe(fixed.commit)
  expect(workspace.git('rev-parse', `${fixed.commit}^`)).toBe(head)
  expect(workspace.git('show', `${fixed.branch}:${moduleOf(1)}`)).toBe(moduleText(1, 'right').trim())
  expect(ended.stderr).toContain('1 failing')
  expectUntouched(workspace, head)

  const words = await run(workspace, ['fix'])
  expect(words.code).toBe(0)
  expect(words.stdout).toMatch(
    /^Fixed: [\s\S]*\n.*on branch treadle\/fix-[0-9a-f]{8}; your checkout was not touched/,
  )
  expect(words.stdout).toContain('-state: wrong\n+state: right')
  expect(fixed).toMatchObject({ confidence: null, diff: expect.stringContaining('+state: right') })
  expect(words.stdout).toContain('git merge treadle/fix-')
})

test('a fix says how far the engine trusts it, in words, as JSON and in the commit; the settings are no work of yours', async () => {
  const workspace = shop({
    scripts: [],
    files: {
      'package.json': '{"type":"module"}',
      'add.js': 'export function add(a, b) {\n  return a - b\n}\n',
      'add.test.js':
        "import { equal } from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add } from './add.js'\ntest('adds', () => equal(add(2, 2), 4))\n",
    },
    settings: { tests: { command: 'node --test' }, engines: { default: 'repair' } },
  })
  workspace.git('rm', '-q', '--cached', 'treadle.json')
  workspace.git('commit', '-qm', 'settings are not committed')
  const ended = await run(workspace, ['fix'])
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toMatch(/^Fixed: .*\nConfidence (high|low, look before you take it): /)
  expect(ended.stdout).toContain('-  return a - b')
  expect(`${ended.stdout}${ended.stderr}`).not.toContain('uncommitted')
  expect(workspace.git('log', '--all', '-1', '--grep=Kind: delivery', '--format=%B')).toMatch(
    /^Confidence: (high|low) \(/m,
  )
})

test('a try that fails ends with 1 and the reason', async () => {
  const workspace = shop({ scripts: [[[{ write: { file: 'notes.txt', text: 'an idea\n' } }]]] })
  const head = workspace.git('rev-parse', 'HEAD')
  const ended = await run(workspace, ['fix', '--json'])
  expect(ended.code).toBe(1)
  const fixed = JSON.parse(ended.stdout) as Fixed
  expect(fixed.outcome).toBe('not_fixed')
  expect(fixed.reason).toContain('module-01')
  expectUntouched(workspace, head)
  const words = await run(workspace, ['fix'])
  expect(words.code).toBe(1)
  expect(words.stdout).toMatch(/^Not fixed: /)
})

test('options win over treadle.json; what cannot be used is named', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  workspace.setConfig({ merge: { target: 'main' } })
  const cases: readonly (readonly [string[], string])[] = [
    [['fix'], 'no test command was found: give one with --test-command'],
    [['fix', '--test-command', 'sh test.sh', '--engine', 'scripted'], 'engines.scripted.scenario'],
    [
      ['fix', '--test-command', 'sh test.sh', '--engine', 'nobody'],
      'there is no engine nobody\nKnown engines: ',
    ],
    [
      ['fix', '--test-command', 'sh test.sh', '--engine', 'scripted', '--scenario', 'gone.json'],
      'gone.json cannot be read',
    ],
  ]
  for (const [args, sentence] of cases) {
    const ended = await run(workspace, args)
    expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(ended.stderr).toContain(sentence)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  }
  const scenario = join(workspace.home, 'scenario.json')
  const args = ['fix', '--test-command', 'sh test.sh', '--engine', 'scripted', '--scenario', scenario]
  const ended = await run(workspace, args)
  expect(ended.code, ended.stderr).toBe(0)
})

test('Ctrl-C ends the try and clears up', async () => {
  const workspace = shop({ scripts: [[[{ write: { file: 'notes.txt', text: 'half\n' } }, hold('never')]]] })
  const head = workspace.git('rev-parse', 'HEAD')
  const started = start(workspace, ['fix'])
  await eventually('the engine at work', () => (started.seen().includes('write') ? true : undefined))
  started.child.kill('SIGINT')
  const ended = await started.ended
  expect(ended.code).not.toBe(0)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  expectUntouched(workspace, head)
})

test('a workspace is not needed', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  workspace.git('rm', '--quiet', 'treadle.json')
  workspace.git('commit', '--quiet', '--message', 'no workspace')
  writeFileSync(join(workspace.home, 'play.json'), readOrEmpty(join(workspace.home, 'scenario.json')))
  const engine = ['--engine', 'scripted', '--scenario', '../home/play.json']
  const args = ['fix', '--test-command', 'sh test.sh', ...engine]
  const ended = await run(workspace, args)
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toContain('Fixed: ')
})
