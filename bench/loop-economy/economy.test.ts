// Our loop on the same failures: the agent's own code, real test runs, a scripted engine.
import { groupFailures } from '@treadle/flow/verify/failure/group'
import { verifies } from '@treadle/requirements/verifies'
import { afterAll, expect, test } from 'vitest'
import { measureIn, missed, SETTINGS } from './economy.ts'
import { type Chances, ScriptedEngine, type Tree } from './engine.ts'
import { measure } from './measure.ts'
import { Project } from './project.ts'
import { SCENARIOS, TRACE } from './scenarios.ts'
import { RATIO_MIN, rowOf } from './table.ts'

const project = new Project()
afterAll(() => project.close())

const always = async (chances: Chances) => {
  const [pair] = await measure(project, TRACE, { setting: { chances, reach: 'each' }, seeds: 1 })
  return pair
}

test('the trace is 13 green tests, five with one cause and two with one each', async () => {
  const state = await project.state(TRACE, new Set(TRACE.causes.map(({ id }) => id)))
  expect(state.total - state.failing.length).toBe(13)
  const counts = Map.groupBy((await project.brokenBy(TRACE)).values(), (cause) => cause)
  expect([...counts.values()].map((tests) => tests.length)).toEqual([5, 1, 1])
})

verifies('LOOP-FLAW-4', 'five tests that fail for one cause in different ways become one job', async () => {
  const { gate, hints } = await project.state(TRACE, new Set(TRACE.causes.map(({ id }) => id)))
  if (gate.is !== 'failed') throw new Error('the trace is red')
  expect(groupFailures(gate.failures, hints).map(({ tests }) => tests.length)).toEqual([5, 1, 1])
  // One turn for the whole, then one for each cause in each of three improvements.
  const hopeless = await always({ evidence: 0, cold: 0 })
  expect(hopeless?.ours).toMatchObject({ calls: 1 + 3 * 3, sharedFixes: 1 + 3, givenUp: true })
})

test('the engine of our loop is shown the errors, that of seed 004 is not', async () => {
  const shown = await always({ evidence: 1, cold: 0 })
  expect(shown?.ours).toMatchObject({ calls: 1, suiteRuns: 2, passing: 20, givenUp: false })
  expect(shown?.seed004).toMatchObject({ fixes: 14, passing: 13, marked: 13 })
  const blind = await always({ evidence: 0, cold: 1 })
  // Given up: the project is as it was.
  expect(blind?.ours).toMatchObject({ passing: 13, givenUp: true })
  expect(blind?.seed004).toMatchObject({ fixes: 3, passing: 20, marked: 20 })
})

test('no call is needed to see that all is green', async () => {
  const scenario = SCENARIOS.find(({ causes }) => causes.length === 0)
  if (scenario === undefined) throw new Error('there is no green scenario')
  const setting = { chances: { evidence: 1, cold: 1 }, reach: 'each' } as const
  const [pair] = await measure(project, scenario, { setting, seeds: 1 })
  expect(pair?.ours).toMatchObject({ calls: 0, suiteRuns: 1, passing: 20, givenUp: false })
})

test('on the trace ours needs at least eight times fewer calls, whatever evidence is worth', async () => {
  const sections = await measureIn(project, [TRACE], 20)
  expect(sections).toHaveLength(SETTINGS.length)
  expect(missed(sections)).toEqual([])
  const ratios = sections.map(({ rows }) => rows[0]?.ratio ?? 0)
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(RATIO_MIN)
})

test('a ratio that is too small is said, and a cause that is mended twice', async () => {
  const pair = await always({ evidence: 1, cold: 0 })
  const [setting] = SETTINGS
  if (pair === undefined || setting === undefined) throw new Error('nothing was measured')
  const complaints = (changes: { calls?: number; idleFixes?: number }) => {
    const row = rowOf(TRACE.name, 20, [{ ...pair, ours: { ...pair.ours, ...changes } }])
    return missed([{ setting, rows: [row] }])
  }
  expect(complaints({})).toEqual([])
  expect(complaints({ calls: pair.seed004.calls / RATIO_MIN })).toEqual([])
  expect(complaints({ calls: pair.seed004.calls / 7.9 })).toHaveLength(1)
  expect(complaints({ idleFixes: 1 })).toHaveLength(1)
})

test('a call for several causes mends each or at most one; a call for nothing is counted', () => {
  const left = (reach: 'each' | 'one') => {
    const tree: Tree = { left: new Set(['a', 'b']), edits: 0 }
    const engine = new ScriptedEngine({ tree, chances: { evidence: 1, cold: 1 }, reach, luck: () => 0.5 })
    engine.fix([
      { cause: 'a', evidence: true },
      { cause: 'b', evidence: true },
    ])
    engine.fix([{ cause: 'a', evidence: true }])
    return { left: [...tree.left], calls: engine.calls, idle: engine.idle }
  }
  expect(left('each')).toEqual({ left: [], calls: 2, idle: 1 })
  expect(left('one')).toEqual({ left: ['b'], calls: 2, idle: 1 })
})
