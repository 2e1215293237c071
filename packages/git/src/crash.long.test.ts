import { expect, onTestFinished, test } from 'vitest'
import { landRound, makeHeads, worktreeRound } from './crash-rounds.ts'
import { makeScratch } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return scratch
}

test('sixteen kills of a process that works in a worktree', async () => {
  const scratch = setUp()
  let reported = 0
  for (let round = 0; round < 16; round += 1) {
    reported += await worktreeRound(scratch, {
      afterMs: Math.random() * 900,
      group: round % 3 !== 0,
      early: round % 2 === 0,
    })
  }
  expect(reported).toBeGreaterThan(5)
})

test('ten kills of a process that lands', async () => {
  const scratch = setUp()
  const heads = makeHeads(scratch, 16)
  let landed = 0
  for (let round = 0; round < 10; round += 1) {
    landed = await landRound(scratch, heads, {
      afterMs: Math.random() * 700,
      group: round % 3 !== 0,
      early: round % 2 === 0,
    })
  }
  expect(landed).toBeGreaterThan(3)
  expect(scratch.sh('git log --first-parent --oneline main').trim().split('\n')).toHaveLength(landed + 1)
})
