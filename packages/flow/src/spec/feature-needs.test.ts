// What one feature needs of another, told by words.
import { describe, expect, test } from 'vitest'
import { needsOf } from './feature-needs.ts'
import type { Feature } from './features.ts'

describe('what one feature needs of another', () => {
  const all = { requiresData: true, hasEntities: true, hasAPI: true, hasUI: true }
  const made = (name: string, description: string, kind: Partial<typeof all> = all): Feature => ({
    name,
    description,
    details: [],
    slug: name.toLowerCase().replaceAll(' ', '-'),
    kind: { requiresData: false, hasEntities: false, hasAPI: false, hasUI: true, ...kind },
  })
  const named = (features: readonly Feature[]) =>
    features.map(({ name }, at) => [name, [...needsOf(features).values()][at]?.map((each) => each.name)])

  test('whoever finds, orders or rates bicycles needs the listings of bicycles, whatever the order of the brief', () => {
    const listings = made('Bicycle listings', 'sellers create and delete a bicycle')
    const search = made('Search', 'buyers filter bicycles by size', { hasAPI: true })
    const orders = made('Orders', 'a buyer reserves a bicycle')
    const reviews = made('Reviews', 'buyer and seller rate each other')
    expect(named([search, listings, orders, reviews])).toEqual([
      ['Search', ['Bicycle listings']],
      ['Bicycle listings', []],
      ['Orders', ['Bicycle listings']],
      ['Reviews', []],
    ])
  })

  test('two that speak of each other make no circle, and a word that only qualifies a name is no thing', () => {
    const orders = made('Orders', 'what customers buy')
    const customers = made('Customers', 'people with their orders')
    const report = made('Weekly report', 'what was sold')
    const mail = made('Mails', 'a weekly mail about an order', {})
    expect(named([orders, customers, report, mail])).toEqual([
      ['Orders', []],
      ['Customers', ['Orders']],
      ['Weekly report', []],
      ['Mails', ['Orders']],
    ])
  })

  test('very many features that all speak of each other are told apart in no time', () => {
    const many = Array.from({ length: 60 }, (_, nth) => made(`Thing ${nth}`, 'a thing for each thing'))
    const needs = needsOf(many)
    expect(needs.get(many[0] as Feature)).toEqual([])
    expect(needs.get(many[59] as Feature)).toHaveLength(59)
  })
})
