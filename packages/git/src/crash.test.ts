import { eachSeed } from '@treadle/requirements/seeds'
import { expect, onTestFinished } from 'vitest'
import { landRound, makeHeads, worktreeRound } from './crash-rounds.ts'
import { makeScratch } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return scratch
}

eachSeed(
  'a worktree survives kill -9 at any moment: nothing reported is lost, nothing is stuck',
  async ({ random }) => {
    const scratch = setUp()
    let reported = 0
    for (const [group, early] of [
      [true, true],
      [false, false],
      [true, false],
    ] as const) {
      reported += await worktreeRound(scratch, { afterMs: random() * 400, group, early })
    }
    expect(reported).toBeGreaterThan(1)
    expect(scratch.sh('git worktree list').trim().split('\n')).toHaveLength(1)
    expect(scratch.sh('git fsck --connectivity-only --no-dangling 2>&1')).not.toMatch(/missing|broken|error/)
  },
)

eachSeed(
  'landing survives kill -9 at any moment: each head lands at most once and the checkout follows',
  async ({ random }) => {
    const scratch = setUp()
    const heads = makeHeads(scratch, 6)
    let landed = 0
    for (const [group, early] of [
      [true, true],
      [false, false],
      [true, false],
    ] as const) {
      landed = await landRound(scratch, heads, { afterMs: random() * 300, group, early })
    }
    expect(landed).toBeGreaterThan(0)
    expect(scratch.sh('git log --first-parent --oneline main').trim().split('\n')).toHaveLength(landed + 1)
  },
)
