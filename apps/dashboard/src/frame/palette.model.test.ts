import { blankItem } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { find } from './palette.model.ts'

const items = ['Fix the cart', 'Cart totals', 'Go faster'].map((title, at) =>
  blankItem({ number: at + 1, title, createdAt: '2026-11-15T12:00:00.000Z' }),
)
const words = (typed: string) => find(typed, items).map((found) => found.words)

test.each([
  ['cart', ['#1 Fix the cart', '#2 Cart totals']],
  ['CART total', ['#2 Cart totals']],
  ['#3', ['#3 Go faster']],
  ['2', ['#2 Cart totals']],
  ['go work', ['Go to Work']],
  ['stop', ['Emergency stop all']],
  ['nothing like it', []],
])('%j finds %j', (typed, wanted) => {
  expect(words(typed)).toEqual(wanted)
})

test('without a word the places come first', () => {
  expect(words('').slice(0, 4)).toEqual(['Go to Now', 'Go to Work', 'Go to Review', 'Go to Insights'])
})
