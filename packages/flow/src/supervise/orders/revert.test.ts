import { expect, test } from 'vitest'
import { COMMIT, sampleItem } from '../../work/testing/sample.ts'
import { decideRevert, type RevertFacts, revertItem } from './revert.ts'

const merged = sampleItem({ number: 12, title: 'Add subtract', state: 'done', mergeCommit: COMMIT })
const reverts = { number: 12, commit: COMMIT }
const facts: RevertFacts = {
  item: merged,
  target: 'main',
  revert: null,
  inverse: { changed: 2, conflicts: [] },
}

test('a merge whose changes are there is taken back by a new item', () => {
  expect(decideRevert(facts)).toEqual({ is: 'add', reverts })
  expect(decideRevert({ ...facts, inverse: { changed: 0, conflicts: ['a.js'] } }).is).toBe('add')
})

test('a revert that is under way is the answer to the same order', () => {
  const revert = sampleItem({ number: 15, state: 'in_review', reverts })
  expect(decideRevert({ ...facts, revert })).toEqual({ is: 'open', item: revert, reverts })
})

test.each([
  ['is not merged', { item: sampleItem({ number: 12, state: 'in_review' }) }, 'treadle withdraw 12'],
  ['is not merged', { item: sampleItem({ number: 12, state: 'done' }) }, 'handed over as a branch'],
  [
    'is taken back already, by #15',
    { revert: sampleItem({ number: 15, state: 'done', reverts }) },
    'revert 15',
  ],
  ['is not in the history of main any more', { inverse: null }, 'git log main'],
  ['Nothing of what #12 brought is left', { inverse: { changed: 0, conflicts: [] } }, 'git diff'],
] as const)('refused: %s', (why, change, hint) => {
  expect(decideRevert({ ...facts, ...change })).toEqual({
    is: 'refuse',
    why: expect.stringContaining(why),
    hint: expect.stringContaining(hint),
  })
})

test('the item says what it takes back, and what stands in the way', () => {
  const plain = revertItem(merged, reverts, [])
  expect(plain).toMatchObject({
    title: 'Revert #12: Add subtract',
    priority: 0,
    mayChangeTests: false,
    reverts,
  })
  expect(plain.body).toContain(COMMIT)
  expect(plain.body).not.toContain('Later work')
  const held = revertItem({ ...merged, title: 'x'.repeat(300) }, reverts, ['a.js', 'b.js'])
  expect(held.body).toContain('cannot be taken back by itself in a.js, b.js')
  expect(held.title).toHaveLength(300)
})
