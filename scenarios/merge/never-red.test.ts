import { useStore } from '@treadle/store/testing/both-drivers'
import { expect, test } from 'vitest'
import { runNeverRed } from './never-red.ts'

const open = useStore('embedded')

test('green apart and red together: the earlier lands, the later goes back, main stays green', async (context) => {
  const tally = await runNeverRed(await open(context), [{ batch: 6, pairs: 2, textual: 0, innocent: 2 }], 7)
  expect(tally.red).toEqual([])
  expect(tally.unfair).toEqual([])
  expect(tally).toMatchObject({ merges: 6, merged: 4, sentBack: 2, conflicts: 0, otherwise: 0 })
})
