import { expect, test } from 'vitest'
import { TurnWatch } from './turn-watch.ts'

const observation = (input: string, output = '') => ({
  tool: 'bash',
  input,
  output,
  durationMs: 1,
  success: true,
})
const watch = (steps: number | null = null) => new TurnWatch({ steps, stuckAfter: 3 })

test('the same action three times is said to the model, and six times end the turn', () => {
  const turn = watch()
  const found = Array.from(
    { length: 6 },
    () => turn.observed(observation('npm test', '1 failed'))?.is ?? null,
  )
  expect(found).toEqual([null, null, 'told', null, null, 'over'])
})

test('the same command with another result is progress', () => {
  const turn = watch()
  const found = Array.from({ length: 9 }, (_, at) => turn.observed(observation('npm test', `${at} failed`)))
  expect(found.every((each) => each === null)).toBe(true)
})

test('whoever goes round in circles is noticed too', () => {
  const turn = watch()
  const found = Array.from({ length: 20 }, (_, at) => turn.observed(observation(`cat ${at % 3}`))?.is ?? null)
  expect(found.indexOf('over')).toBe(14)
  expect(found.slice(0, 14).every((each) => each === null)).toBe(true)
})

test.each([
  [2, 3],
  [null, -1],
])('with a limit of %s the step at %i is too many', (steps, at) => {
  const turn = watch(steps)
  const found = Array.from({ length: 5 }, () => turn.began()?.is ?? null)
  expect(found.indexOf('over')).toBe(at === -1 ? -1 : at - 1)
})
