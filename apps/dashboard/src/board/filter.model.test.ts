import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { filterItems, sortItems } from './filter.model.ts'
import { EVERYTHING, type WorkQuery } from './work-query.model.ts'

const item = (number: number, more: Partial<Item> = {}) =>
  blankItem({ number, title: `Item ${number}`, createdAt: '2026-11-15T12:00:00.000Z', ...more })
const items = [
  item(1, { title: 'Round the total', labels: ['cart'], priority: 0, engine: 'claude-code' }),
  item(2, {
    title: 'Total of an empty cart',
    state: 'in_review',
    evidence: { level: 'proven', why: 'red, then green' },
  }),
  item(3, { title: 'Write a page', state: 'building', claimedByAgentId: 'agent-2' }),
]

test.each<[Partial<WorkQuery>, number[]]>([
  [{}, [1, 2, 3]],
  [{ text: 'CART total' }, [1, 2]],
  [{ text: '#3' }, [3]],
  [{ text: 'nothing like it' }, []],
  [{ state: 'in_review' }, [2]],
  [{ priority: '0' }, [1]],
  [{ priority: 'none' }, [2, 3]],
  [{ engine: 'repair' }, [2, 3]],
  [{ agent: 'agent-2' }, [3]],
  [{ evidence: 'proven', text: 'total' }, [2]],
])('%j lets %j through', (query, numbers) => {
  const through = filterItems(items, { ...EVERYTHING, ...query }, 'repair')
  expect(through.map(({ number }) => number)).toEqual(numbers)
})

test('without a filter the list is the same object', () => {
  expect(filterItems(items, EVERYTHING, 'repair')).toBe(items)
})

test.each<[Pick<WorkQuery, 'sort' | 'isDown'>, number[]]>([
  [{ sort: 'queue', isDown: false }, [1, 3, 2]],
  [{ sort: 'number', isDown: true }, [3, 2, 1]],
  [{ sort: 'title', isDown: false }, [1, 2, 3]],
  [{ sort: 'evidence', isDown: true }, [2, 3, 1]],
  [{ sort: 'cost', isDown: true }, [3, 2, 1]],
])('by %j the list is %j', (query, numbers) => {
  const costs = new Map([['1/3', 2]])
  expect(sortItems(items, query, costs).map(({ number }) => number)).toEqual(numbers)
})
