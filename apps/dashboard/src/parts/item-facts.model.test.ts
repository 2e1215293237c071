import { blankItem } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { factsOf } from './item-facts.model.ts'

const plain = blankItem({
  number: 1,
  title: 'Item 1',
  state: 'building',
  createdAt: '2026-11-15T12:00:00.000Z',
})

test.each([
  [{}, []],
  [{ attempts: 1 }, ['1 attempt']],
  [{ attempts: 3, claimedByAgentId: 'agent-2' }, ['agent-2', '3 attempts']],
  [{ attempts: 1, needsRework: true }, ['1 attempt', 'to be reworked']],
])('the facts of %o are %j', (more, facts) => {
  expect(factsOf({ ...plain, ...more })).toEqual(facts)
})
