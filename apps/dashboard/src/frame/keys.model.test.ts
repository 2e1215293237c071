import { expect, test } from 'vitest'
import { decideKey, type KeyChoice, type Pressed } from './keys.model.ts'
import { SCREENS } from './screens.model.ts'

const plain = { modified: false, elsewhere: false, going: false }

test.each([
  [{ ...plain, key: '?' }, { is: 'help' }],
  [{ ...plain, key: '?', going: true }, { is: 'help' }],
  [{ ...plain, key: 'g' }, { is: 'going' }],
  [{ ...plain, key: 'g', going: true }, { is: 'going' }],
  [
    { ...plain, key: 'b', going: true },
    { is: 'go', to: 'board' },
  ],
  [
    { ...plain, key: 'i', going: true },
    { is: 'go', to: 'inbox' },
  ],
  [{ ...plain, key: 'x', going: true }, { is: 'nothing' }],
  [{ ...plain, key: 'b' }, { is: 'nothing' }],
  [{ ...plain, key: 'g', modified: true }, { is: 'nothing' }],
  [{ ...plain, key: 'b', going: true, modified: true }, { is: 'nothing' }],
  [{ ...plain, key: '?', elsewhere: true }, { is: 'nothing' }],
  [{ ...plain, key: 'b', going: true, elsewhere: true }, { is: 'nothing' }],
] satisfies [Pressed, KeyChoice][])('%j means %j', (pressed, choice) => {
  expect(decideKey(pressed)).toEqual(choice)
})

test('every screen has a key of its own, and none is one that means something else', () => {
  const keys = SCREENS.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(decideKey({ ...plain, key })).toEqual({ is: 'nothing' })
})
