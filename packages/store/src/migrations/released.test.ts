// Databases of people have made these migrations: their text and their order stay as they are.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MODULES } from '../modules.ts'
import { migrationsOf } from '../nouns/module.ts'
import { inOrder } from './migrate.ts'

/** Name, and SHA-256 of the text. Add the line of a new migration when it is released; change none. */
const RELEASED: readonly (readonly [name: string, hash: string])[] = [
  ['001_foundation', 'ab1c37ef2f3aabca4691c2704515b70f0162d371cb79478b46500b3c2622d3e5'],
  ['002_may_change_tests', 'e61c2c84aef55120fe9b66a2232e5e4b4957f9f8a99f36180a2f4257c84cdf5c'],
  ['003_ledger', '8782b198f09280f2d31d383b4adfdfe5a1970d043c6aa42911cee7576847d6b8'],
  ['004_agents', 'a5d7558bd97e29425e46d3c621e8a9c0ee7eaab32ce22fa599a8a8e3993ff823'],
  ['005_assigned_agent', 'f6e1004a12abd13a85698a6a263ac0e4164c3cefc251131c2141cbcf7af2e03e'],
  ['006_conflicts', 'fac817e3c52f55d527300e785223fe8239ab7655c17d07ac8748c686525264cd'],
  ['007_reviews', 'c5e99cda77e86a9dc95f0ce68768db0ba1c7feeca30677c600862920aa7da72a'],
  ['008_goals', 'a3c15a682d2ad153940fd7da6e3f8da0080ecbfff50db9561e7a14b02d0504c1'],
  ['009_lessons', '8c53c02ac9a36c29f7c1cba847a8894cf63e9eaaa69b91c5c1e45e8f63d3d12e'],
  ['010_learning', 'fa9cefec480cb33cdf7ccd7f036441248e75e429713e880b63902008275d9932'],
  ['011_questions', '3ececdca8beea418ff2b7bfd9db580ff3269f58ea7f4a2d044a954bd1c8b18ec'],
  ['012_notifications', 'be57ee10691d5ebda59a6ff54768e5d6a8167eb050227ee1604636e340ee96b3'],
  ['013_weighed_lessons', 'bf8ad14b0980801ef16f023a9ecdfe852acaeb4b8078887156ef4e768ff81e2b'],
  ['014_promotion_tries', '80d8d61172d9d504cc4ce94d87d62da489544f32892a4f0c2431ec9337cbf5e4'],
  ['015_metrics', '4bcb21ed063d96836da58289bd008115417af3a80480ea60e08b07ffdf685f54'],
  ['016_lasting_alerts', 'e6ab3144ac839fb3f0cfa5bac80d55101250c585ca5dbdce0817c4161a2062b9'],
]

test('no migration that was released has changed, and none comes before one of them', () => {
  const made = migrationsOf(MODULES).map(({ name, sql }) => [
    name,
    createHash('sha256').update(sql).digest('hex'),
  ])
  expect(made.slice(0, RELEASED.length)).toEqual(RELEASED)
})

test('each migration is a file of that name, and each file is listed by one noun', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^\d/.test(name))
  const names = migrationsOf(MODULES).map(({ name }) => `${name.replaceAll('_', '-')}.ts`)
  expect(names).toEqual(files.sort())
})

test('two migrations of one name are refused', () => {
  const twice = { name: '017_twice', sql: '' }
  expect(inOrder([{ name: '018_later', sql: '' }, twice]).map(({ name }) => name)).toEqual([
    '017_twice',
    '018_later',
  ])
  expect(() => inOrder([twice, twice])).toThrow('the migration 017_twice is listed twice')
})
