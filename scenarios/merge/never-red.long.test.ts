import { useStore } from '@treadle/store/testing/both-drivers'
import { expect, test } from 'vitest'
import { chaosChoice } from '../env.ts'
import { type Round, runNeverRed, tallyLine } from './never-red.ts'

const open = useStore('embedded')

/** The whole 200 merges by `npm run chaos`. */
const FOURS = chaosChoice().size === 'full' ? 5 : 2

/** Ten in a round; every fourth round without a batch. */
const ROUNDS: readonly Round[] = Array.from({ length: 4 * FOURS }, (_, at) => ({
  batch: at % 4 === 3 ? 1 : 5,
  pairs: 3,
  textual: at % 4 === 1 ? 1 : 0,
  innocent: at % 4 === 1 ? 2 : 4,
}))

test(`${40 * FOURS} merges with planted semantic conflicts: main is green after every landing, and only the later of two goes back`, async (context) => {
  const tally = await runNeverRed(await open(context), ROUNDS)
  process.stdout.write(`never red: ${tallyLine(tally)}\n`)
  expect(tally.red).toEqual([])
  expect(tally.unfair).toEqual([])
  expect(tally).toMatchObject({
    merges: 40 * FOURS,
    merged: 27 * FOURS,
    sentBack: 12 * FOURS,
    conflicts: FOURS,
    otherwise: 0,
  })
})
