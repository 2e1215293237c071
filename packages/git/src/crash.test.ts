import { expect, onTestFinished, test } from 'vitest'
import { landRound, makeHeads, worktreeRound } from './crash-rounds.ts'
import { makeScratch } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return scratch
}

test('a worktree survives kill -9 at any moment: nothing reported is lost, nothing is stuck', async () => {
  const scratch = setUp()
  let reported = 0
  for (const [group, early] of [
    [true, true],
    [false, false],
    [true, false],
  ] as const) {
    reported += await worktreeRound(scratch, { afterMs: Math.random() * 400, group, early })
  }
  expect(reported).toBeGreaterThan(1)
  expect(scratch.sh('git worktree list').trim().split('\n')).toHaveLength(1)
  expect(scratch.sh('git fsck --connectivity-only --no-dangling 2>&1')).not.toMatch(/missing|broken|error/)
})

test('landing survives kill -9 at any moment: each head lands at most once and the checkout follows', async () => {
  const scratch = setUp()
  const heads = makeHeads(scratch, 6)
  let landed = 0
  for (const [group, early] of [
    [true, true],
    [false, false],
    [true, false],
  ] as const) {
    landed = await landRound(scratch, heads, { afterMs: Math.random() * 300, group, early })
  }
  expect(landed).toBeGreaterThan(0)
  expect(scratch.sh('git log --first-parent --oneline main').trim().split('\n')).toHaveLength(landed + 1)
})
