// Sent back by a person, again and again: three times, and then the person has the last word.
import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { treadle } from '../kit/daemon.ts'
import { addRepair, mergedOnMain, repair, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()

test('a rejected change is worked on again, and the third rejection asks for a person', async () => {
  const settings = { merge: { approval: 'human', target: 'main' } } as const
  const daemon = await up(shop({ scripts: [[[repair(1)]]], settings }), 1)
  const { workspace } = daemon
  await addRepair(daemon, 1)
  for (const round of [1, 2]) {
    await until(daemon, 1, 'in_review')
    const sent = await told<Item>(workspace, 'review', 'reject', '1', '--feedback', `say why ${round}`)
    expect(sent).toMatchObject({ state: 'rework', needsRework: true, reviewCycles: round })
    expect(sent.reason).toBe(`say why ${round}`)
  }
  await until(daemon, 1, 'in_review')
  const { runs } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
  expect(runs.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'success'])
  const last = await told<Item>(workspace, 'review', 'reject', '1', '--feedback', 'no better')
  expect(last).toMatchObject({ state: 'escalated', needsHuman: true, reason: 'no better' })
  expect(mergedOnMain(workspace)).not.toContain('1/1')

  await told<Item>(workspace, 'reopen', '1')
  expect(await until(daemon, 1, 'in_review')).toMatchObject({ reviewCycles: 0, reason: null })
  const without = await treadle(workspace, ['review', 'reject', '1'])
  expect(without.code).toBe(2)
  expect(without.stderr).toContain("required option '--feedback <text>' not specified")
  // The last word is a person's: what was refused as often as may be can still be taken as it is.
  for (const round of [1, 2, 3]) {
    await until(daemon, 1, 'in_review')
    await told<Item>(workspace, 'review', 'reject', '1', '--feedback', `again ${round}`)
  }
  expect(await until(daemon, 1, 'escalated')).toMatchObject({ labels: ['review-escalation'] })
  expect((await told<Item>(workspace, 'review', 'approve', '1')).state).toBe('merging')
  expect(await until(daemon, 1, 'done')).toMatchObject({ approval: { kind: 'human' }, labels: [] })
})
