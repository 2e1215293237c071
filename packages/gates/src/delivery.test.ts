import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { GateResult, gatesGreen } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { unconfined } from './run-command.ts'

function setUp(base: Record<string, string>, head: Record<string, string | null> = {}) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-delivery-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, 'project')
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' })
  mkdirSync(cwd)
  for (const [name, text] of Object.entries({ '.gitignore': 'coverage/\n', ...base })) write(name, text)
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'base')
  for (const [name, text] of Object.entries(head))
    if (text === null) rmSync(join(cwd, name))
    else write(name, text)
  git('add', '-A')
  const changed = git('diff', '--cached', '--name-only', '--no-renames', '-z').split('\0').filter(Boolean)
  const tree = git('ls-tree', '-r', '--name-only', '-z', 'HEAD').split('\0')
  const evidenceDir = join(dir, 'evidence')
  const gates = openGates({
    evidenceDir,
    env: { PATH: toolEnv.path, HOME: dir },
    tailBytes: 8_000,
    surroundings: unconfined('test'),
  })
  const run = async (config: object = {}, more: Partial<DeliveryGateRequest> = {}) => {
    const found = await gates.runDeliveryGates({
      cwd,
      base: 'HEAD',
      changed,
      readBase: async (path) => (tree.includes(path) ? git('show', `HEAD:${path}`) : null),
      config: GatesConfig.parse(config),
      mayChangeTests: false,
      judgedBy: [],
      timeoutMs: 200_000,
      ...more,
    })
    return found.map((each) => GateResult.parse(each))
  }
  const outputs = (found: readonly GateResult[]): string =>
    found
      .flatMap((each) => ('evidence' in each ? [each.evidence.output] : []))
      .map((sha) => readFileSync(join(evidenceDir, sha.slice(0, 2), sha), 'utf8'))
      .join('\n')
  return { cwd, write, run, outputs }
}
const names = (found: readonly GateResult[]) => found.map(({ gate }) => gate)
const pick = (found: readonly GateResult[], gate: string) => found.find((each) => each.gate === gate)

const source = { 'sum.mjs': 'export const sum = (a, b) => a + b\n' }
// The lint script looks at what the change brought.
const lintable = {
  'package.json': JSON.stringify({ scripts: { lint: 'node lint.mjs' } }),
  'lint.mjs': `import { readFileSync } from 'node:fs'
readFileSync('sum.mjs', 'utf8').split('\\n').forEach((line, index) => {
  if (line.includes('var ')) { console.log('sum.mjs:' + (index + 1) + ':1: no var here'); process.exitCode = 1 }
})
`,
}

verifies('META-GATE-12', 'what is not configured is neither run nor counted', async () => {
  const { run } = setUp(source, { 'sum.mjs': 'export const sum = (a, b) => b + a\n' })
  const found = await run()
  expect(names(found)).toEqual(['secrets', 'test_integrity', 'capabilities'])
  expect(gatesGreen(found)).toBe(true)
})

verifies(
  ['META-GATE-3', 'META-GATE-4'],
  'the linter of the project runs on the changed code and its result is kept',
  async () => {
    const good = setUp({ ...source, ...lintable }, { 'sum.mjs': 'export const sum = (a, b) => b + a\n' })
    expect(pick(await good.run(), 'linter_pass')).toMatchObject({
      is: 'passed',
      evidence: { command: 'npm run lint', exitCode: 0 },
    })
    const bad = setUp(
      { ...source, ...lintable },
      { 'sum.mjs': '// note\nexport var sum = (a, b) => a + b\n' },
    )
    const found = pick(await bad.run({ linterCommand: 'node lint.mjs' }), 'linter_pass')
    expect(found).toMatchObject({
      is: 'failed',
      evidence: { command: 'node lint.mjs', exitCode: 1 },
      failures: [{ file: 'sum.mjs', line: 2, message: 'no var here' }],
    })
  },
)

verifies('META-GATE-5', 'a failing linter keeps the change from being committed', async () => {
  const { run } = setUp({ ...source, ...lintable }, { 'sum.mjs': 'export var sum = 1\n' })
  expect(gatesGreen(await run({ linterCommand: 'node lint.mjs' }))).toBe(false)
  expect(gatesGreen(await run({ linterCommand: 'true' }))).toBe(true)
})

test('a linter that hangs, is missing, or says nothing useful', async () => {
  const { run } = setUp(source, { 'sum.mjs': 'export const sum = 1\n' })
  const lint = async (linterCommand: string | false, timeoutMs = 200_000) =>
    pick(await run({ linterCommand }, { timeoutMs }), 'linter_pass')
  expect(await lint('sleep 30', 300)).toMatchObject({
    is: 'failed',
    evidence: { timedOut: true },
    failures: [{ message: expect.stringContaining('did not end within 300 ms') }],
  })
  expect(await lint('no-such-linter-here')).toMatchObject({
    is: 'not_run',
    why: expect.stringContaining('not found'),
  })
  expect(await lint('echo oh no; exit 3')).toMatchObject({
    is: 'failed',
    failures: [{ file: null, message: expect.stringContaining('failed with exit code 3') }],
  })
  expect(await lint(false)).toBeUndefined()
})

const summary = (covered: number, total: number) =>
  JSON.stringify({ total: { lines: { total, covered, skipped: 0, pct: 0 } } })

verifies(
  ['META-GATE-6', 'META-GATE-7'],
  'measured coverage is held against the threshold, and the numbers are kept',
  async () => {
    const { run, write, outputs } = setUp(source, { 'sum.mjs': 'export const sum = 1\n' })
    const measure = async (covered: number) => {
      const testsStartedAt = new Date()
      write('coverage/coverage-summary.json', summary(covered, 10))
      const found = await run({ coverage: { threshold: 80 } }, { testsStartedAt })
      return { found: pick(found, 'coverage_pass'), said: outputs(found) }
    }
    const enough = await measure(8)
    expect(enough.found).toMatchObject({
      is: 'passed',
      evidence: { command: 'treadle: coverage_pass', exitCode: 0 },
    })
    expect(enough.said).toContain('lines: 8 of 10 covered, 80 %\nthreshold: 80 %')
    expect((await measure(7)).found).toMatchObject({
      is: 'failed',
      evidence: { exitCode: 1 },
      failures: [
        { message: expect.stringContaining('70 % of lines are covered (7 of 10), 80 % are asked for') },
      ],
    })
    expect((await measure(9)).found).toMatchObject({ is: 'passed' })
  },
)

verifies('META-GATE-8', 'coverage below the threshold keeps the change from being committed', async () => {
  const { run, write } = setUp(source, { 'sum.mjs': 'export const sum = 1\n' })
  write('coverage/coverage-summary.json', summary(7, 10))
  expect(gatesGreen(await run({ coverage: { threshold: 70.1 } }))).toBe(false)
  expect(gatesGreen(await run({ coverage: { threshold: 70 } }))).toBe(true)
})

test('a report that is old, part of the change, missing or unreadable proves nothing', async () => {
  const { run, write, cwd } = setUp(source, {
    'sum.mjs': 'export const sum = 1\n',
    'lcov.info': 'SF:a\nDA:1,1\nend_of_record\n',
  })
  const config = { coverage: { threshold: 50 } }
  const why = async (more: Partial<DeliveryGateRequest> = {}, coverage: object = {}) => {
    const found = pick(await run({ coverage: { ...config.coverage, ...coverage } }, more), 'coverage_pass')
    return found?.is === 'not_run' ? found.why : found?.is
  }
  expect(await why()).toContain('lcov.info is part of the change')
  expect(await why({}, { report: 'none.json' })).toContain('there is no coverage report at none.json')
  write('coverage/coverage-summary.json', summary(9, 10))
  expect(await why()).toBe('passed')
  const later = new Date(Date.now() + 60_000)
  expect(await why({ testsStartedAt: later })).toContain(
    'coverage/coverage-summary.json is older than the test run',
  )
  // Whoever wrote it before the tests may have set its time to later.
  utimesSync(join(cwd, 'coverage/coverage-summary.json'), later, later)
  expect(await why({ testsStartedAt: new Date(Date.now() + 200_000) })).toContain(
    'is older than the test run',
  )
  write('coverage/coverage-summary.json', 'all is well')
  expect(await why()).toContain('is neither Istanbul, LCOV nor Cobertura')
})

test('a coverage command makes the report; one that fails is a failure', async () => {
  const { run } = setUp({
    ...source,
    'cover.sh': `mkdir -p coverage; echo '${summary(1, 2)}' > coverage/coverage-summary.json`,
  })
  const cover = async (command: string, threshold: number) =>
    pick(await run({ coverage: { threshold, command } }), 'coverage_pass')
  expect(await cover('sh cover.sh', 50)).toMatchObject({ is: 'passed' })
  expect(await cover('sh cover.sh', 51)).toMatchObject({ is: 'failed' })
  expect(await cover('exit 2', 50)).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('exit 2') }],
  })
})

// In two parts, so that no scanner finds them here.
const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6'}`
const slack = `xoxb-${'123456789012-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX'}`

test('a secret in a changed file blocks, named by place and rule, and is repeated nowhere', async () => {
  const { run, outputs } = setUp(source, {
    'config.mjs': `export const url = 'x'\nexport const key = '${token}'\n`,
    'blob.bin': `\0${token}`,
    'huge.txt': `${'x'.repeat(1_100_000)}\n${token}\n`,
  })
  const found = await run({ linterCommand: 'cat config.mjs; exit 1' })
  expect(pick(found, 'secrets')).toMatchObject({
    is: 'failed',
    evidence: { command: 'treadle: secrets' },
    failures: [
      {
        file: 'config.mjs',
        line: 2,
        message: 'config.mjs:2 holds what looks like a secret (github/GITHUB_TOKEN)',
      },
    ],
  })
  const said = JSON.stringify(found) + outputs(found)
  expect(said).not.toContain(token)
  expect(said).toContain('skipped blob.bin: binary')
  expect(said).toContain('huge.txt was not scanned: larger than')
  expect(said).toContain('export const key')
})

test('a secret that was there before, or that is allowed by a comment, is pointed out and does not block', async () => {
  const allowed = `// secretlint-disable-next-line\nexport const slack = '${slack}'\n`
  const { run } = setUp(
    { 'config.mjs': `export const key = '${token}'\n` },
    { 'config.mjs': `// moved\nexport const key = '${token}'\n`, 'other.mjs': allowed },
  )
  const found = await run()
  expect(pick(found, 'secrets')).toMatchObject({
    is: 'passed_with_warnings',
    warnings: [
      'other.mjs has 1 new comment(s) that switch the scanner off',
      'config.mjs:2 holds what looks like a secret (github/GITHUB_TOKEN), as before',
    ],
  })
  expect(JSON.stringify(found)).not.toContain(token)
})

const strict = `import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.mjs'\ntest('adds', () => {\n  assert.equal(sum(1, 2), 3)\n})\n`

test('a weakened test blocks, unless the item says that tests may change', async () => {
  const { run } = setUp(
    { ...source, 'sum.test.mjs': strict },
    { 'sum.test.mjs': strict.replace('equal(sum(1, 2), 3)', 'ok(sum(1, 2))') },
  )
  expect(pick(await run(), 'test_integrity')).toMatchObject({
    is: 'failed',
    evidence: { command: 'treadle: test_integrity' },
    failures: [
      {
        file: 'sum.test.mjs',
        line: 5,
        message: expect.stringContaining("test 'adds': this assertion asks for less"),
      },
    ],
  })
  expect(pick(await run({}, { mayChangeTests: true }), 'test_integrity')).toMatchObject({
    is: 'passed_with_warnings',
    warnings: [expect.stringMatching(/^allowed by the item: sum\.test\.mjs:5: /)],
  })
})

test('a file of another task of the same build may be rewritten, and neither removed nor emptied', async () => {
  const base = { ...source, 'b.mjs': 'export const b = 1\n', 'c.mjs': 'export const c = 1\n' }
  const { run } = setUp(base, { 'sum.mjs': null, 'b.mjs': '', 'c.mjs': 'export const c = 2\n' })
  expect(names(await run())).not.toContain('tasks_kept')
  const others = ['sum.mjs', 'b.mjs', 'c.mjs', 'd.mjs'].map((file, nth) => ({ task: `T${nth}`, file }))
  expect(pick(await run({}, { others }), 'tasks_kept')).toMatchObject({
    is: 'failed',
    evidence: { command: 'treadle: tasks_kept' },
    failures: [
      { file: 'sum.mjs', message: expect.stringContaining('the file of task T0 of the same build') },
      { file: 'b.mjs', message: expect.stringContaining('the file of task T1 of the same build') },
    ],
  })
  expect(pick(await run({}, { others: others.slice(2) }), 'tasks_kept')).toMatchObject({ is: 'passed' })
})

test('a package that a task newly asks for is asked about, by the name that it is installed from, and nothing else is', async () => {
  const manifest = (dependencies: object, devDependencies: object = {}) =>
    JSON.stringify({ dependencies, devDependencies })
  const base = {
    ...source,
    'package.json': manifest({ zod: '4.0.0' }),
    'package-lock.json': '{"packages":{"node_modules/known":{}}}',
  }
  const news = { zod: '4.1.0', known: '1.0.0', own: 'workspace:*', other: 'npm:left-pad@1.0.0' }
  const { run } = setUp(base, { 'package.json': manifest(news, { 'left-pud': '1.0.0' }) })
  expect(names(await run())).not.toContain('new_packages')
  const asked: string[] = []
  const judgePackage = async (name: string) => {
    asked.push(name)
    return name === 'left-pud' ? 'the registry has no package left-pud' : null
  }
  expect(pick(await run({}, { judgePackage }), 'new_packages')).toMatchObject({
    is: 'failed',
    evidence: { command: 'treadle: new_packages' },
    failures: [{ file: 'package.json', message: expect.stringMatching(/^left-pud is new here/) }],
  })
  expect(asked).toEqual(['left-pad', 'left-pud'])
  expect(pick(await run({}, { judgePackage: async () => null }), 'new_packages')).toMatchObject({
    is: 'passed',
  })
  const plain = setUp(base, { 'sum.mjs': '' })
  expect(names(await plain.run({}, { judgePackage }))).not.toContain('new_packages')
})

test('a file of another task that is left blank, or made a link to another file, is removed as well', async () => {
  const base = { ...source, 'b.mjs': 'export const b = 1\n' }
  const { run, cwd } = setUp(base, { 'b.mjs': '\n \n' })
  const others = ['b.mjs', 'sum.mjs'].map((file, nth) => ({ task: `T${nth}`, file }))
  const filesOf = (found: GateResult | undefined) =>
    found?.is === 'failed' ? found.failures.map(({ file }) => file) : found?.is
  expect(filesOf(pick(await run({}, { others }), 'tasks_kept'))).toEqual(['b.mjs'])
  rmSync(join(cwd, 'b.mjs'))
  symlinkSync('sum.mjs', join(cwd, 'b.mjs'))
  expect(filesOf(pick(await run({}, { others }), 'tasks_kept'))).toEqual(['b.mjs'])
})

test('a test file moved with git is held against its former content', async () => {
  const { run } = setUp(
    { ...source, 'sum.test.mjs': strict },
    { 'sum.test.mjs': null, 'lib/sum.test.mjs': strict },
  )
  expect(pick(await run(), 'test_integrity')).toMatchObject({ is: 'passed' })
})

test('where the tests are red no command is started, and the rest is still told', async () => {
  const { run, cwd } = setUp({ ...source, 'sum.test.mjs': strict }, { 'sum.test.mjs': null })
  const red: GateResult = { is: 'not_run', gate: 'tests_pass', why: 'no tests' }
  const config = { linterCommand: 'touch linted', coverage: { threshold: 1, command: 'touch covered' } }
  const found = await run(config, { skipIfRed: [red] })
  expect(found.map(({ gate, is }) => [gate, is])).toEqual([
    ['linter_pass', 'not_run'],
    ['coverage_pass', 'not_run'],
    ['secrets', 'passed'],
    ['test_integrity', 'failed'],
    ['capabilities', 'passed'],
  ])
  expect(execFileSync('ls', { cwd, encoding: 'utf8' })).toBe('sum.mjs\n')
})

test('an interrupted run judges nothing', async () => {
  const { run } = setUp(source, { 'sum.mjs': 'export const sum = 1\n' })
  const found = await run({ linterCommand: 'true' }, { signal: AbortSignal.abort() })
  expect(new Set(found.map(({ is }) => is))).toEqual(new Set(['not_run']))
})
