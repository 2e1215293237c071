import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { Question } from '@treadle/contracts/paor'
import { expect, test } from 'vitest'
import { decideAnswers, isWaiting, openQuestion } from './waiting.ts'

const RUN = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const NOW = new Date('2026-01-01T12:00:00.000Z')

const question = (id: string, kind: Question['kind'] = 'guidance'): Question => ({
  id,
  kind,
  title: 'Which one?',
  options: [],
})

function stored(event: TreadleEvent, runId = RUN): StoredEvent {
  const at = NOW.toISOString()
  const item = { projectNumber: 1, number: 1 }
  return { cursor: '1.1', id: 'event-000', at, item, agentId: null, runId, state: 'building', event }
}
const asked = (id: string, runId = RUN) => stored({ type: 'run.asked', question: question(id) }, runId)
const said = (answers: string | null) =>
  stored({ type: 'run.guided', guidance: { id: RUN, by: 'owner', text: 'This one', answers } })
const planned = stored({
  type: 'run.planned',
  plan: {
    iteration: 2,
    tasks: [{ id: 'a', text: 'Search', dependsOn: [], by: 'self' }],
    scope: [],
    guidance: [],
    why: '',
  },
})
const concluded = stored({
  type: 'run.concluded',
  end: { outcome: 'unrecoverable', iterations: 2, summary: '' },
})
const paused = (until: string) => stored({ type: 'run.paused', until, why: 'used up' })

test.each([
  ['nothing was asked', [said(null)], null],
  ['it was asked', [asked('a')], 'a'],
  ['it was answered', [asked('a'), said('a')], null],
  ['something else was said', [asked('a'), said(null)], 'a'],
  ['an earlier one was answered', [asked('a'), said('a'), asked('b')], 'b'],
  ['the same id is asked again after its answer', [asked('a'), said('a'), asked('a')], 'a'],
  ['another run has asked', [asked('a', OTHER)], null],
  ['it was planned anew since', [asked('a'), planned], null],
  ['it was asked after the plan', [planned, asked('a')], 'a'],
  ['the goal has ended', [asked('a'), concluded], null],
])('the open question, where %s', (_, events, id) => {
  expect(openQuestion(events, RUN)?.question.id ?? null).toBe(id)
})

test.each([
  ['a question is open', [asked('a')], true],
  ['it was answered', [asked('a'), said('a')], false],
  ['a limit of use ends later', [paused('2026-01-01T12:00:01.000Z')], true],
  ['a limit of use has ended', [paused('2026-01-01T12:00:00.000Z')], false],
  ['nothing was said of it', [], false],
])('a run waits or not, where %s', (_, events, waits) => {
  expect(isWaiting(events, RUN, NOW)).toBe(waits)
})

const open = (kind: Question['kind']) => ({ question: question('a', kind), askedAt: NOW.toISOString() })
test.each([
  [null, null, 'free'],
  ['a', null, 'not_asked'],
  ['b', open('choice'), 'not_asked'],
  ['a', open('choice'), 'answer'],
  // Words that name no question answer the one that wants nothing but words.
  [null, open('guidance'), 'answer'],
  [null, open('choice'), 'free'],
  [null, open('permission'), 'free'],
] as const)('words that name %j, with %j open: %s', (named, given, is) => {
  expect(decideAnswers(named, given).is).toBe(is)
})
