import { expect, test } from 'vitest'
import { type Cooldown, cooldownRule, cooldownWords, engineNow, stillCooling } from './cooldown.ts'

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
  expect(cooldownRule([rest('native', '')], { usual: byDefault, fallback: null })?.({ engine })).toBe(rests)
})

test('where no engine rests there is no rule', () => {
  expect(cooldownRule([], { usual: 'native', fallback: null })).toBeNull()
})

test.each([
  [null, ['native'], 'repair'],
  [null, [], 'native'],
  [null, ['native', 'repair'], 'native'],
  ['native', ['native'], 'native'],
])(
  'an item that asks for %s while %j rest is built by %s, where repair is the fallback',
  (asked, names, by) => {
    const resting = names.map((engine) => ({ engine }))
    expect(engineNow({ asked, usual: 'native', fallback: 'repair', resting })).toBe(by)
  },
)

test('a rest because of a provider says that one tries', () => {
  const words = cooldownWords({ ...rest('native', '2026-11-15T13:00:00.000Z'), triesOne: true })
  expect(words).toContain('rests until 13:00:00 UTC, then tries one: ')
})

test('a rest is told with its end and its reason', () => {
  expect(cooldownWords(rest('native', '2026-11-15T13:00:00.000Z'))).toBe(
    'the engine native rests until 13:00:00 UTC: the key was refused',
  )
})
