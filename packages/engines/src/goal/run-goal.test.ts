// The whole loop with somebody who thinks by a list; what a model would say is the edge of the world.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SubTask } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type { EngineEvent } from '@treadle/flow/ports/engine'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GoalRunOptions, ROUND, runScript } from './testing/run.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (given: GoalRunOptions = {}) => runScript({ cwd: folder, ...given })

verifies(
  ['PAOR-LOOP-1', 'PAOR-STATE-2', 'PAOR-STATE-4', 'PAOR-TERM-2'],
  'a goal that is reached at once goes through the four phases in their order and is complete',
  async () => {
    const { end, states } = await run()
    expect(states).toEqual([...ROUND, 'complete'])
    expect(end).toMatchObject({ outcome: 'done', goal: { outcome: 'goal_achieved', iterations: 1 } })
    expect(end.text).toContain('Goal achieved in 1 iteration')
  },
)

verifies(
  'PAOR-STATE-3',
  'a command that fails sends the loop back to planning, whatever the reflection thinks of it',
  async () => {
    const { end, states, reflections } = await run({
      verifyCommand: 'test -e done || { echo nothing is done; exit 3; }',
      script: {
        act: (_, { iteration }) => {
          if (iteration === 2) writeFileSync(join(folder, 'done'), '')
          return {}
        },
        reflect: () => ({ verdict: 'achieved', why: 'Looks good' }),
      },
    })
    expect(states).toEqual([...ROUND, ...ROUND, 'complete'])
    expect(reflections.map(({ verdict, verified }) => [verdict, verified?.exitCode])).toEqual([
      ['not_yet', 3],
      ['achieved', 0],
    ])
    expect(end.text).toContain('Confirmed: test -e done')
  },
)

const failing: Observation = {
  tool: 'edit',
  input: '{"path":"a.js"}',
  output: 'a.js does not hold that text',
  durationMs: 4,
  success: false,
}

verifies(
  ['PAOR-OBS-3', 'PAOR-OBS-6'],
  'the reflection is given every observation, those that failed with their message, and so is the next plan',
  async () => {
    const seen: (readonly Observation[])[] = []
    const planned: (readonly Observation[])[] = []
    const { events } = await run({
      verifyCommand: 'echo two are left; exit 1',
      iterationsMax: 2,
      script: {
        plan: ({ observations }) => {
          planned.push(observations)
          return {}
        },
        act: () => ({ observations: [{ ...failing, tool: 'grep', success: true }, failing] }),
        reflect: ({ observations }) => {
          seen.push(observations)
          return {}
        },
      },
    })
    const all = [
      { tool: 'grep', success: true },
      { tool: 'edit', success: false, output: 'a.js does not hold that text' },
      { tool: 'verify', success: false, output: 'two are left\n' },
    ]
    expect(seen[0]).toMatchObject(all)
    expect(planned[1]).toMatchObject(all)
    expect(events).toContainEqual(expect.objectContaining({ is: 'observed' }))
  },
)

verifies(
  ['PAOR-HITL-2', 'PAOR-HITL-3'],
  '"Search only in /src/utils", said while it observes, is in the next plan, and confines it',
  async () => {
    const { plans } = await run({
      says: (event) =>
        event.is === 'moved' && event.to === 'observing' ? 'Search only in /src/utils' : null,
      script: {
        plan: () => ({ scope: ['src'], tasks: [SubTask.parse({ id: 's', text: 'Search for usages' })] }),
        reflect: ({ iteration }) => ({ verdict: iteration === 2 ? 'achieved' : 'not_yet' }),
      },
    })
    expect(plans.map(({ scope, guidance }) => [scope, guidance])).toEqual([
      [['src'], []],
      [['src/utils'], ['Search only in /src/utils']],
    ])
  },
)

verifies('PAOR-HITL-2', 'what is said while it reflects is in the next plan', async () => {
  const { plans } = await run({
    says: (event) => (event.is === 'reflected' && event.reflection.iteration === 1 ? 'Mind the tests' : null),
    script: { reflect: ({ iteration }) => ({ verdict: iteration === 2 ? 'achieved' : 'not_yet' }) },
  })
  expect(plans.map(({ guidance }) => guidance)).toEqual([[], ['Mind the tests']])
})

const saysAt = (state: string, text: string) => {
  let isSaid = false
  return (event: EngineEvent) => {
    const isNow = !isSaid && (event.is === 'moved' ? event.to : event.is) === state
    isSaid ||= isNow
    return isNow ? text : null
  }
}

verifies(
  'PAOR-HITL-2',
  'what is said while it acts, observes or reflects is in a plan, even if the goal turns out to be reached',
  async () => {
    for (const state of ['acting', 'observing', 'reflecting', 'reflected']) {
      const { plans, end } = await run({
        verifyCommand: 'true',
        says: saysAt(state, 'Mind the docs too'),
      })
      expect([state, ...plans.map(({ guidance }) => guidance)]).toEqual([state, [], ['Mind the docs too']])
      expect(end.goal).toMatchObject({ outcome: 'goal_achieved', iterations: 2 })
    }
    const hopeless = await run({
      says: saysAt('reflected', 'It is called Z by now'),
      script: { reflect: ({ iteration }) => ({ verdict: iteration === 1 ? 'impossible' : 'achieved' }) },
    })
    expect(hopeless.plans.at(-1)?.guidance).toEqual(['It is called Z by now'])
    expect(hopeless.end.outcome).toBe('done')
  },
)

test('an answer that whoever asked has already is no reason for another round', async () => {
  const says = saysAt('acting', 'Which way? left')
  const { plans } = await run({ says, toOthers: ['Which way? left'] })
  expect(plans).toHaveLength(1)
})

test('what is said after the last word is not taken, and in the last iteration the goal stays reached', async () => {
  for (const verdict of ['achieved', 'impossible'] as const) {
    const { heard, plans } = await run({
      says: saysAt(verdict === 'achieved' ? 'complete' : 'failed', 'Wait'),
      script: { reflect: () => ({ verdict }) },
    })
    expect([heard, plans.length]).toEqual([[], 1])
  }
  const last = await run({ says: saysAt('reflected', 'Mind the docs'), iterationsMax: 1 })
  expect(last.end.goal).toMatchObject({ outcome: 'goal_achieved', iterations: 1 })
  expect(last.end.text).toContain('Said too late for a plan: Mind the docs')
})

test('a run that was killed after it had reached its goal plans once more for what was said since', async () => {
  const { plans, reflections } = await run()
  const again = await run({ plans, reflections, guidance: ['Mind the docs'] })
  expect(again.plans.map(({ iteration, guidance }) => [iteration, guidance])).toEqual([
    [2, ['Mind the docs']],
  ])
})

verifies(
  ['PAOR-TERM-3', 'PAOR-TERM-4', 'PAOR-TERM-5'],
  'a reflection that needs a person asks, stays where it is, and plans anew with the answer',
  async () => {
    const { end, states, plans, asked, events } = await run({
      answers: ['Take the second one'],
      script: {
        reflect: ({ iteration }) =>
          iteration === 1
            ? { verdict: 'needs_user', question: 'Which of the two?' }
            : { verdict: 'achieved' },
      },
    })
    expect(asked).toEqual(['Which of the two?'])
    expect(events).toContainEqual({
      is: 'asked',
      question: expect.objectContaining({ kind: 'guidance', title: 'Which of the two?' }),
    })
    expect(states).toEqual([...ROUND, ...ROUND, 'complete'])
    expect(plans[1]?.guidance).toEqual(['Take the second one'])
    expect(end.outcome).toBe('done')
  },
)

verifies('PAOR-TERM-1', 'where nobody answers, the loop is over for now and still reflecting', async () => {
  const { end, states } = await run({
    script: { reflect: () => ({ verdict: 'needs_user', question: 'Which of the two?' }) },
  })
  expect(states).toEqual(ROUND)
  expect(end).toMatchObject({ outcome: 'refused', goal: { outcome: 'needs_user' } })
  expect(end.text).toContain('Which of the two?')
})

verifies(
  ['PAOR-HITL-4', 'PAOR-HITL-5'],
  'the third failure of the same kind asks for another approach, which is in the next plan',
  async () => {
    const { plans, asked, reflections } = await run({
      answers: ['Use the compiler instead of grep'],
      script: {
        act: () => ({ observations: [failing] }),
        reflect: ({ iteration }) => ({ verdict: iteration === 4 ? 'achieved' : 'not_yet' }),
      },
    })
    expect(reflections.map(({ stuck }) => stuck)).toEqual([false, false, true, false])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('What else could be tried?')
    expect(plans[3]?.guidance).toEqual(['Use the compiler instead of grep'])
  },
)

verifies(
  ['PAOR-LOOP-5', 'PAOR-LOOP-6'],
  'after the last iteration it fails as out of iterations, with what was done and what is left',
  async () => {
    const { end, states, plans } = await run({
      script: { reflect: ({ iteration }) => ({ remaining: [`File ${iteration} is left`] }) },
    })
    expect(plans).toHaveLength(15)
    expect(states.slice(-2)).toEqual(['reflecting', 'failed'])
    expect(end).toMatchObject({ outcome: 'refused', goal: { outcome: 'max_iterations', iterations: 15 } })
    expect(end.goal?.summary).toContain('Done so far: Did round 15.')
    expect(end.goal?.summary).toContain('Still to do: File 15 is left')
  },
)

verifies(
  ['PAOR-STATE-5', 'PAOR-TERM-6'],
  'an error that nothing mends fails the goal and names its cause',
  async () => {
    const impossible = await run({
      script: { reflect: () => ({ verdict: 'impossible', why: 'No X at all' }) },
    })
    expect(impossible.states.at(-1)).toBe('failed')
    expect(impossible.end).toMatchObject({ outcome: 'refused', goal: { outcome: 'unrecoverable' } })
    expect(impossible.end.text).toContain('No X at all')
    const refused = await run({ script: { act: () => ({ outcome: 'invalid', text: 'No such model' }) } })
    expect(refused.states).toEqual(['planning', 'acting', 'failed'])
    expect(refused.end).toMatchObject({ outcome: 'invalid', goal: { outcome: 'unrecoverable' } })
    expect(refused.end.goal?.summary).toContain('No such model')
  },
)

test('calls that are used up are the end of the goal, and nothing is taken for done', async () => {
  const { end, states } = await run({
    script: { plan: () => ({ outcome: 'max_turns', text: 'No call left' }) },
  })
  expect(states).toEqual(['planning', 'failed'])
  expect(end).toMatchObject({ outcome: 'refused', goal: { outcome: 'max_iterations' } })
})

test.each(['overloaded', 'auth', 'billing'] as const)(
  '%s, which the world or a person will mend, ends the turn and not the goal',
  async (outcome) => {
    const { end, states } = await run({ script: { plan: () => ({ outcome, text: 'later' }) } })
    expect(states).toEqual(['planning'])
    expect(end).toEqual({ outcome, text: 'later' })
  },
)

test('a plan whose parts wait for each other is sent back once, and then fails with the circle', async () => {
  const circle = [
    SubTask.parse({ id: 'a', text: 'one', dependsOn: ['b'] }),
    SubTask.parse({ id: 'b', text: 'two', dependsOn: ['a'] }),
  ]
  const complaints: (string | null)[] = []
  const mended = await run({
    script: {
      plan: ({ complaint }) => {
        complaints.push(complaint)
        return complaint === null ? { tasks: circle } : {}
      },
    },
  })
  expect(complaints).toEqual([null, expect.stringContaining('a → b → a')])
  expect(mended.end.outcome).toBe('done')
  const failed = await run({ script: { plan: () => ({ tasks: circle }) } })
  expect(failed.states).toEqual(['planning', 'failed'])
  expect(failed.end.text).toContain('a → b → a')
})

test('a run that was killed goes on after its last reflection, with the guidance of before', async () => {
  const before = await run({
    guidance: ['Mind the tests'],
    script: { reflect: () => ({ verdict: 'needs_user', question: 'Which?' }) },
  })
  const { plans, reflections } = before
  const asks = await run({ guidance: ['Mind the tests'], plans, reflections, answers: ['This one'] })
  expect(asks.asked).toEqual(['Which?'])
  expect(asks.plans.map(({ iteration, guidance }) => [iteration, guidance])).toEqual([
    [2, ['Mind the tests', 'This one']],
  ])
  const answered = await run({ guidance: ['Mind the tests', 'This one'], plans, reflections })
  expect(answered.asked).toEqual([])
  expect(answered.states).toEqual([...ROUND, 'complete'])
  const acting = await run({ plans, reflections: [] })
  expect(acting.plans.map(({ iteration }) => iteration)).toEqual([1])
})

test('a signal ends the wait for an answer that never comes', async () => {
  const abort = new AbortController()
  const { end } = await run({
    abort,
    silence: new Promise(() => undefined),
    says: (event) => {
      if (event.is === 'asked') setImmediate(() => abort.abort())
      return null
    },
    script: { reflect: () => ({ verdict: 'needs_user', question: 'Which?' }) },
  })
  expect(end.outcome).toBe('interrupted')
})

test('a signal ends the loop before the next phase', async () => {
  const abort = new AbortController()
  const { end, states } = await run({
    abort,
    script: {
      act: () => {
        abort.abort()
        return {}
      },
    },
  })
  expect(end.outcome).toBe('interrupted')
  expect(states).toEqual(['planning', 'acting', 'observing'])
})
