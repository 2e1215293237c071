import { expect, test } from 'vitest'
import { countFilters, EVERYTHING, readWorkQuery, writeWorkQuery } from './work-query.model.ts'

test('an address without a query shows everything, and says nothing', () => {
  expect(readWorkQuery('')).toEqual(EVERYTHING)
  expect(writeWorkQuery(EVERYTHING)).toBe('')
  expect(countFilters(EVERYTHING)).toBe(0)
})

test('every part comes back as it was written, whatever is in the text', () => {
  const query = {
    view: 'list',
    state: 'in_review',
    priority: 'none',
    engine: 'claude-code',
    agent: 'agent-2',
    evidence: 'proven',
    text: '<b>&view=graph# \u202e“',
    sort: 'updated',
    isDown: true,
  } as const
  expect(readWorkQuery(writeWorkQuery(query))).toEqual(query)
  expect(countFilters(query)).toBe(6)
})

test.each([
  'view=canvas',
  'state=gone',
  'priority=-1',
  'priority=1e9',
  'agent=%3Cscript%3E',
  'evidence=high',
  'sort=__proto__',
  'down=yes',
])('%s names nothing and is left out', (query) => {
  expect(readWorkQuery(query)).toEqual(EVERYTHING)
})

test('a text of any length is cut', () => {
  expect(readWorkQuery(`q=${'a'.repeat(10_000)}`).text).toHaveLength(200)
})
