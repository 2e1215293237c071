// treadle fix as a loop: build, test, improve at most three times, then a delivery or a report for a person.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Escalation, Explanation } from '@treadle/contracts/escalation'
import type { LoopState } from '@treadle/contracts/loop-state'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { type Attempts, moduleOf, moduleText, repair, TEST_SCRIPT, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

interface Fixed {
  readonly outcome: string
  readonly branch: string
  readonly commit: string
  readonly reason: string
  readonly report: string
  readonly loop: LoopState
}

async function fix(workspace: Workspace, code: number, ...args: string[]): Promise<Fixed> {
  const ended = await run(workspace, ['fix', '--json', ...args])
  expect(ended.code, ended.stderr).toBe(code)
  return JSON.parse(ended.stdout) as Fixed
}

const idea = (n: number): Attempts[number] => [{ write: { file: 'notes.txt', text: `idea ${n}\n` } }]
const phases = ({ loop }: Fixed) => loop.history.map(({ phase, iteration }) => `${phase} ${iteration}`)

verifies(
  [
    'META-ITER-1',
    'META-ITER-3',
    'META-STATE-4',
    'META-STATE-5',
    'META-STATE-6',
    'META-TEST-1',
    'META-GATE-2',
  ],
  'a first attempt that fails is improved, and every phase is on record with its change',
  async () => {
    const workspace = shop({ scripts: [[idea(1), [repair(1)]]] })
    const fixed = await fix(workspace, 0)
    expect(fixed.outcome).toBe('fixed')
    expect(fixed.loop.iteration).toBe(1)
    expect(phases(fixed)).toEqual(['build 0', 'test 0', 'improve 1', 'test 1', 'commit 1'])
    const [build, tested, improve] = fixed.loop.history
    expect(build).toMatchObject({ outcome: 'done', changes: ['notes.txt'] })
    expect(build?.diff).toContain('+idea 1')
    expect(tested).toMatchObject({ outcome: 'failed', groups: [{ tests: [moduleOf(1)] }] })
    expect(improve).toMatchObject({ changes: [moduleOf(1)], fixes: [{ novel: true, outcome: 'done' }] })
    expect(improve?.diff).toContain('-state: wrong\n+state: right')
    for (const { durationMs } of fixed.loop.history) expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(Object.keys(fixed.loop.gates).sort()).toEqual([
      'capabilities',
      'secrets',
      'test_integrity',
      'tests_pass',
    ])
    const message = workspace.git('log', '-1', '--format=%B', fixed.commit)
    expect(message).toContain('Iterations-used: 1')
    expect(message).toContain('Gates: tests_pass=passed')
    expect(workspace.git('log', '--format=%s', `main..${fixed.branch}`).split('\n')).toHaveLength(1)
  },
)

verifies(
  ['META-ITER-2', 'META-ITER-4', 'META-ITER-5', 'META-ITER-6'],
  'the third improvement is the last',
  async () => {
    const attempts = (right: number) =>
      Array.from({ length: 6 }, (_, at) => (at + 1 === right ? [repair(1)] : idea(at)))
    const last = await fix(shop({ scripts: [attempts(4)] }), 0)
    expect([last.outcome, last.loop.iteration]).toEqual(['fixed', 3])
    const late = await fix(shop({ scripts: [attempts(5)] }), 1)
    expect([late.outcome, late.loop.iteration]).toEqual(['not_fixed', 3])
    expect(phases(late)).toEqual([
      ...['build 0', 'test 0', 'improve 1', 'test 1', 'improve 2', 'test 2', 'improve 3', 'test 3'],
      'escalation 3',
    ])
  },
)

verifies(
  ['META-ESC-1', 'META-ESC-2', 'META-ESC-3'],
  'giving up leaves a report, an explanation of each attempt, the change as a reference, and nothing else',
  async () => {
    const workspace = shop({ scripts: [[idea(1), idea(2), idea(3), idea(4)]] })
    const fixed = await fix(workspace, 1)
    const id = fixed.loop.session_id
    const report = readFileSync(fixed.report, 'utf8')
    for (const part of [
      'What was tried',
      'Attempt 4',
      'still fails',
      moduleOf(1),
      'sh test.sh',
      `treadle explain ${id}`,
    ])
      expect(report).toContain(part)
    const data = JSON.parse(readFileSync(fixed.report.replace(/md$/, 'report.json'), 'utf8')) as Escalation
    expect(data.attempts).toHaveLength(4)
    expect(data.remaining.flatMap(({ tests }) => tests)).toEqual([moduleOf(1)])
    const third = await run(workspace, ['explain', id, '3'])
    expect(third.code, third.stderr).toBe(0)
    expect(third.stdout).toContain('-idea 2\n+idea 3')
    const told = await run(workspace, ['explain', id, '--json'])
    expect(told.code, told.stderr).toBe(0)
    expect((JSON.parse(told.stdout) as Explanation).escalation?.attempts).toHaveLength(4)
    const none = await run(workspace, ['explain', id, '5'])
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toContain('no attempt 5')
    expect(workspace.git('branch', '--list', 'treadle/*')).toBe('')
    expect(workspace.git('status', '--porcelain')).toBe('')
    expect(workspace.git('show', `refs/treadle/runs/${id}/given-up:notes.txt`)).toBe('idea 4')
    expect(workspace.git('worktree', 'list').split('\n')).toHaveLength(1)
  },
)

verifies(
  'LOOP-FLAW-4',
  'tests that fail for one cause are one turn, other causes have turns of their own',
  async () => {
    const shared = [1, 2, 3].map((n) => `test/shared-${n}.test.mjs`)
    const head = "import test from 'node:test'\nimport { "
    const files = {
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
      'src/auth.mjs': "export function session() {\n  throw new TypeError('no session')\n}\n",
      'src/sum.mjs': "export function sum(a, b) {\n  throw new RangeError('cannot add')\n}\n",
      ...Object.fromEntries(
        shared.map((file, at) => [
          file,
          `${head}session } from '../src/auth.mjs'\ntest('auth ${at}', () => {\n  session()\n})\n`,
        ]),
      ),
      'test/sum.test.mjs': `${head}sum } from '../src/sum.mjs'\ntest('sum adds', () => {\n  sum(1, 2)\n})\n`,
    }
    const workspace = shop({ scripts: [], files, settings: { tests: { command: 'npm test' } } })
    const mend = (file: string, find: string, name: string) => [
      { edit: { file, find, replace: 'return 3' } },
      { run: { command: `echo ${name} >> ../../../../home/turns` } },
    ]
    const items = [
      {
        match: { test: '*auth*' },
        attempts: [idea(1), mend('src/auth.mjs', "throw new TypeError('no session')", 'auth')],
      },
      {
        match: { test: '*sum*' },
        attempts: [idea(1), mend('src/sum.mjs', "throw new RangeError('cannot add')", 'sum')],
      },
    ]
    writeFileSync(join(workspace.home, 'scenario.json'), JSON.stringify({ version: 1, items }))
    const fixed = await fix(workspace, 0)
    expect(fixed.outcome).toBe('fixed')
    expect(readFileSync(join(workspace.home, 'turns'), 'utf8').trim().split('\n')).toEqual(['auth', 'sum'])
    const improve = fixed.loop.history.find(({ phase }) => phase === 'improve')
    expect(improve?.fixes.map(({ group }) => group?.tests.length)).toEqual([3, 1])
  },
)

test('a broken state file is named and left alone; nothing to resume is said', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  const none = await run(workspace, ['fix', '--resume'])
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('there is no interrupted fix')
  const file = join(workspace.paths.fixes, '00000000-0000-4000-8000-000000000001.json')
  const fixed = await fix(workspace, 0)
  writeFileSync(file, '{ half')
  const again = await run(workspace, ['fix'])
  expect(again.code, again.stderr).toBe(0)
  expect(again.stderr).toContain('cannot be read and is left alone')
  expect(existsSync(file)).toBe(true)
  expect(workspace.git('show', `${fixed.branch}:${moduleOf(1)}`)).toBe(moduleText(1, 'right').trim())
})

/** Every failure says the same, whichever module it is. */
const SAME_FAILURE = TEST_SCRIPT.replace(
  'echo "not ok $n - $file"; failed=1',
  'printf "not ok %s - %s\\n  ---\\n  message: \'TypeError: the state is not set\'\\n  ...\\n" "$n" "$file"; failed=1',
)

test('what a fix has learned is known to the next one, with no daemon in between', async () => {
  const workspace = shop({ scripts: [[idea(1), [repair(1)]]], files: { 'test.sh': SAME_FAILURE } })
  const first = await fix(workspace, 0)
  const lesson = first.loop.history.find(({ phase }) => phase === 'improve')?.fixes[0]
  expect(lesson).toMatchObject({ novel: true, lessonId: null })
  const second = await fix(workspace, 0)
  const shown = second.loop.history.flatMap(({ applied }) => applied.map(({ type }) => type))
  expect(first.loop.history.flatMap(({ applied }) => applied)).toEqual([])
  expect(shown).toContain('resolution')
})
