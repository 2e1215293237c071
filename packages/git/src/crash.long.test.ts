import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { expect, onTestFinished } from 'vitest'
import { landRound, makeHeads, worktreeRound } from './crash-rounds.ts'
import { makeScratch } from './scratch-repository.ts'

// The whole number by `npm run chaos`.
const KILLS = isFullChaos ? 16 : 4
const LANDINGS = isFullChaos ? 10 : 4

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return scratch
}

eachSeed(`${KILLS} kills of a process that works in a worktree`, async ({ random }) => {
  const scratch = setUp()
  let reported = 0
  for (let round = 0; round < KILLS; round += 1) {
    reported += await worktreeRound(scratch, {
      afterMs: random() * 900,
      group: round % 3 !== 0,
      early: round % 2 === 0,
    })
  }
  // Every second process is only killed when it has finished something.
  expect(reported).toBeGreaterThanOrEqual(KILLS / 2)
})

eachSeed(`${LANDINGS} kills of a process that lands`, async ({ random }) => {
  const scratch = setUp()
  const heads = makeHeads(scratch, LANDINGS + 6)
  let landed = 0
  for (let round = 0; round < LANDINGS; round += 1) {
    landed = await landRound(scratch, heads, {
      afterMs: random() * 700,
      group: round % 3 !== 0,
      early: round % 2 === 0,
    })
  }
  expect(landed).toBeGreaterThanOrEqual(LANDINGS / 2)
  expect(scratch.sh('git log --first-parent --oneline main').trim().split('\n')).toHaveLength(landed + 1)
})
