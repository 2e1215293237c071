import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { openAt, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { expect } from 'vitest'
import { type Round, runNeverRed, tallyLine } from './never-red.ts'

const places = useTestDatabases('embedded')

/** The whole 200 merges by `npm run chaos`. */
const FOURS = isFullChaos ? 5 : 1

/** Ten in a round; every fourth round without a batch. */
const ROUNDS: readonly Round[] = Array.from({ length: 4 * FOURS }, (_, at) => ({
  batch: at % 4 === 3 ? 1 : 5,
  pairs: 3,
  textual: at % 4 === 1 ? 1 : 0,
  innocent: at % 4 === 1 ? 2 : 4,
}))

eachSeed(
  `${40 * FOURS} merges with planted semantic conflicts: main is green after every landing, and only the later of two goes back`,
  async ({ seed }, context) => {
    const store = await openAt(places(context))
    const tally = await runNeverRed(store, ROUNDS, seed).finally(() => store.close())
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
  },
)
