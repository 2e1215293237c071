// A repository or a setting that nothing can be built on: said plainly, with what to do.
import { expect, test } from 'vitest'
import { treadle } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
import { addRepair, repair, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()
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
})
