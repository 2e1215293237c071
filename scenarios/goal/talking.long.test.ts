// treadle run with a program of the user's: it plans, acts and reflects, and people see its own plan.
import { expect, test } from 'vitest'
import { codingProgram } from '../kit/coding-program.ts'
import { run } from '../kit/command.ts'
import { until, up, useShops } from '../kit/shop.ts'
import { eventsLike, startGoal } from './goals.ts'

const shop = useShops()

test('a program is asked for its plan and its verdict; a wrong verdict is not believed, and the request is said once', async () => {
  const workspace = shop({ scripts: [[[]]] })
  const program = codingProgram(workspace, async ({ text, before, edit }) => {
    if (text.includes('Now: the plan')) {
      const tasks = [{ id: '1', text: 'Set the state in small steps', dependsOn: [], by: 'self' }]
      return JSON.stringify({ tasks, scope: ['src'], why: 'the test says so' })
    }
    if (text.includes('carry out the plan')) {
      const isFirst = !before.some((each) => each.includes('carry out the plan'))
      if (isFirst) edit('src/module-01.txt', 'state: wrong', 'state: half')
      else edit('src/module-01.txt', 'state: half', 'state: right')
      return 'The state is set.'
    }
    return JSON.stringify({ verdict: 'achieved', why: 'I set the state', remaining: [], question: null })
  })
  const goal = 'Make module 1 right'
  const ended = await run(workspace, ['run', goal, '--verify', 'sh test.sh src/module-01.txt'])
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toContain('Goal achieved in 2 iterations.')
  const shown = `${ended.stdout}\n${ended.stderr}`
  expect(shown).not.toContain('[[')
  const turns = program.turns()
  expect(turns).toHaveLength(6)
  expect(turns.filter(({ text }) => text.includes(goal))).toHaveLength(1)
  expect(new Set(turns.map(({ session }) => session)).size).toBe(1)
})

test('a goal whose provider needs a rest goes on afterwards: conversation, plans and iterations are kept', async () => {
  const limits = { infrastructureRetries: 0, providerRestMsMax: 500 }
  const workspace = shop({ scripts: [[[]]], settings: { limits } })
  const program = codingProgram(workspace, async ({ text, before, edit }) => {
    if (text.includes('Now: the plan')) {
      const tasks = [{ id: '1', text: 'Set the state in small steps', dependsOn: [], by: 'self' }]
      return JSON.stringify({ tasks, scope: ['src'], why: 'the test says so' })
    }
    if (text.includes('carry out the plan')) {
      const times = before.filter((each) => each.includes('carry out the plan')).length
      if (times === 1) return { fault: 529 }
      if (times === 0) edit('src/module-01.txt', 'state: wrong', 'state: half')
      else edit('src/module-01.txt', 'state: half', 'state: right')
      return 'The state is set.'
    }
    return JSON.stringify({ verdict: 'achieved', why: 'I set the state', remaining: [], question: null })
  })
  const daemon = await up(workspace, 1)
  await startGoal(daemon, 'Make module 1 right')
  await until(daemon, 1, 'done')
  const turns = program.turns()
  expect(new Set(turns.map(({ session }) => session)).size).toBe(1)
  expect(turns.filter(({ text }) => text.includes('Make module 1 right'))).toHaveLength(1)
  const plans = await eventsLike(daemon, 'run.planned')
  expect(plans.map(({ plan }) => plan.iteration)).toEqual([1, 2, 2])
  const [concluded] = await eventsLike(daemon, 'run.concluded')
  expect(concluded?.end).toMatchObject({ outcome: 'goal_achieved', iterations: 2 })
})
