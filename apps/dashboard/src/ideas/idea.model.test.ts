import type { Artifact, IdeaDocument } from '@treadle/contracts/idea'
import { expect, test } from 'vitest'
import { cardsOf, documentsOf, hasBrief, longTextOf, modeWords, phaseBadge, stepsOf } from './idea.model.ts'

test.each([
  ['EXPLORING', 'now next next next next'],
  ['VALIDATING', 'done done now next next'],
  ['COMPLETE', 'done done done done done'],
] as const)('the steps of an idea at %s are %s', (phase, wanted) => {
  expect(
    stepsOf(phase)
      .map(({ is }) => is)
      .join(' '),
  ).toBe(wanted)
})

const artifact = (given: Partial<Artifact>): Artifact => ({
  type: 'problem',
  summary: 'It hurts',
  text: 'It hurts',
  confidence: 0.5,
  by: 'person',
  ...given,
})

test('a card shows the last artifact of its type; a brief is a document and no card', () => {
  const cards = cardsOf([
    artifact({ text: 'first' }),
    artifact({ type: 'brief' }),
    artifact({ text: 'second' }),
  ])
  expect(cards.map(({ type, artifact: known }) => [type, known?.text ?? null])).toEqual([
    ['target-user', null],
    ['problem', 'second'],
    ['solution-concept', null],
    ['differentiator', null],
    ['mvp-features', null],
  ])
})

test('a short text is shown as it is, of a long one the summary first', () => {
  expect(longTextOf({ text: 'a\nb' })).toBeNull()
  expect(longTextOf({ text: 'a'.repeat(401) })).toHaveLength(401)
})

const document = (path: string, state: IdeaDocument['state']): IdeaDocument => ({
  path,
  state,
  besidePath: state === 'beside' ? `${path}.beside` : null,
  why: null,
})

test('documents are named within their folder, with what stands beside them', () => {
  const folder = 'users/ada/ideas/tea'
  const documents = [
    document(`${folder}/README.md`, 'edited'),
    document(`${folder}/planning/brief.md`, 'beside'),
  ]
  expect(
    documentsOf({ folder, documents }).map(({ name, words, besidePath }) => [name, words, besidePath]),
  ).toEqual([
    ['README.md', 'Edited by you', null],
    ['planning/brief.md', 'Edited by you', 'planning/brief.md.beside'],
  ])
})

test.each([
  ['written', true],
  ['edited', true],
  ['missing', false],
] as const)('a brief that is %s can become a specification: %s', (state, expected) => {
  expect(hasBrief({ documents: [document('users/a/ideas/b/planning/brief.md', state)] })).toBe(expected)
})

test('an idea says who answers, and that it is archived', () => {
  expect(modeWords({ mode: 'interview', engine: null })).toBe('Interview')
  expect(modeWords({ mode: 'engine', engine: 'claude-code' })).toBe('with claude-code')
  expect(phaseBadge({ phase: 'COMPLETE', status: 'archived' }).words).toBe('Archived')
})
