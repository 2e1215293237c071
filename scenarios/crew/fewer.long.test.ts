import { readdirSync, writeFileSync } from 'node:fs'
import type { Agent } from '@treadle/contracts/agent'
import { expect, test } from 'vitest'
import { type Daemon, stopDaemon } from '../kit/daemon.ts'
import { everythingIn, kill } from '../kit/processes.ts'
import {
  addRepair,
  itemNumber,
  letGo,
  mergedOnMain,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const sharedShop = useShops('file')
let opened: Promise<Daemon> | undefined

/** One crew for the tests that have its size changed; each leaves other agents than it found. */
function crew(): Promise<Daemon> {
  opened ??= up(sharedShop({ scripts: [slowRepair(1), slowRepair(2), slowRepair(3)] }), 3)
  return opened
}

test('fewer agents: those that leave give back what they hold, the others go on', async () => {
  const daemon = await crew()
  const { workspace } = daemon
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
  const restarted = await told<Agent[]>(workspace, 'agent', 'restart', '--all')
  expect(restarted.map(({ id }) => id)).toEqual(['agent-1'])
  for (const n of [1, 2, 3]) letGo(workspace, `go-${n}`)
  for (const n of [1, 2, 3]) await until(daemon, n, 'done')
  expect(mergedOnMain(workspace).toSorted()).toEqual(['1/1', '1/2', '1/3'])
})

test('a crew at work follows a changed number in the settings', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  await daemon.client.startAgents({ body: { count: 1 } })
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
  await stopDaemon(daemon)
})

test('a smaller crew after a crash: no worktree of those who do not come back is left, and their work is kept', async () => {
  const workspace = shop({ scripts: [slowRepair(1), slowRepair(2)] })
  const first = await up(workspace, 2)
  for (const n of [1, 2]) await addRepair(first, n)
  await Promise.all([1, 2].map((n) => untilHolding(first, n)))
  const left = readdirSync(workspace.paths.worktrees).find((name) => name.startsWith('agent-2-')) ?? 'none'
  writeFileSync(`${workspace.paths.worktrees}/${left}/half-done.txt`, 'worth keeping\n')
  // Again and again: one may just have started another.
  await eventually('nobody', () => {
    const left = everythingIn(workspace)
    for (const pid of left) kill(pid)
    return left.length === 0 ? true : undefined
  })
  const second = await up(workspace, 1)
  for (const n of [1, 2]) letGo(workspace, `go-${n}`)
  for (const n of [1, 2]) await until(second, n, 'done')
  await eventually('no worktree but the checkout', () =>
    workspace.git('worktree', 'list').split('\n').length === 1 ? true : undefined,
  )
  const refs = workspace.git('for-each-ref', '--format=%(refname)', 'refs/treadle/').split('\n')
  const kept = refs.filter((ref) => workspace.git('ls-tree', '--name-only', ref).includes('half-done.txt'))
  expect(kept).not.toEqual([])
})
