// Several at once, and everything that is delivered is read: the whole way, with one way back.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { addRepair, mergedOnMain, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { answer, approval, criteria, rejection, reviewedPlace } from './reviewed.ts'

const shop = useShops()

verifies(
  'ORCH-S0-1',
  'two agents work at the same time, each on one item, which goes to the reviewer, back, and is done after a second look',
  async () => {
    const workspace = reviewedPlace(shop, 3)
    for (const n of [1, 2, 3]) {
      answer(workspace, n, 1, rejection(n, 1))
      answer(workspace, n, 2, approval(n))
    }
    const stay = join(workspace.home, 'stay')
    writeFileSync(stay, '')
    const daemon = await up(workspace, 2)
    for (const n of [1, 2, 3]) await addRepair(daemon, n, criteria(n))
    await eventually('both at work', async () => {
      const held = (await daemon.client.listAgents()).items.filter(({ item }) => item !== null)
      return held.length === 2 ? true : undefined
    })
    // There is a third, and nobody takes it along.
    expect((await daemon.client.queue()).items.map(({ number }) => number)).toEqual([3])
    rmSync(stay)
    for (const n of [1, 2, 3])
      expect(await until(daemon, n, 'done', 'escalated')).toMatchObject({ state: 'done', reviewCycles: 1 })
    expect(mergedOnMain(workspace).toSorted()).toEqual(['1/1', '1/2', '1/3'])
  },
)
