import type { Conflict } from '@treadle/contracts/conflict'
import { blankItem } from '@treadle/contracts/item'
import type { QuestionRecord } from '@treadle/contracts/question'
import { expect, test } from 'vitest'
import { entriesOf, keyMeans } from './queue.model.ts'

const question = (number: number, given: Partial<QuestionRecord>) =>
  ({
    number,
    status: 'open',
    blocking: false,
    item: null,
    dueAt: null,
    agent: 'agent-1',
    sessionId: '',
    askedAt: `2026-11-15T1${number}:00:00.000Z`,
    ...given,
  }) as QuestionRecord
const item = (number: number) => blankItem({ number, title: 'x', createdAt: '2026-11-15T12:00:00.000Z' })

test('who stands still comes first, and nothing is said twice', () => {
  const entries = entriesOf({
    questions: [
      question(2, {}),
      question(1, { blocking: true, item: { projectNumber: 1, number: 7 } }),
      question(0, { blocking: true }),
      question(3, { status: 'answered' }),
    ],
    items: [item(7), item(8), item(9)],
    conflicts: [{ id: 4, projectNumber: 1, issueNumber: 9 } as Conflict],
  })
  expect(entries.map(({ key }) => key)).toEqual(['q0', 'q1', 'i1/8', 'c4', 'q2'])
})

test('what is asked in a talk about an idea waits there, and not in the queue', () => {
  const questions = [question(1, { agent: 'ideation', sessionId: 'shopping-list' }), question(2, {})]
  expect(entriesOf({ questions, items: [], conflicts: [] }).map(({ key }) => key)).toEqual(['q2'])
})

test.each([
  ['j', { is: 'move', by: 1 }],
  ['k', { is: 'move', by: -1 }],
  ['1', { is: 'choose', option: 0 }],
  ['9', { is: 'choose', option: 8 }],
  ['0', null],
  ['Enter', null],
] as const)('the key %s', (key, means) => {
  expect(keyMeans(key)).toEqual(means)
})
