import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { detectLinterCommand } from './detect-commands.ts'
import { readFindings, runLinter } from './linter.ts'
import { unconfined } from './run-command.ts'

function project(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-linter-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}

const script = JSON.stringify({ scripts: { lint: 'eslint .' } })

test.each<[what: string, files: Record<string, string>, command: string | null]>([
  ['nothing', {}, null],
  ['a script', { 'package.json': script }, 'npm run lint'],
  ['a script of pnpm', { 'package.json': script, 'pnpm-lock.yaml': '' }, 'pnpm run lint'],
  ['an empty script', { 'package.json': '{"scripts":{"lint":" "}}' }, null],
  ['biome', { 'biome.json': '{}', 'node_modules/.bin/biome': '' }, 'npx --no-install biome lint .'],
  ['biome that is not installed', { 'biome.json': '{}' }, null],
  ['eslint', { 'eslint.config.mjs': '', 'node_modules/.bin/eslint': '' }, 'npx --no-install eslint .'],
  [
    'eslint in the manifest',
    { 'package.json': '{"eslintConfig":{}}', 'node_modules/.bin/eslint': '' },
    'npx --no-install eslint .',
  ],
  ['eslint that is not configured', { 'node_modules/.bin/eslint': '' }, null],
])('the linter of a project with %s', (_what, files, command) => {
  expect(detectLinterCommand(project(files))).toBe(command)
})

test.each<[what: string, named: string | null, changed: string[], is: string]>([
  ['found by itself, findings in the change', null, ['old.js'], 'failed'],
  ['found by itself, findings elsewhere', null, ['new.js'], 'passed_with_warnings'],
  ['named by the owner, findings elsewhere', 'sh lint.sh', ['new.js'], 'failed'],
])('a linter %s: %s', async (_what, named, changed, is) => {
  const cwd = project({ 'old.js': '', 'new.js': '', 'lint.sh': "echo 'old.js:1:1: unused x'; exit 1\n" })
  const options = {
    evidenceDir: join(cwd, 'evidence'),
    env: { PATH: '/usr/bin:/bin' },
    tailBytes: 1_000,
    surroundings: unconfined('test'),
  }
  const config = GatesConfig.parse({ linterCommand: named })
  const held = { mayChangeTests: false, judgedBy: [] }
  const request = { cwd, base: '', changed, readBase: async () => null, config, ...held }
  expect(await runLinter(options, { ...request, timeoutMs: 200_000 }, 'sh lint.sh')).toMatchObject({ is })
})

verifies(
  'ORCH-3.4-3',
  'the lint script of the project is run as its owner runs it, and judged by the changed files',
  async () => {
    const cwd = project({
      'package.json': '{"scripts":{"lint":"sh lint.sh"}}',
      'old.js': '',
      'new.js': '',
      'lint.sh': "echo 'old.js:1:1: unused x'; exit 1\n",
    })
    const command = detectLinterCommand(cwd) ?? 'none'
    const options = {
      evidenceDir: join(cwd, 'evidence'),
      env: { PATH: toolEnv.path, HOME: cwd },
      tailBytes: 1_000,
      surroundings: unconfined('test'),
    }
    const request = {
      cwd,
      base: '',
      readBase: async () => null,
      config: GatesConfig.parse({}),
      mayChangeTests: false,
      judgedBy: [],
    }
    const lint = (changed: string[]) =>
      runLinter(options, { ...request, changed, timeoutMs: 200_000 }, command)
    expect(await lint(['old.js'])).toMatchObject({
      is: 'failed',
      evidence: { command: 'npm run lint', exitCode: 1 },
      failures: [{ file: 'old.js', line: 1 }],
    })
    expect(await lint(['new.js'])).toMatchObject({ is: 'passed_with_warnings' })
  },
)

test('a worktree has the linter of the repository around it', () => {
  const root = project({ 'node_modules/.bin/eslint': '', '.treadle/worktrees/a/.eslintrc.json': '{}' })
  expect(detectLinterCommand(join(root, '.treadle/worktrees/a'))).toBe('npx --no-install eslint .')
})

test('findings are read from the usual layouts, and only about files that are there', () => {
  const cwd = project({ 'src/a.ts': '', 'b.js': '' })
  const output = [
    'src/a.ts:3:7: unused x',
    'src/a.ts(4,1): error TS1: no',
    'gone.ts:1:1: never',
    `${cwd}/b.js`,
    '  12:5  error  Unexpected var  no-var',
    'src/a.ts:9:2 lint/style/noEnum ━━━━',
    '',
    '  × No enums.',
    'Found 3 errors: see above',
  ].join('\n')
  expect(readFindings(output, cwd)).toEqual([
    { file: 'src/a.ts', line: 3, message: 'unused x' },
    { file: 'src/a.ts', line: 4, message: 'error TS1: no' },
    { file: 'b.js', line: 12, message: 'error Unexpected var no-var' },
    { file: 'src/a.ts', line: 9, message: 'lint/style/noEnum: No enums.' },
  ])
  expect(readFindings(Array(9_000).fill('b.js:1:1: again').join('\n'), cwd)).toHaveLength(5_000)
})
