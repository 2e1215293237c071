// Several at once, and everything that is delivered is read: the whole way, with one way back.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import { addRepair, changeSettings, mergedOnMain, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import { answer, approval, criteria, rejection, reviewedPlace } from './reviewed.ts'

const shop = useShops('file')
let opened: Promise<Daemon> | undefined

/** One crew for both tests, which run in their order; builders wait until the first has looked. */
function crew(): Promise<Daemon> {
  const open = () => {
    const workspace = reviewedPlace(shop, 6)
    writeFileSync(join(workspace.home, 'stay'), '')
    return up(workspace, 2)
  }
  opened ??= open()
  return opened
}

verifies(
  'ORCH-S0-1',
  'two agents work at the same time, each on one item, which goes to the reviewer, back, and is done after a second look',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    for (const n of [1, 2]) {
      answer(workspace, n, 1, rejection(n, 1))
      answer(workspace, n, 2, approval(n, ['R1.1']))
    }
    for (const n of [1, 2, 3]) await addRepair(daemon, n, criteria(n))
    await eventually('both at work', async () => {
      const held = (await daemon.client.listAgents()).items.filter(({ item }) => item !== null)
      return held.length === 2 ? true : undefined
    })
    // There is a third, and nobody takes it along.
    expect((await daemon.client.queue()).items.map(({ number }) => number)).toEqual([3])
    await daemon.client.withdrawItem({ params: { projectNumber: 1, issueNumber: 3 }, body: {} })
    rmSync(join(workspace.home, 'stay'))
    for (const n of [1, 2])
      expect(await until(daemon, n, 'done', 'escalated')).toMatchObject({ state: 'done', reviewCycles: 1 })
    expect(mergedOnMain(workspace).toSorted()).toEqual(['1/1', '1/2'])
  },
)

verifies(
  'ORCH-S5-3',
  'one reviewer is enough until more is delivered than it can read; then others help, and leave when it is done',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    for (const n of [4, 5, 6]) {
      answer(workspace, n, 1, approval(n))
      writeFileSync(join(workspace.home, `hold-${n}`), '')
    }
    await daemon.client.startAgents({ body: { count: 1 } })
    await changeSettings(daemon, { review: { reviewers: 2, waitingPerReviewer: 1 } })
    const reviewers = async () =>
      (await daemon.client.listAgents()).items
        .filter(({ id }) => id.startsWith('review-agent'))
        .map(({ id, status }) => `${id} ${status}`)
    await addRepair(daemon, 4, criteria(4))
    await eventually('the first review', async () =>
      (await reviewers()).includes('review-agent reviewing') ? true : undefined,
    )
    expect(await reviewers()).toHaveLength(1)
    for (const n of [5, 6]) await addRepair(daemon, n, criteria(n))
    await eventually('a second reviewer at work', async () =>
      (await reviewers()).includes('review-agent-2 reviewing') ? true : undefined,
    )
    // Two and no more, as the settings say, though a third delivery waits.
    await eventually('a third delivery', async () => {
      const { items } = await daemon.client.listReviews({ query: { status: 'pending', limit: 10 } })
      return items.some(({ waitsFor }) => waitsFor === 'reviewer') ? true : undefined
    })
    expect(await reviewers()).toHaveLength(2)
    for (const n of [4, 5, 6]) writeFileSync(join(workspace.home, `go-${n}`), '')
    const done = []
    for (const n of [4, 5, 6]) done.push(await until(daemon, n, 'done', 'escalated'))
    expect(done.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(new Set(done.map(({ approval: given }) => given?.by))).toEqual(
      new Set(['review-agent', 'review-agent-2']),
    )
    await eventually('the helper has left', async () =>
      (await reviewers()).includes('review-agent-2 stopped') ? true : undefined,
    )
    // Each was read once, whoever read it.
    for (const n of [4, 5, 6])
      expect(readFileSync(join(workspace.home, `reviews-of-${n}`), 'utf8')).toBe('once\n')
  },
)
