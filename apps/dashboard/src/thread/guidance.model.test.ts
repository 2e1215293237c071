import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { SaidGuidance } from '@treadle/contracts/routes/runs'
import { expect, test } from 'vitest'
import { shownGuidance } from './guidance.model.ts'

const AT = '2026-11-15T12:00:00.000Z'
const said = (id: string, given: Partial<SaidGuidance['guidance']> = {}): SaidGuidance => ({
  cursor: '1.1',
  at: AT,
  guidance: { id, by: 'owner', text: `words ${id}`, answers: null, ...given },
})
const event = (of: object) => ({ event: of as TreadleEvent }) as StoredEvent

test('what a run has heard is told from what it has not', () => {
  const events = [
    event({ type: 'run.guided', guidance: { id: 'a' } }),
    event({ type: 'run.heard', guidance: ['a'] }),
    event({ type: 'run.guided', guidance: { id: 'b' } }),
  ]
  const arrived = (atWork: boolean) =>
    shownGuidance([said('a'), said('b'), said('old')], events, atWork).map((each) => each.arrived)
  // Guidance older than the events that were read: whether it was taken in is not known.
  expect(arrived(true)).toEqual(['Read', 'Not read yet', null])
  expect(arrived(false)).toEqual(['Read', null, null])
})

test('an answer says what it answers', () => {
  const events = [event({ type: 'run.asked', question: { id: 'q1', title: 'Which one?' } })]
  expect(shownGuidance([said('a', { answers: 'q1' })], events, true)[0]?.about).toBe('Which one?')
  expect(shownGuidance([said('a', { about: 'Asked before' })], events, true)[0]?.about).toBe('Asked before')
  expect(shownGuidance([said('a')], events, true)[0]?.about).toBeNull()
})
