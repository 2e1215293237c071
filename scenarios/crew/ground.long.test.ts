// Settings under which every item comes to a person, who is told why.
import { expect, test } from 'vitest'
import { addRepair, mergedOnMain, repair, until, up, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
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

test('without a test command nothing counts as passed: it waits for a person, who may merge it', async () => {
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { merge: TARGET, tests: { command: null } },
  })
  const daemon = await up(workspace, 1)
  await daemon.client.addItem({ body: { title: 'An item' } })
  const item = await eventually('a word about it', async () => {
    const found = await until(daemon, 1, 'in_review')
    return found.evidence === null || found.reason === null ? undefined : found
  })
  expect(item).toMatchObject({ needsHuman: true, approval: null, evidence: { level: 'unproven' } })
  expect(item.evidence?.why).toMatch(/^no tests: no test command is configured/)
  expect(item.reason).toContain('it is unproven: no tests: ')
  expect(mergedOnMain(workspace)).toEqual([])
  const params = { projectNumber: 1, issueNumber: 1 }
  await daemon.client.approveItem({ params, body: { by: 'Ada' } })
  await until(daemon, 1, 'done')
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  const [review] = (await daemon.client.listReviews({ query: {} })).items
  expect(review?.checks.filter(({ gate }) => gate === 'tests_pass')).toMatchObject([{ is: 'skipped' }])
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
