// A goal whose agent and whose daemon are killed: it goes on where it was, nothing said is lost, nothing asked twice.
import { expect, test } from 'vitest'
import { agentOf } from '../kit/agents.ts'
import type { Daemon } from '../kit/daemon.ts'
import { kill, waitGone } from '../kit/processes.ts'
import { hold, letGo, moduleOf, repair, until, up, useShops } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'
import { eventsLike, guide, plan, plansOf, reflect, runOf, startGoal, untilEvent } from './goals.ts'

const shop = useShops('file')

const looking = [
  plan('Look'),
  { write: { file: 'notes/found.txt', text: 'found in round 1\n' } },
  reflect('not_yet', 'Only looked so far'),
  plan('Mend'),
  hold('go'),
  repair(1),
  reflect('achieved', 'It is right now'),
]
const ask = (title: string) => reflect('needs_user', 'Two could be meant', { question: title })
const asking = [plan('Ask'), ask('Which module?'), plan('Ask again'), ask('How?'), plan('Mend'), repair(2)]

let opened: Workspace | undefined
/** One workspace for both tests, which run in their order; the second begins with what runs there. */
function place(): Workspace {
  opened ??= shop({ scripts: [[looking], [asking]] })
  return opened
}

async function killBoth(daemon: Daemon): Promise<void> {
  const { pid } = await agentOf(daemon)
  for (const each of [daemon.pid, pid ?? 0]) {
    kill(each)
    await waitGone(each)
  }
}

test('a goal is resumed with its plans, its files and all that was said', async () => {
  const workspace = place()
  const first = await up(workspace, 1)
  await startGoal(first, 'Make module 1 right')
  await untilEvent(first, 'run.planned', ({ plan: { iteration } }) => iteration === 2)
  const id = await runOf(first)
  const said = await guide(first, id, 'Leave the title alone')
  await killBoth(first)
  const second = await up(workspace, 1)
  await untilEvent(second, 'run.resumed')
  letGo(workspace, 'go')
  expect(await until(second, 1, 'done')).toMatchObject({ runId: id, fence: 1, attempts: 1 })
  const plans = await plansOf(second)
  expect(plans.map(({ iteration }) => iteration)).toEqual([1, 2, 2])
  expect(plans.at(-1)?.guidance).toEqual(['Leave the title alone'])
  expect((await eventsLike(second, 'run.guided')).map(({ guidance }) => guidance)).toEqual([said])
  expect((await eventsLike(second, 'run.heard')).flatMap(({ guidance }) => guidance)).toEqual([said.id])
  // Round 1 was not played again, and what it left is delivered.
  expect(workspace.git('show', 'main:notes/found.txt')).toBe('found in round 1')
  const written = await eventsLike(second, 'run.observed')
  expect(written.filter(({ observation }) => observation.tool === 'write')).toHaveLength(1)
})

test('a question that was open is not asked twice, and may be answered while nobody is there', async () => {
  const workspace = place()
  const first = await up(workspace, 1)
  await startGoal(first, 'Make a module right', `sh test.sh ${moduleOf(2)}`)
  await untilEvent(first, 'run.asked', undefined, 2)
  const id = await runOf(first, 2)
  await killBoth(first)

  const second = await up(workspace, 1)
  await untilEvent(second, 'run.resumed', undefined, 2)
  await guide(second, id, 'The first one')
  await untilEvent(second, 'run.asked', ({ question }) => question.title === 'How?')
  // Whoever asked is not there when the answer comes.
  kill((await agentOf(second)).pid ?? 0)
  await guide(second, id, 'With an edit')
  expect(await until(second, 2, 'done')).toMatchObject({ runId: id, attempts: 1 })
  const asked = await eventsLike(second, 'run.asked', 2)
  expect(asked.map(({ question }) => question.title)).toEqual(['Which module?', 'How?'])
  expect((await plansOf(second, 2)).at(-1)?.guidance).toEqual(['The first one', 'With an edit'])
})
