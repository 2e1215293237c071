// treadle fix says what is so: what it changed and nothing else, what it did not see, and what really failed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { moduleOf, repair, type Step, TEST_SCRIPT, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

interface Fixed {
  readonly outcome: string
  readonly commit: string
  readonly reason: string
  readonly report: string
  readonly notes: readonly string[]
  readonly gates: readonly { readonly gate: string; readonly is: string }[]
  readonly loop: { readonly history: readonly { phase: string; changes: string[]; summary: string }[] } | null
}

async function fix(workspace: Workspace, ...more: string[]) {
  const ended = await run(workspace, ['fix', '--json', ...more])
  expect(ended.stdout, ended.stderr).not.toBe('')
  return { ...ended, fixed: JSON.parse(ended.stdout) as Fixed }
}

const SUMMARY = '{"total":{"lines":{"total":10,"covered":9,"skipped":0,"pct":90}}}'
const LITTERS = `mkdir -p __pycache__ coverage; date > __pycache__/a.pyc; date >> src/made.snap
echo '${SUMMARY}' > coverage/coverage-summary.json
${TEST_SCRIPT}`

test('what the runs of the tests leave is no part of a delivery, and a coverage report among it counts', async () => {
  const script: Step[] = [repair(1), { run: { command: 'sh test.sh || true' } }]
  const workspace = shop({
    scripts: [[[{ write: { file: 'src/half.md', text: 'half\n' } }], script]],
    files: { 'test.sh': LITTERS },
    settings: { gates: { coverage: { threshold: 80, command: null, report: null } } },
  })
  const { fixed, stderr } = await fix(workspace)
  expect(fixed.outcome, stderr).toBe('fixed')
  const names = ['diff', '--name-only', `${fixed.commit}^`, fixed.commit]
  expect(workspace.git(...names).split('\n')).toEqual(['src/half.md', moduleOf(1)])
  expect(fixed.gates.find(({ gate }) => gate === 'coverage_pass')?.is).toBe('passed')
  const changed = fixed.loop?.history.filter(({ phase }) => phase !== 'test').map(({ changes }) => changes)
  expect(changed).toEqual([['src/half.md'], [moduleOf(1)], ['src/half.md', moduleOf(1)]])
})

test('what is not committed is said to be no part of it', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]], right: [1] })
  workspace.write(moduleOf(1), 'state: wrong\n')
  workspace.write('new.txt', 'new\n')
  const { fixed, code } = await fix(workspace)
  expect(code).toBe(0)
  expect(fixed.outcome).toBe('nothing_to_fix')
  const head = workspace.git('rev-parse', 'HEAD').slice(0, 7)
  const told = `treadle fix works on commit ${head}; 2 uncommitted files (${moduleOf(1)}, new.txt) are not part of it`
  expect(fixed.notes).toEqual([expect.stringContaining(told)])
  const words = await run(workspace, ['fix'])
  expect(words.stdout).toMatch(new RegExp(`^Nothing to fix in commit ${head}: `))
  expect(words.stdout).toContain(told)
})

const NODE_TESTS = Object.fromEntries(
  ['a', 'b', 'c'].flatMap((name) => [
    [`${name}.mjs`, `export const ${name} = ${name === 'a' ? 2 : 1}\n`],
    [
      `${name}.test.mjs`,
      `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from './${name}.mjs'\ntest('${name}', () => assert.equal(${name}, 1))\n`,
    ],
  ]),
)
const MEND: Step = { edit: { file: 'a.mjs', find: '2', replace: '1' } }

test('a finding in a file that is no test is not run as one, and stays the reason', async () => {
  const key = ['-----BEGIN', 'RSA PRIVATE', `KEY-----\n${'MIIEowIBAAKCAQEA'.repeat(20)}\n-----END`].join(' ')
  const workspace = shop({
    scripts: [
      [
        [MEND, { write: { file: 'k.pem', text: `${key} RSA PRIVATE KEY-----\n` } }],
        [{ write: { file: 'b.mjs', text: '// the same\nexport const b = 1\n' } }],
      ],
    ],
    files: NODE_TESTS,
    settings: { tests: { command: 'node --test' }, limits: { improvements: 1 } },
  })
  const { fixed } = await fix(workspace)
  expect(fixed.outcome).toBe('not_fixed')
  expect(fixed.reason).toMatch(/^secrets: .*k\.pem/)
  expect(fixed.reason).not.toMatch(/tests ran|cannot be loaded|EXTENSION/)
  for (const { phase, summary } of fixed.loop?.history ?? [])
    if (phase === 'test') expect(summary).toMatch(/^secrets: .*k\.pem/)
})

test('a command that fails with all tests green is said to be that, and no search is begun', async () => {
  const workspace = shop({
    scripts: [[[]]],
    files: { ...NODE_TESTS, 'a.mjs': 'export const a = 1\n' },
    settings: { tests: { command: 'node --test; exit 1' } },
  })
  const { fixed, stderr, code } = await fix(workspace, '--engine', 'repair')
  expect(code).toBe(1)
  expect(fixed.outcome).toBe('not_fixed')
  expect(fixed.reason).toMatch(
    /^The test command itself failed with exit code 1, with 3 test\(s\) green and none red/,
  )
  expect(fixed.loop?.history).toEqual([])
  expect(stderr).toContain('All tests are green, but the test command itself fails')
  expect(stderr).not.toContain('1 failing')
})

test('what cannot be begun is told in JSON as well', async () => {
  const workspace = shop({ scripts: [[[]]], settings: { tests: { command: null } } })
  const { fixed, code } = await fix(workspace)
  expect(code).toBe(1)
  expect(fixed).toMatchObject({ outcome: 'not_fixed', reason: expect.stringContaining('no test command') })
  const dry = await fix(workspace, '--dry-run')
  expect(dry.code).toBe(2)
  expect(dry.fixed).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('dry run') })
})

test('settings that cannot be read are an error, with the place; a single wrong value is not', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  const file = join(workspace.root, 'treadle.json')
  writeFileSync(file, '{\n  "tests": { "command": "sh test.sh" }\n  "gates": {}\n}\n')
  const { fixed, stderr, code } = await fix(workspace)
  expect(code).toBe(1)
  expect(fixed.reason).toContain(`${file} cannot be read`)
  expect(fixed.reason).toContain('line 3')
  expect(stderr).not.toContain('Running the tests')
  workspace.setConfig({
    tests: { command: 'sh test.sh' },
    engines: { default: 'scripted', scripted: { scenario: '../home/scenario.json' } },
    limits: { improvements: 'many' },
  })
  const good = await fix(workspace)
  expect(good.fixed.outcome).toBe('fixed')
  expect(good.stderr).toContain('limits.improvements')
})

test('a repository without a commit is told to make one', async () => {
  const workspace = shop({ scripts: [[[]]] })
  workspace.git('checkout', '--quiet', '--orphan', 'empty')
  const { fixed, stderr } = await fix(workspace)
  expect(fixed.reason).toContain('no commit yet')
  expect(stderr).toContain('Make a first commit')
})

test('a submodule that is not here is named in the reason and in the report', async () => {
  const workspace = shop({
    scripts: [[[{ write: { file: 'notes.txt', text: 'an idea\n' } }]]],
    settings: { limits: { improvements: 0 } },
  })
  const { git, home } = workspace
  git('init', '--quiet', `${home}/lib`)
  git(
    '-C',
    `${home}/lib`,
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@x',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'l',
  )
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `${home}/lib`, 'deps/lib')
  git('commit', '--quiet', '--message', 'sub')
  git('submodule', '--quiet', 'deinit', 'deps/lib')
  workspace.write('.git/modules/deps/lib/HEAD', 'broken\n')
  const { fixed } = await fix(workspace)
  expect(fixed.outcome).toBe('not_fixed')
  const told = 'the submodule deps/lib is empty in the worktree'
  expect(fixed.reason).toContain(told)
  expect(readFileSync(fixed.report, 'utf8')).toContain(told)
  const found = await run(workspace, ['doctor'])
  expect(found.stdout).toContain('submodules: deps/lib')
})
