import type { LineComment } from '@treadle/contracts/delivery'
import { expect, test } from 'vitest'
import {
  NO_MARKS,
  readMarks,
  requestProblem,
  requestWords,
  toggled,
  withDraft,
  withoutDraft,
} from './marks.model.ts'

const draft: LineComment = { path: 'a.ts', line: 1, side: 'new', text: 'Why?' }

test('what is kept in the browser is read back, and what is broken there was never noted', () => {
  const kept = { viewed: ['a.ts'], drafts: [draft], words: 'x', ticked: [] }
  expect(readMarks(JSON.stringify(kept))).toEqual(kept)
  for (const text of [null, '', '[', '"x"', '{"viewed":1,"drafts":[{}]}'])
    expect(readMarks(text)).toEqual(NO_MARKS)
})

test('a line has one comment, a side of its own another', () => {
  const both = withDraft([draft], { ...draft, side: 'old' })
  expect(withDraft(both, { ...draft, text: 'Really?' })).toHaveLength(2)
  expect(withoutDraft(both, draft)).toEqual([{ ...draft, side: 'old' }])
})

test('a request needs words, on a line or in general', () => {
  expect(requestProblem(' ', [])).not.toBeNull()
  expect(requestProblem('', [draft])).toBeNull()
  expect([0, 1, 2].map(requestWords)).toEqual([
    'Request changes',
    'Request changes (1 comment)',
    'Request changes (2 comments)',
  ])
  expect(toggled(toggled([], 'a'), 'a')).toEqual([])
})
