// Settings under which every item comes to a person, who is told why.
import { expect, test } from 'vitest'
import { addRepair, mergedOnMain, repair, until, up, useShops } from '../kit/shop.ts'
import type { WorkspaceOptions } from '../kit/workspace.ts'

const shop = useShops()
const TARGET = { approval: 'checks', target: 'main' } as const

async function escalatedBecause(settings: WorkspaceOptions['settings']): Promise<string> {
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { merge: TARGET, limits: { improvements: 1 }, ...settings },
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'An item' } })
  const item = await until(daemon, 1, 'escalated', 'done')
  expect(item).toMatchObject({ state: 'escalated', needsHuman: true, claimedByAgentId: null })
  expect(mergedOnMain(workspace)).toEqual([])
  return item.reason ?? ''
}

test('a set-up command that fails is named with its output', async () => {
  const why = await escalatedBecause({
    tests: { command: 'sh test.sh', setupCommand: 'echo no such package >&2; exit 4' },
  })
  expect(why).toContain('tests.setupCommand failed')
  expect(why).toContain('no such package')
})

test('without a test command nothing counts as passed', async () => {
  const why = await escalatedBecause({ tests: { command: null } })
  expect(why).toContain('tests did not run: no test command is configured')
})

test('a detached HEAD is no matter when a target is named', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  workspace.git('checkout', '--quiet', '--detach')
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await until(daemon, 1, 'done')
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  expect(workspace.git('status', '--porcelain')).toBe('')
})
