import { expect, test } from 'vitest'
import { decideKey, type KeyChoice, opensPalette, type Pressed } from './keys.model.ts'
import { JUMPS } from './screens.model.ts'

const plain = { modified: false, elsewhere: false, going: false }

test.each([
  [{ ...plain, key: '?' }, { is: 'help' }],
  [{ ...plain, key: '?', going: true }, { is: 'help' }],
  [{ ...plain, key: 'g' }, { is: 'going' }],
  [{ ...plain, key: 'g', going: true }, { is: 'going' }],
  [
    { ...plain, key: 'w', going: true },
    { is: 'go', to: 'work' },
  ],
  [
    { ...plain, key: 'i', going: true },
    { is: 'go', to: 'costs' },
  ],
  [{ ...plain, key: 'x', going: true }, { is: 'nothing' }],
  [{ ...plain, key: 'w' }, { is: 'nothing' }],
  [{ ...plain, key: 'g', modified: true }, { is: 'nothing' }],
  [{ ...plain, key: 'w', going: true, modified: true }, { is: 'nothing' }],
  [{ ...plain, key: '?', elsewhere: true }, { is: 'nothing' }],
  [{ ...plain, key: 'w', going: true, elsewhere: true }, { is: 'nothing' }],
] satisfies [Pressed, KeyChoice][])('%j means %j', (pressed, choice) => {
  expect(decideKey(pressed)).toEqual(choice)
})

test('every screen has a key of its own, and none is one that means something else', () => {
  const keys = JUMPS.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(decideKey({ ...plain, key })).toEqual({ is: 'nothing' })
})

test.each([
  [{ key: 'k', metaKey: true, ctrlKey: false, altKey: false }, true],
  [{ key: 'K', metaKey: false, ctrlKey: true, altKey: false }, true],
  [{ key: 'k', metaKey: false, ctrlKey: false, altKey: false }, false],
  [{ key: 'k', metaKey: false, ctrlKey: true, altKey: true }, false],
])('%j opens the palette: %j', (event, opens) => {
  expect(opensPalette(event)).toBe(opens)
})
