// A conversation goes on: from one attempt to the next, and after the agent was killed in the middle of a turn.
import { expect, test } from 'vitest'
import { untilEvent } from '../goal/goals.ts'
import { agentOf } from '../kit/agents.ts'
import { codingProgram } from '../kit/coding-program.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

test('the second attempt is told in the conversation of the first what fails, and nothing else again', async () => {
  const workspace = shop({ scripts: [[[]]], files: { 'CLAUDE.md': 'Write everything in small letters.\n' } })
  const program = codingProgram(workspace, async ({ before, edit }) => {
    if (before.length === 0) edit('src/module-01.txt', 'state: wrong', 'state: wrong, still')
    else edit('src/module-01.txt', 'state: wrong, still', 'state: right')
    return 'Done.'
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1', body: 'It is about the state.' } })
  await until(daemon, 1, 'done')
  const [first, second] = program.turns()
  expect([first?.resumed, second?.resumed]).toEqual([false, true])
  expect(second?.session).toBe(first?.session)
  expect(first?.text).toContain('Write everything in small letters')
  expect(second?.text).toContain('This is attempt 2')
  expect(second?.text).toContain('src/module-01.txt')
  for (const known of ['Write everything in small letters', 'It is about the state'])
    expect(second?.text).not.toContain(known)
})

test('an agent that is killed in the middle of a turn goes on in the same conversation, with the files as they were left', async () => {
  const workspace = shop({ scripts: [[[]]] })
  const program = codingProgram(workspace, async ({ before, edit, hold }) => {
    if (before.length === 0) {
      edit('src/module-01.txt', 'state: wrong', 'state: half')
      await hold('never')
    }
    edit('src/module-01.txt', 'state: half', 'state: right')
    return 'Done.'
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'Repair module 1' } })
  await eventually('the first turn', async () => (program.turns().length === 1 ? true : undefined))
  await untilEvent(daemon, 'run.session')
  const { pid } = await agentOf(daemon)
  kill(pid ?? 0)
  await waitGone(pid ?? 0)
  await until(daemon, 1, 'done')
  const [first, second, ...more] = program.turns()
  expect(more).toEqual([])
  expect([second?.resumed, second?.session]).toEqual([true, first?.session])
  expect(second?.text).toContain('cut off in the middle')
  expect(workspace.git('show', 'main:src/module-01.txt')).toContain('state: right')
})
