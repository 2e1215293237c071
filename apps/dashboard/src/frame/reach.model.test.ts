import { blankItem } from '@treadle/contracts/item'
import type { QuestionRecord } from '@treadle/contracts/question'
import { expect, test } from 'vitest'
import type { Entry } from '../queue/queue.model.ts'
import { noticeOf, pressedMeans } from './reach.model.ts'

const askedAt = '2026-11-15T12:00:00.000Z'
const question = (labels: readonly string[], more: object = {}): Entry => ({
  is: 'question',
  key: 'q1',
  question: {
    id: 'the-question',
    number: 1,
    agent: 'build',
    text: 'Which database?',
    blocking: true,
    askedAt,
    options: labels.map((label) => ({ label })),
    ...more,
  } as unknown as QuestionRecord,
})
const item = (state: 'in_review' | 'escalated'): Entry => ({
  is: 'item',
  key: 'i1/4',
  item: blankItem({ number: 4, title: 'Count units', createdAt: askedAt, state }),
})
const wordsOf = (entry: Entry, mayAnswer = true) =>
  noticeOf(entry, mayAnswer).buttons.map(({ title }) => title)

test.each([
  ['two options are two buttons', question(['Postgres', 'SQLite']), true, ['Postgres', 'SQLite']],
  ['more options than buttons', question(['One', 'Two', 'Three']), true, ['Answer']],
  ['an option that wants words', question(['Another…', 'None']), true, ['Answer']],
  ['several may be chosen', question(['One', 'Two'], { multiple: true }), true, ['Answer']],
  ['no options', question([]), true, ['Answer']],
  ['a page that may not answer', question(['Postgres', 'SQLite']), false, ['Answer']],
  [
    'a delivery is approved nowhere but beside its diff',
    item('in_review'),
    true,
    ['Review', 'Open the item'],
  ],
  ['an escalation', item('escalated'), true, ['See why']],
] as const)('%s: %s', (_, entry, mayAnswer, words) => {
  expect(wordsOf(entry, mayAnswer)).toEqual(words)
})

test('a button answers with the words of its option, and a notification leads to where its entry is', () => {
  const long = 'a'.repeat(60)
  const asked = noticeOf(question([long, 'SQLite']), true)
  expect(asked.buttons[0]?.title).toHaveLength(40)
  expect(pressedMeans('answer-0', asked.data)).toMatchObject({
    is: 'answer',
    question: 'the-question',
    text: long,
  })
  expect(pressedMeans('', asked.data)).toEqual({ is: 'go', href: '#/review' })
  const waiting = noticeOf(item('in_review'), true)
  expect(pressedMeans('open', waiting.data)).toEqual({ is: 'go', href: '#/review/1/4' })
  expect(pressedMeans('item', waiting.data)).toEqual({ is: 'go', href: '#/item/1/4' })
})
