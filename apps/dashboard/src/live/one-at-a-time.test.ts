import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

const moment = () => new Promise((resolve) => setTimeout(resolve))

test('calls while it is under way are answered by doing it once more, and none is forgotten', async () => {
  const ends: (() => void)[] = []
  const ask = oneAtATime(() => new Promise((end) => ends.push(end)))
  ask()
  expect(ends).toHaveLength(1)
  for (let n = 0; n < 5; n += 1) ask()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await moment()
  expect(ends).toHaveLength(2)
  ask()
  ends[1]?.()
  await moment()
  expect(ends).toHaveLength(3)
  ends[2]?.()
  await moment()
  expect(ends).toHaveLength(3)
  ask()
  expect(ends).toHaveLength(4)
})
