import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { openAt, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { expect } from 'vitest'
import { type Round, runNeverRed, tallyLine } from './never-red.ts'

const places = useTestDatabases('embedded')

/** Ten in a round; every fourth round without a batch. */
const FOUR: readonly Round[] = [
  { batch: 5, pairs: 3, textual: 0, innocent: 4 },
  { batch: 5, pairs: 3, textual: 1, innocent: 2 },
  { batch: 5, pairs: 3, textual: 0, innocent: 4 },
  { batch: 1, pairs: 3, textual: 0, innocent: 4 },
]
const SHORT: readonly Round[] = [
  { batch: 5, pairs: 3, textual: 1, innocent: 2 },
  { batch: 1, pairs: 2, textual: 0, innocent: 2 },
]
/** The whole 200 merges by `npm run chaos`. */
const ROUNDS = isFullChaos ? Array.from({ length: 5 }, () => FOUR).flat() : SHORT

const sum = (of: (round: Round) => number) => ROUNDS.reduce((all, round) => all + of(round), 0)
const SENT_BACK = sum(({ pairs }) => pairs)
const CONFLICTS = sum(({ textual }) => textual)
const MERGES = sum(({ pairs, textual, innocent }) => 2 * (pairs + textual) + innocent)

eachSeed(
  `${MERGES} merges with planted semantic conflicts: main is green after every landing, and only the later of two goes back`,
  async ({ seed }, context) => {
    const store = await openAt(places(context))
    const tally = await runNeverRed(store, ROUNDS, seed).finally(() => store.close())
    process.stdout.write(`never red: ${tallyLine(tally)}\n`)
    expect(tally.red).toEqual([])
    expect(tally.unfair).toEqual([])
    expect(tally).toMatchObject({
      merges: MERGES,
      merged: MERGES - SENT_BACK - CONFLICTS,
      sentBack: SENT_BACK,
      conflicts: CONFLICTS,
      otherwise: 0,
    })
  },
)
