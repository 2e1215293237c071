// merge.approval human: nothing is merged before a person has said yes.
import { userInfo } from 'node:os'
import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addRepair, mergedOnMain, repair, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()
let opened: Promise<Daemon> | null = null

/** One crew that merges nothing by itself, for both tests. */
function crew(): Promise<Daemon> {
  const settings = { merge: { approval: 'human', target: 'main' } } as const
  opened ??= up(shop({ scripts: [[[repair(1)]], [[repair(2)]]], settings }), 1)
  return opened
}

test('a delivered change waits for a person, who approves it, and who is on record', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  await addRepair(daemon, 1)
  const waiting = await until(daemon, 1, 'in_review', 'done')
  expect(waiting).toMatchObject({ state: 'in_review', needsHuman: true, approval: null, mergeCommit: null })
  const listed = await told<Item[]>(workspace, 'review')
  expect(listed.map(({ number }) => number)).toEqual([1])
  const shown = await treadle(workspace, ['review'])
  expect(shown.stdout).toContain('Repair module 1')
  expect(shown.stdout).toContain('treadle review approve')
  expect(mergedOnMain(workspace)).toEqual([])

  expect((await told<Item>(workspace, 'review', 'approve', '1')).state).toBe('merging')
  const done = await until(daemon, 1, 'done')
  expect(done.approval).toMatchObject({ kind: 'human', by: userInfo().username })
  const trailers = workspace.git('log', '-1', '--format=%(trailers:key=Approved-by,valueonly)', 'main')
  expect(trailers.trim()).toBe(`human ${userInfo().username}`)
  expect(mergedOnMain(workspace)).toEqual(['1/1'])

  const again = await treadle(workspace, ['review', 'approve', '1'])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('review.approved is not possible while the item is done')
  expect(again.stderr).toContain('treadle show 1')
})

test('a rejected change is worked on again, and the third rejection asks for a person', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  await addRepair(daemon, 2)
  for (const round of [1, 2]) {
    await until(daemon, 2, 'in_review')
    const sent = await told<Item>(workspace, 'review', 'reject', '2', '--feedback', `say why ${round}`)
    expect(sent).toMatchObject({ state: 'rework', needsRework: true, reviewCycles: round })
    expect(sent.reason).toBe(`say why ${round}`)
  }
  await until(daemon, 2, 'in_review')
  const { runs } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 2 } })
  expect(runs.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'success'])
  const last = await told<Item>(workspace, 'review', 'reject', '2', '--feedback', 'no better')
  expect(last).toMatchObject({ state: 'escalated', needsHuman: true, reason: 'no better' })
  expect(mergedOnMain(workspace)).not.toContain('1/2')

  await told<Item>(workspace, 'reopen', '2')
  expect(await until(daemon, 2, 'in_review')).toMatchObject({ reviewCycles: 0, reason: null })
  const without = await treadle(workspace, ['review', 'reject', '2'])
  expect(without.code).toBe(2)
  expect(without.stderr).toContain("required option '--feedback <text>' not specified")
})
