// treadle fix killed at phase boundaries and in the middle of phases.
import { isFullChaos } from '@treadle/requirements/seeds'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { type Attempts, useShops } from '../kit/shop.ts'
import {
  BEFORE_RESULT,
  endHolds,
  killAt,
  killedAt,
  MOMENTS,
  type Result,
  SHOP,
  undisturbed,
} from './fix-run.ts'

/** Besides those of the quick test; each of the moments by `npm run chaos`. */
const SHORT = [
  'in the tests before any change',
  'after the tests of the build',
  'in the improvement',
  'after the delivery',
  BEFORE_RESULT.name,
]
const moments = MOMENTS.filter(({ name }) => isFullChaos || SHORT.includes(name))

describe('a fix that is killed', () => {
  const shop = useShops()
  let expected: Result
  beforeAll(async () => {
    expected = await undisturbed(shop(SHOP))
  }, 180_000)

  test.each(moments)('$name: the same tree, no phase lost, no test run counted twice', async (moment) => {
    const { result } = await killedAt(shop(SHOP), moment)
    expect(result).toEqual(expected)
  })
})

describe('a fix that is killed when all is done but said', () => {
  const shop = useShops()
  const idea = (n: number): Attempts[number] => [{ write: { file: 'notes.txt', text: `idea ${n}\n` } }]

  test.each([
    { what: 'gave up', scripts: [[1, 2, 3, 4].map(idea)], right: [], outcome: 'not_fixed' },
    { what: 'found nothing to do', scripts: [[idea(1)]], right: [1], outcome: 'nothing_to_fix' },
  ])('$what: that is said when it is taken up again, and only then is it over', async (one) => {
    const workspace = shop(one)
    await killAt(workspace, BEFORE_RESULT)
    endHolds(workspace, BEFORE_RESULT)
    const ended = await run(workspace, ['fix', '--resume', '--json'])
    const fixed = JSON.parse(ended.stdout) as { outcome: string; report: string | null }
    expect(fixed.outcome, ended.stderr).toBe(one.outcome)
    if (one.outcome === 'not_fixed') expect(fixed.report).not.toBeNull()
    const third = await run(workspace, ['fix', '--resume'])
    expect(third.stderr).toContain('no interrupted fix')
  })
})
