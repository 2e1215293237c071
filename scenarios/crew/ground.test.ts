// A repository or a setting that nothing can be built on: said plainly, with what to do.
import { expect, test } from 'vitest'
import { treadle } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
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

test('a target that does not exist is said when starting, and again by the item', async () => {
  const workspace = shop({
    scripts: [[[repair(1)]]],
    settings: { merge: { approval: 'checks', target: 'nowhere' } },
  })
  const started = await treadle(workspace, ['up', '--detach', '--json', '--agents', '1'])
  expect(started.code).toBe(0)
  expect(started.stderr).toContain('merge.target: there is no branch nowhere')
  expect(started.stderr).toContain('git branch nowhere')
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  expect((await until(daemon, 1, 'escalated')).reason).toBe('branch nowhere does not exist')
})

test('a repository without a commit is refused before anything starts', async () => {
  const workspace = shop({ scripts: [] })
  workspace.git('update-ref', '-d', 'HEAD')
  const refused = await treadle(workspace, ['up', '--detach'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('has no commit yet')
  expect(refused.stderr).toContain('git commit')
  expect(everythingIn(workspace)).toEqual([])
})

test('with a detached HEAD a target has to be named', async () => {
  const workspace = shop({ scripts: [[[repair(1)]]] })
  workspace.git('checkout', '--quiet', '--detach')
  workspace.setConfig({ tests: { command: 'sh test.sh' } })
  const refused = await treadle(workspace, ['up', '--detach'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('no branch to merge into: HEAD is detached')
  expect(refused.stderr).toContain('Set merge.target in treadle.json')
  expect(refused.stderr).not.toMatch(/\n\s+at /)
  expect(everythingIn(workspace)).toEqual([])

  workspace.git('checkout', '--quiet', '--force', 'HEAD', '--', 'treadle.json')
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await until(daemon, 1, 'done')
  expect(mergedOnMain(workspace)).toEqual(['1/1'])
  expect(workspace.git('status', '--porcelain')).toBe('')
})
