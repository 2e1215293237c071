// A conversation goes on: from one attempt to the next, and after the agent was killed in the middle of a turn.
import { expect, test } from 'vitest'
import { untilEvent } from '../goal/goals.ts'
import { agentOf } from '../kit/agents.ts'
import { codingProgram, type TurnBody } from '../kit/coding-program.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { addRepair, moduleOf, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops('file')

/** Fails the first item at first; begins the second and stays in the middle of it until it is killed. */
const builder: TurnBody = async ({ text, before, edit, hold }) => {
  const isFirst = before.length === 0
  if ([...before, text].join('\n').includes('Repair module 1')) {
    if (isFirst) edit('src/module-01.txt', 'state: wrong', 'state: wrong, still')
    else edit('src/module-01.txt', 'state: wrong, still', 'state: right')
    return 'Done.'
  }
  if (isFirst) {
    edit('src/module-02.txt', 'state: wrong', 'state: half')
    await hold('never')
  }
  edit('src/module-02.txt', 'state: half', 'state: right')
  return 'Done.'
}

async function open() {
  const files = { 'CLAUDE.md': 'Write everything in small letters.\n' }
  const workspace = shop({ scripts: [[[]], [[]]], files })
  const program = codingProgram(workspace, builder)
  return { workspace, program, daemon: await up(workspace, 1) }
}

let opened: ReturnType<typeof open> | undefined
/** One agent for both tests, which run in their order, each with an item of its own. */
function crew(): ReturnType<typeof open> {
  opened ??= open()
  return opened
}

test('the second attempt is told in the conversation of the first what fails, and nothing else again', async () => {
  const { daemon, program } = await crew()
  const testCommand = `sh test.sh ${moduleOf(1)}`
  await daemon.client.addItem({
    body: { title: 'Repair module 1', body: 'It is about the state.', testCommand },
  })
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
  const { daemon, workspace, program } = await crew()
  const earlier = program.turns().length
  const turns = () => program.turns().slice(earlier)
  await addRepair(daemon, 2)
  await eventually('the first turn', async () => (turns().length === 1 ? true : undefined))
  await untilEvent(daemon, 'run.session', undefined, 2)
  const { pid } = await agentOf(daemon)
  kill(pid ?? 0)
  await waitGone(pid ?? 0)
  await until(daemon, 2, 'done')
  const [first, second, ...more] = turns()
  expect(more).toEqual([])
  expect([second?.resumed, second?.session]).toEqual([true, first?.session])
  expect(second?.text).toContain('cut off in the middle')
  expect(workspace.git('show', 'main:src/module-02.txt')).toContain('state: right')
})
