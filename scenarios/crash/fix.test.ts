// A short form of the kills: in the middle of the build, in the middle of a test run, and between two phases.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { run } from '../kit/command.ts'
import { useShops } from '../kit/shop.ts'
import { killAt, killedAt, MOMENTS, SHOP, undisturbed } from './fix-run.ts'

const shop = useShops()
const SHORT = ['in the build', 'in the tests of the build', 'after the improvement']

verifies(
  ['META-STATE-1', 'META-STATE-2', 'META-STATE-3', 'META-STATE-8', 'META-STATE-9'],
  'a fix that was killed goes on with its history and gates, and ends as if nothing had been',
  async () => {
    const expected = await undisturbed(shop(SHOP))
    expect(expected.phases).toEqual([
      'build 0 done',
      'test 0 failed',
      'improve 1 done',
      'test 1 passed',
      'commit 1 committed',
    ])
    for (const moment of MOMENTS.filter(({ name }) => SHORT.includes(name))) {
      const { result, stderr } = await killedAt(shop(SHOP), moment)
      expect(result, moment.name).toEqual(expected)
      expect(stderr, moment.name).toContain('Going on from')
    }
  },
)

verifies('META-STATE-7', 'a new fix offers to go on with the one that was interrupted', async () => {
  const workspace = shop(SHOP)
  const [moment] = MOMENTS.filter(({ name }) => name === 'in the build')
  if (moment === undefined) throw new Error('no such moment')
  await killAt(workspace, moment)
  const second = await run(workspace, ['fix', '--test-command', 'true'])
  expect(second.code, second.stderr).toBe(0)
  expect(second.stderr).toMatch(/A fix begun at .* was interrupted while building/)
  expect(second.stderr).toContain('treadle fix --resume')
})
