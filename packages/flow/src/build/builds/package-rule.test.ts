import { expect, test } from 'vitest'
import { judgePackage } from './package-rule.ts'

const NOW = new Date('2026-11-19T12:00:00Z')
const DAY_MS = 86_400_000
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString()
const facts = (createdAt: string | null, versions: readonly (readonly [string, number])[]) => ({
  name: 'left-pad',
  registry: 'https://registry.example',
  createdAt,
  versions: versions.map(([version, days]) => ({ version, at: ago(days) })),
})
const judge = (given: ReturnType<typeof facts>) => judgePackage(given, NOW, 7 * DAY_MS)

test('the newest release that is old enough is installed, without scripts', () => {
  const given = facts(ago(400), [
    ['1.0.0', 400],
    ['1.1.0', 30],
    ['2.0.0-beta.1', 20],
    ['2.0.0', 1],
  ])
  expect(judge(given)).toEqual({
    is: 'allowed',
    install: { name: 'left-pad', version: '1.1.0', registry: 'https://registry.example', before: ago(7) },
  })
})

test('an address that a shell would read is told to nobody', () => {
  const given = { ...facts(ago(400), [['1.0.0', 400]]), registry: "https://registry.example/'; touch x; '" }
  expect(judge(given)).toMatchObject({ is: 'refused' })
  expect(judge({ ...given, registry: 'https://name:word@registry.example' })).toMatchObject({ is: 'refused' })
})

test('a name that somebody registered lately is refused, at the boundary too', () => {
  expect(judge(facts(ago(7), [['1.0.0', 7]]))).toMatchObject({ is: 'refused' })
  expect(judge(facts(ago(7.01), [['1.0.0', 7.01]]))).toMatchObject({ is: 'allowed' })
  expect(judge(facts(null, [['1.0.0', 400]]))).toMatchObject({ is: 'refused' })
  expect(judge(facts(ago(400), [['1.0.0', 2]]))).toMatchObject({ is: 'refused' })
})
