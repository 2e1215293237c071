// treadle run from the first plan to the summary, over the command line.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run, start } from '../kit/command.ts'
import type { Daemon } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import { hold, letGo, moduleOf, repair, told, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { eventsLike, plan, reflect, untilEvent } from './goals.ts'

const shop = useShops()
const sharedShop = useShops('file')
const verify = (n: number) => ['--verify', `sh test.sh ${moduleOf(n)}`]
const NOISE = 'a line of noise that nobody wants to read'

const fiveSteps = [
  plan('Search, read, fix, test, verify'),
  { run: { command: 'grep -rn wrong src' } },
  { run: { command: `cat src/module-01.txt; echo ${NOISE}` } },
  repair(1),
  { run: { command: 'sh test.sh src/module-01.txt' } },
  { say: { text: 'Set the state of module 1 to right.' } },
  reflect('achieved', 'The test passes'),
]
const inVain = [
  plan('Try'),
  { run: { command: 'date +%N' } },
  { say: { text: 'Looked at module 2.' } },
  reflect('not_yet', 'It is still wrong', { remaining: ['Mend module 2'] }),
]
const impossible = [plan('Try'), reflect('impossible', 'There is no module 7 in this repository')]
const waiting = [plan('Wait'), hold('go'), repair(4)]
const idle = [plan('Do nothing'), reflect('achieved', 'It is right as it is')]

verifies(
  ['PAOR-AGG-1', 'PAOR-AGG-2', 'PAOR-AGG-3', 'PAOR-TERM-2'],
  'a goal of five steps ends with a summary of the change and its confirmation, and nothing is left running',
  async () => {
    const workspace = shop({ scripts: [[fiveSteps]] })
    const ended = await run(workspace, ['run', 'Make module 1 right', ...verify(1)])
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).toContain('Goal achieved in 1 iteration.')
    expect(ended.stdout).toContain('Set the state of module 1 to right.')
    expect(ended.stdout).toContain('Confirmed: sh test.sh src/module-01.txt ended with exit code 0.')
    expect(ended.stdout).toContain('src/module-01.txt')
    expect(ended.stdout).not.toContain(NOISE)
    expect(ended.stdout.trim().split('\n').length).toBeLessThan(12)
    // It has started the daemon itself, and ends it.
    expect(everythingIn(workspace)).toEqual([])
  },
)

test('without a terminal, a question ends the command with exit code 3; guide answers it, attach follows it to its end', async () => {
  const script = [
    plan('Ask'),
    reflect('needs_user', 'Unclear', { question: 'Which module?' }),
    plan('Mend'),
    repair(1),
  ]
  const workspace = shop({ scripts: [[script]] })
  const asked = await run(workspace, ['run', 'Make a module right', ...verify(1)])
  expect(asked.code, asked.stderr).toBe(3)
  expect(asked.stdout).toContain('It waits for an answer: Which module?')
  expect(asked.stdout).toContain('treadle guide 1')
  const answered = await run(workspace, ['guide', '1', 'The first one'])
  expect(answered.stdout).toContain('Answered #1: Which module?')
  const ended = await run(workspace, ['run', '--attach', '1'])
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toContain('Goal achieved in 2 iterations.')
  const late = await run(workspace, ['guide', '1', 'Too late'])
  expect(late.code).toBe(1)
  expect(late.stderr).toContain('is over')
})

test('the engine without a model serves a goal that a failing test stands for', async () => {
  const files = {
    'package.json': '{ "type": "module" }\n',
    'sum.js': 'export const sum = (a, b) => a - b\n',
    'sum.test.js':
      "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from './sum.js'\ntest('adds', () => assert.equal(sum(2, 3), 5))\ntest('adds zero', () => assert.equal(sum(2, 0), 2))\ntest('adds more', () => assert.equal(sum(7, 1), 8))\n",
  }
  const settings = {
    tests: { command: 'node --test' },
    merge: { approval: 'human', target: 'main' },
  } as const
  const workspace = shop({ scripts: [], files, settings })
  const args = ['run', 'Make sum add', '--engine', 'repair', '--verify', 'node --test', '--json']
  const ended = await run(workspace, args)
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcome: 'goal_achieved',
    changed: ['sum.js'],
    item: { state: 'in_review', engine: 'repair', confidence: { why: expect.any(String) } },
    next: expect.arrayContaining(['treadle approve 1']),
  })
})

let opened: Promise<Daemon> | undefined
/** One crew for the tests that do not start their own; they run in their order, each with the next item. */
function crew(): Promise<Daemon> {
  const scripts = [[fiveSteps], [inVain], [impossible], [waiting], [idle]]
  const limits = { goalIterations: 3, stuckAfter: 50 }
  opened ??= up(sharedShop({ scripts, right: [5], settings: { limits } }), 1)
  return opened
}

verifies(
  ['PAOR-AGG-4', 'PAOR-STATE-2', 'PAOR-STATE-4'],
  '--verbose shows every step with what was observed, and history keeps it',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const ended = await run(workspace, ['run', 'Make module 1 right', ...verify(1), '--verbose'])
    expect(ended.code, ended.stderr).toBe(0)
    for (const words of [NOISE, 'grep -rn wrong src', 'state: right', 'reflection: achieved'])
      expect(ended.stdout).toContain(words)
    const moves = (await eventsLike(daemon, 'run.moved', 1)).map(({ to }) => to)
    expect(moves).toEqual(['planning', 'acting', 'observing', 'reflecting', 'complete'])
    const short = await run(workspace, ['history', '1'])
    expect(short.stdout).toContain('Goal achieved in 1 iteration.')
    expect(short.stdout).not.toContain(NOISE)
    const whole = await run(workspace, ['history', '1', '--verbose'])
    expect(whole.stdout).toContain(NOISE)
    const { events } = await told<{ events: { event: { type: string } }[] }>(
      workspace,
      'history',
      '1',
      '--verbose',
    )
    const types = events.map(({ event }) => event.type)
    expect(types[0]).toBe('claim.taken')
    expect(types.filter((type) => type === 'run.observed')).toHaveLength(5)
  },
)

verifies(
  ['PAOR-LOOP-6', 'PAOR-STATE-3'],
  'a goal that uses up its iterations fails with a report of what was done and what is left',
  async () => {
    const daemon = await crew()
    const ended = await run(daemon.workspace, ['run', 'Make module 2 right', ...verify(2)])
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('all 3 iterations are used up')
    expect(ended.stdout).toContain('Done so far: Looked at module 2.')
    expect(ended.stdout).toContain('Mend module 2')
    const moves = (await eventsLike(daemon, 'run.moved', 2)).map(({ to }) => to)
    const round = ['planning', 'acting', 'observing', 'reflecting']
    expect(moves).toEqual([...round, ...round, ...round, 'failed'])
    expect((await eventsLike(daemon, 'run.concluded', 2))[0]?.end).toMatchObject({
      outcome: 'max_iterations',
      iterations: 3,
    })
  },
)

verifies(['PAOR-TERM-6', 'PAOR-STATE-5'], 'a goal that cannot be reached fails, and says why', async () => {
  const daemon = await crew()
  const ended = await run(daemon.workspace, ['run', 'Make module 7 right', '--json'])
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcome: 'unrecoverable',
    summary: expect.stringContaining('There is no module 7 in this repository'),
    exitCode: 1,
  })
  expect((await eventsLike(daemon, 'run.moved', 3)).at(-1)?.to).toBe('failed')
})

test('an interrupted command without a terminal leaves the goal running and says how to go on', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  const started = start(workspace, ['run', 'Make module 4 right', ...verify(4)])
  await untilEvent(daemon, 'run.planned', undefined, 4)
  await eventually('the plan on the screen', () => (started.seen().includes('Plan 1') ? true : undefined))
  started.child.kill('SIGINT')
  const ended = await started.ended
  expect(ended.stdout).toContain('treadle run --attach 4')
  // Whoever builds on its end must not go on.
  expect(ended.code).toBe(130)
  letGo(workspace, 'go')
  const attached = await run(workspace, ['run', '--attach', '4'])
  expect(attached.code).toBe(0)
})

test('an end that the checks refuse is not told as achieved', async () => {
  const { workspace } = await crew()
  const ended = await run(workspace, ['run', 'Make module 5 right', ...verify(5)])
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/^Goal not achieved: .*the engine changed nothing/)
  expect(ended.stdout).not.toContain('Goal achieved')
})

test('what cannot be done is refused in a sentence', async () => {
  const { workspace } = await crew()
  const refusals = [
    [['run'], 'A goal is missing.', 2],
    [['run', 'x', '--engine', 'nobody'], 'there is no engine nobody', 2],
    [['guide', '7', 'hello'], 'There is no item #7', 1],
    [['history', '7'], 'There is no item #7', 1],
  ] as const
  for (const [args, words, code] of refusals) {
    const ended = await run(workspace, args)
    expect(ended.stderr).toContain(words)
    expect(ended.code).toBe(code)
  }
})
