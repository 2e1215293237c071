// The rules of a goal, as tables.
import { Config } from '@treadle/contracts/config'
import { PaorState, Plan, Reflection, SubTask, type Verified } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { decideNext, failureSigns, isStuck, withVerification } from './decide.ts'
import { type PaorSign, paorMachine, stepPaor } from './goal.machine.ts'
import { allWords, placeOf, scopeIn } from './guidance.ts'
import { orderTasks } from './step-order.ts'

const SIGNS: readonly PaorSign['type'][] = [
  'start',
  'planned',
  'acted',
  'observed',
  'ask',
  'again',
  'achieved',
  'fail',
]
const MOVES: Readonly<Record<PaorState, Partial<Record<PaorSign['type'], PaorState>>>> = {
  idle: { start: 'planning' },
  planning: { planned: 'acting', fail: 'failed' },
  acting: { acted: 'observing', fail: 'failed' },
  observing: { observed: 'reflecting', fail: 'failed' },
  reflecting: { ask: 'reflecting', again: 'planning', achieved: 'complete', fail: 'failed' },
  complete: {},
  failed: {},
}

verifies(
  'PAOR-STATE-1',
  'a goal is idle, planning, acting, observing, reflecting, complete or failed',
  () => {
    const seven = ['idle', 'planning', 'acting', 'observing', 'reflecting', 'complete', 'failed']
    expect(PaorState.options).toEqual(seven)
    expect(Object.keys(paorMachine.states)).toEqual(seven)
  },
)

verifies(
  ['PAOR-STATE-2', 'PAOR-STATE-3', 'PAOR-STATE-4', 'PAOR-STATE-5', 'PAOR-STATE-6'],
  'each state takes exactly the signs of the table, and every other one is refused',
  () => {
    for (const from of PaorState.options)
      for (const type of SIGNS)
        expect([from, type, stepPaor(from, { type })]).toEqual([from, type, MOVES[from][type] ?? null])
  },
)

const part = (id: string, ...dependsOn: string[]) => SubTask.parse({ id, text: `do ${id}`, dependsOn })
const wavesOf = (tasks: readonly SubTask[]) => {
  const ordered = orderTasks(tasks)
  return ordered.is === 'ordered' ? ordered.waves.map((wave) => wave.map(({ id }) => id)) : ordered.why
}

verifies(
  ['PAOR-DELEG-5', 'PAOR-DELEG-6'],
  'sub-tasks come after what they depend on, else as written',
  () => {
    expect(wavesOf([part('a'), part('b'), part('c')])).toEqual([['a', 'b', 'c']])
    expect(wavesOf([part('c', 'b'), part('b', 'a'), part('a')])).toEqual([['a'], ['b'], ['c']])
    expect(wavesOf([part('d', 'b', 'c'), part('c', 'a'), part('b', 'a'), part('a')])).toEqual([
      ['a'],
      ['c', 'b'],
      ['d'],
    ])
  },
)

test.each([
  [[part('a', 'a')], 'in a circle: a → a'],
  [[part('x'), part('a', 'c'), part('b', 'a'), part('c', 'b')], 'in a circle: a → c → b → a'],
  [[part('z', 'a'), part('a', 'b'), part('b', 'a')], 'in a circle: a → b → a'],
  [[part('a', 'nobody')], '"a" depends on "nobody", which is not in the plan'],
  [[part('a'), part('a')], 'Two sub-tasks have the id "a"'],
])('a plan that cannot be ordered says why: %#', (tasks, why) => {
  expect(wavesOf(tasks)).toContain(why)
})

const reflected = (given: Partial<Reflection> = {}) =>
  Reflection.parse({ iteration: 1, verdict: 'not_yet', why: 'One is left', ...given })
const proof = (exitCode: number | null, output = ''): Verified => ({ command: 'npm test', exitCode, output })

test.each([
  ['achieved', null, 'achieved'],
  ['achieved', proof(0), 'achieved'],
  ['achieved', proof(1), 'not_yet'],
  ['achieved', proof(null), 'not_yet'],
  ['not_yet', proof(0), 'not_yet'],
  ['needs_user', proof(1), 'needs_user'],
  ['impossible', proof(0), 'impossible'],
] as const)('an opinion of %s with the evidence %j is %s', (verdict, verified, weighed) => {
  const { verdict: found, why, remaining } = withVerification(reflected({ verdict }), verified)
  expect(found).toBe(weighed)
  if (found !== verdict) {
    expect(why).toContain('npm test')
    expect(remaining[0]).toContain('npm test')
  }
})

verifies(
  'PAOR-TERM-1',
  'a loop ends when the goal is reached, hopeless or out of iterations, or waits for a person, else goes on',
  () => {
    const next = (given: Partial<Reflection>, iterationsMax = 15, hasNews = false) => {
      const choice = decideNext({ reflection: reflected(given), iterationsMax, hasNews })
      return choice.is === 'fail' ? choice.outcome : choice.is
    }
    expect(next({ verdict: 'achieved' })).toBe('complete')
    expect(next({ verdict: 'achieved', iteration: 15 })).toBe('complete')
    expect(next({ verdict: 'impossible' })).toBe('unrecoverable')
    expect(next({ verdict: 'needs_user', question: 'Which one?' })).toBe('ask')
    expect(next({ verdict: 'not_yet', stuck: true })).toBe('ask')
    expect(next({ verdict: 'not_yet' })).toBe('plan_again')
    expect(next({ verdict: 'not_yet', iteration: 15 })).toBe('max_iterations')
    expect(next({ verdict: 'needs_user', iteration: 15 })).toBe('max_iterations')
    for (const verdict of ['achieved', 'impossible', 'not_yet'] as const)
      expect(next({ verdict, stuck: true }, 15, true)).toBe('plan_again')
    expect(next({ verdict: 'needs_user' }, 15, true)).toBe('ask')
    expect(next({ verdict: 'achieved', iteration: 15 }, 15, true)).toBe('complete')
    expect(next({ verdict: 'not_yet', iteration: 15 }, 15, true)).toBe('max_iterations')
  },
)

verifies(
  'PAOR-LOOP-5',
  'fifteen iterations are allowed unless it is said otherwise, a sixteenth is not',
  () => {
    const iterationsMax = Config.parse({}).limits.goalIterations
    expect(iterationsMax).toBe(15)
    for (const [iteration, is] of [
      [14, 'plan_again'],
      [15, 'fail'],
      [16, 'fail'],
    ] as const)
      expect(decideNext({ reflection: reflected({ iteration }), iterationsMax, hasNews: false }).is).toBe(is)
  },
)

const plan = (text: string, guidance: string[] = [], iteration = 1) =>
  Plan.parse({ iteration, tasks: [{ id: 'a', text }], guidance })
const round = (text: string, failed: string[] = [], guidance: string[] = []) => ({
  plan: plan(text, guidance),
  failed,
})

verifies('PAOR-HITL-5', 'the same plan or the same failure three times over is a loop that is stuck', () => {
  const same = round('Search  for it')
  expect(isStuck([same, same], 3)).toBe(false)
  expect(isStuck([same, same, round('search for it')], 3)).toBe(true)
  expect(isStuck([same, round('other'), same, same], 3)).toBe(false)
  expect(isStuck([round('a', ['x', 'y']), round('b', ['y']), round('c', ['y', 'z'])], 3)).toBe(true)
  expect(isStuck([round('a', ['x']), round('b', []), round('c', ['x'])], 3)).toBe(false)
  // Whoever has just been told something new is to try that first.
  expect(isStuck([same, same, round('Search for it', [], ['Look in src'])], 3)).toBe(false)
})

const observed = (given: Partial<Observation> = {}): Observation => ({
  tool: 'bash',
  input: 'npm test',
  output: 'failed in 12 ms',
  durationMs: 3,
  success: false,
  ...given,
})

test('a failure is known again although it took longer, and what worked is none', () => {
  const signs = (given: Partial<Observation>) => failureSigns([observed(given)], null)
  expect(signs({ output: 'failed in  900 ms' })).toEqual(signs({}))
  expect(signs({ output: 'other' })).not.toEqual(signs({}))
  expect(signs({ success: true })).toEqual([])
  expect(failureSigns([], proof(1, 'two left'))).toHaveLength(1)
  expect(failureSigns([], proof(0))).toEqual([])
})

const isPlace = (name: string) => ['src', 'docs', 'search'].includes(name)

test.each([
  ['Search only in /src/utils', ['src/utils']],
  ['Please look only in `packages/flow` and "apps/agent/src".', ['packages/flow', 'apps/agent/src']],
  ['Search in ./lib/', ['lib']],
  ['Search in ./lib/a', ['lib/a']],
  ['Stay within /docs', ['docs']],
  ['Only touch src/a.ts. Do not change src/b.ts.', ['src/a.ts']],
  ['Never write to src/generated', null],
  ['Rename it in the tests as well', null],
  ['Only ../elsewhere/x please', null],
  ['Only functions and/or classes', null],
  ['Search only in /src/utils, not in /src/lib', ['src/utils']],
  ['Only look at src/a/b.ts and do not touch tests', ['src/a/b.ts']],
  ['Do not touch src/b.ts and only edit src/a.ts', ['src/a.ts']],
  ['Don’t search everywhere, only in src/utils', ['src/utils']],
  ['Too many results: search only in /src/utils', ['src/utils']],
  ['There is too much, so look only in src/a, src/b and src/c.', ['src/a', 'src/b', 'src/c']],
  ['Search only in src', ['src']],
  ['Search only in src and docs, please', ['src', 'docs']],
  ['Search only in comments', null],
  ['only the src folder', ['src']],
  ['Only the functions file', null],
  ['Limit the search to src/utils', ['src/utils']],
  ['Keep to src/', ['src']],
  ['Just look in src/utils', ['src/utils']],
  ['I just fixed src/a.ts, look again', null],
  ['The tests in test/foo.test.ts just hang', null],
  ['just use lodash/debounce', null],
  ['Only src/a.ts fails', null],
  ['It fails only in src/a.ts', null],
  ['Only src/a.ts please', ['src/a.ts']],
  ['Fix src/a.ts only if the tests fail', null],
  ['Limit the retries in src/api.ts to 3', null],
  ['Raise the rate limit in src/api/limit.ts and everywhere it is used?', null],
  ['use only https://example.com/docs', null],
  ['Search not only in src/utils', null],
  ['Search everywhere after all', []],
  ['Look in the whole repository', []],
  ['Change src/a.ts only', ['src/a.ts']],
  ['You should only change src/a.ts', ['src/a.ts']],
])('%j keeps the work to %j', (text, scope) => {
  expect(scopeIn([text], isPlace)).toEqual(scope)
})

test('the latest words about a place count, and everywhere means everywhere', () => {
  expect(scopeIn([], isPlace)).toBe(null)
  expect(scopeIn(['Only in src/a', 'Only in src/b', 'Be quick'], isPlace)).toEqual(['src/b'])
  expect(scopeIn(['Only in src/a', 'Search everywhere after all'], isPlace)).toEqual([])
})

test.each([
  ['/src/utils/', 'src/utils'],
  ['./a/**', 'a'],
  ['a/../../b', null],
  ['/', null],
])('the place of %j is %j', (path, place) => {
  expect(placeOf(path)).toBe(place)
})

test('what was said is kept once each, in its order', () => {
  expect(allWords(['a', ' b '], ['', 'a', 'c'])).toEqual(['a', 'b', 'c'])
  expect(allWords(Array.from({ length: 60 }, (_, at) => `${at}`))).toHaveLength(50)
})
