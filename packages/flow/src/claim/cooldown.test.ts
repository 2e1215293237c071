import { expect, test } from 'vitest'
import { type Cooldown, cooldownRule, cooldownWords, stillCooling } from './cooldown.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')
const rest = (engine: string, until: string): Cooldown => ({ engine, why: 'the key was refused', until })

test.each([
  ['2026-11-15T12:00:00.001Z', 1],
  ['2026-11-15T12:00:00.000Z', 0],
  ['2026-11-15T11:00:00.000Z', 0],
])('a rest until %s counts %d', (until, count) => {
  expect(stillCooling([rest('native', until)], NOW)).toHaveLength(count)
})

test.each([
  [null, 'native', true],
  [null, 'scripted', false],
  ['native', 'scripted', true],
  ['scripted', 'native', false],
])('an item for %s where %s is the default rests: %s', (engine, byDefault, rests) => {
  expect(cooldownRule([rest('native', '')], byDefault)?.({ engine })).toBe(rests)
})

test('where no engine rests there is no rule', () => {
  expect(cooldownRule([], 'native')).toBeNull()
})

test('a rest is told with its end and its reason', () => {
  expect(cooldownWords(rest('native', '2026-11-15T13:00:00.000Z'))).toBe(
    'the engine native rests until 2026-11-15T13:00:00.000Z: the key was refused',
  )
})
