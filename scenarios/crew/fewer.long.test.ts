import { expect, test } from 'vitest'
import {
  addRepair,
  itemNumber,
  letGo,
  mergedOnMain,
  slowRepair,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()

test('fewer agents: those that leave give back what they hold, the others go on', async () => {
  const workspace = shop({ scripts: [slowRepair(1), slowRepair(2), slowRepair(3)] })
  const daemon = await up(workspace, 3)
  for (const n of [1, 2, 3]) await addRepair(daemon, n)
  const held = await Promise.all([1, 2, 3].map((n) => untilHolding(daemon, n)))
  const again = await up(workspace, 1)
  expect(again.pid).toBe(daemon.pid)
  for (const before of held) {
    const stays = before.claimedByAgentId === 'agent-1'
    expect(await itemNumber(daemon, before.number)).toMatchObject(
      stays
        ? { state: 'building', claimedByAgentId: 'agent-1', fence: before.fence }
        : { state: 'backlog', claimedByAgentId: null },
    )
  }
  const agents = (await daemon.client.listAgents()).items
  expect(agents.map(({ id, wanted }) => [id, wanted])).toEqual([
    ['agent-1', 'running'],
    ['agent-2', 'stopped'],
    ['agent-3', 'stopped'],
  ])
  for (const n of [1, 2, 3]) letGo(workspace, `go-${n}`)
  for (const n of [1, 2, 3]) await until(daemon, n, 'done')
  expect(mergedOnMain(workspace).toSorted()).toEqual(['1/1', '1/2', '1/3'])
})

test('a crew at work follows a changed number in the settings', async () => {
  const workspace = shop({ scripts: [] })
  const daemon = await up(workspace, 1)
  const running = async () =>
    (await daemon.client.listAgents()).items.flatMap(({ id, wanted }) => (wanted === 'running' ? [id] : []))
  for (const [count, names] of [
    [3, ['agent-1', 'agent-2', 'agent-3']],
    [2, ['agent-1', 'agent-2']],
  ] as const) {
    workspace.write('.vscode/settings.json', `{"claudeProjects.agents.maxConcurrent": ${count}}`)
    await eventually(`${count} agents`, async () =>
      (await running()).join() === names.join() ? true : undefined,
    )
  }
})
