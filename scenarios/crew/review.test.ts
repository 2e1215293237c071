// merge.approval human: nothing is merged before a person has said yes.
import { userInfo } from 'node:os'
import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { treadle } from '../kit/daemon.ts'
import { addRepair, itemNumber, mergedOnMain, repair, told, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const settings = { merge: { approval: 'human', target: 'main' } } as const

test('a delivered change waits for a person, who approves it, and who is on record', async () => {
  const daemon = await up(shop({ scripts: [[[repair(1)]]], settings }), 1)
  const { workspace } = daemon
  await addRepair(daemon, 1, { acceptance: ['`sh test.sh src/module-01.txt` passes', 'It is pleasant'] })
  const waiting = await until(daemon, 1, 'in_review', 'done')
  expect(waiting).toMatchObject({ state: 'in_review', needsHuman: true, approval: null, mergeCommit: null })
  const listed = await told<Item[]>(workspace, 'review')
  expect(listed.map(({ number }) => number)).toEqual([1])
  const shown = await treadle(workspace, ['review'])
  expect(shown.stdout).toContain('Repair module 1')
  expect(shown.stdout).toContain('treadle approve')
  expect(mergedOnMain(workspace)).toEqual([])

  await eventually('its evidence', async () => (await itemNumber(daemon, 1)).evidence ?? undefined)
  expect((await told<Item>(workspace, 'review', 'approve', '1')).state).toBe('merging')
  const done = await until(daemon, 1, 'done')
  expect(done.acceptance.map(({ status }) => status)).toEqual(['met', 'pending'])
  expect(done.approval).toMatchObject({ kind: 'human', by: userInfo().username })
  const trailers = workspace.git('log', '-1', '--format=%(trailers:key=Approved-by,valueonly)', 'main')
  expect(trailers.trim()).toBe(`human ${userInfo().username}`)
  expect(mergedOnMain(workspace)).toEqual(['1/1'])

  const again = await treadle(workspace, ['review', 'approve', '1'])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('#1 is already merged.')
  expect(again.stderr).toContain('treadle revert 1')
})

test('whoever approves what nothing proves is told so first, and so is whoever looks at it', async () => {
  const scripts = [[[{ write: { file: 'more.sh', text: 'true\n' } }]]]
  const daemon = await up(shop({ scripts, right: [1], settings }), 1)
  const { workspace } = daemon
  await addRepair(daemon, 1)
  await until(daemon, 1, 'in_review')
  const { evidence } = await eventually('its evidence', async () => {
    const item = await itemNumber(daemon, 1)
    return item.evidence === null ? undefined : item
  })
  expect(evidence).toEqual({ level: 'unproven', why: expect.stringContaining('no test fails without') })
  for (const command of [['list'], ['show', '1'], ['review'], ['review', 'show', '1']])
    expect((await treadle(workspace, command)).stdout).toMatch(/unproven/i)
  const approved = await treadle(workspace, ['review', 'approve', '1'])
  expect(approved.code).toBe(0)
  expect(approved.stderr).toContain(`#1 is unproven: ${evidence?.why}`)
  await until(daemon, 1, 'done')
  expect(workspace.git('log', '-1', '--format=%(trailers:key=Evidence,valueonly)', 'main').trim()).toBe(
    'unproven',
  )
  const receipt = JSON.parse(workspace.git('notes', '--ref=treadle', 'show', 'main'))
  expect(receipt.predicate.evidence).toEqual(evidence)
})
