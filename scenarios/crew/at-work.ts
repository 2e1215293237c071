// A crew in the middle of its work, and what must come of it after an end of whatever kind.
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import {
  addRepair,
  eventsOf,
  letGo,
  mergedOnMain,
  type ShopOptions,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
} from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

export interface Down {
  readonly stopped: boolean
  readonly pid: number | null
  readonly ended: readonly string[]
}

/** Two agents, one of them in the middle of an engine's turn. */
export async function atWork(
  shop: (options: ShopOptions) => Workspace,
): Promise<{ workspace: Workspace; daemon: Daemon }> {
  const workspace = shop({ scripts: [slowRepair(1)] })
  const daemon = await up(workspace, 2)
  await addRepair(daemon, 1)
  await untilHolding(daemon, 1)
  return { workspace, daemon }
}

/** The claim stands: its holder takes the work up again and it is merged once. */
export async function goesOn(workspace: Workspace): Promise<void> {
  letGo(workspace, 'go-1')
  const daemon = await up(workspace, 2)
  expect(await until(daemon, 1, 'done')).toMatchObject({ attempts: 1, fence: 1 })
  const types = (await eventsOf(daemon, 1)).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'run.resumed')).toHaveLength(1)
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  expect(await told<Down>(workspace, 'down')).toMatchObject({ stopped: true, pid: daemon.pid, ended: [] })
  expect(everythingIn(workspace)).toEqual([])
}
