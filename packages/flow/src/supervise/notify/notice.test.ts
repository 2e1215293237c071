import { StoredEvent, type TreadleEvent } from '@treadle/contracts/event'
import { NewNotification } from '@treadle/contracts/notification'
import { SAMPLES } from '@treadle/contracts/words/samples'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { readReply } from '../../ask/reply.ts'
import { attemptedIn, NOT_ATTEMPTED } from './escalation.ts'
import { mayBeTold, type NoticeFacts, noticeOf } from './notice.ts'
import { settledBy } from './settled.ts'

const RUN = '3f0c8a52-5c1e-4d8e-9b1a-0c6d1f1f2a11'
const QUESTION = 'b4c4f2b4-93b2-4d53-8a35-df4c3f0c7e01'
const FACTS: NoticeFacts = {
  approval: 'human',
  title: 'Prices are rounded',
  attempted: { runId: RUN, attempts: [1, 2, 3, 4] },
  asked: null,
}

function stored(event: TreadleEvent, more: Partial<StoredEvent> = {}): StoredEvent {
  const at = '2026-11-15T12:00:00.000Z'
  const item = { projectNumber: 1, number: 4 }
  const place = { cursor: '1.1', id: 'event-1-id', at, item, agentId: 'agent-1', runId: RUN, state: null }
  return StoredEvent.parse({ ...place, event, ...more })
}
const escalated = stored({ type: 'item.escalated', why: 'the sum is wrong' }, { state: 'escalated' })

verifies(
  'META-ESC-8',
  'an escalation is told in plain words: what it is about, how often it was tried, why',
  () => {
    expect(noticeOf(escalated, FACTS)).toMatchObject({
      type: 'item.escalated',
      level: 'error',
      title: '#4 needs you: Prices are rounded',
      text: 'Treadle tried 4 times, did not get it right, and stopped, so that you can decide.\nthe sum is wrong\nNothing of it was merged.',
      subject: 'item 1/4',
      item: { projectNumber: 1, number: 4 },
    })
  },
)

verifies('META-ESC-9', 'an escalation says what can be done now, each with what to type', () => {
  const commands = noticeOf(escalated, FACTS)?.nextSteps.map(({ command }) => command)
  expect(commands?.[0]).toBe('treadle explain 4')
  expect(commands?.slice(-2)).toEqual(['treadle reopen 4', 'treadle withdraw 4'])
  const elsewhere = stored(escalated.event, { state: 'escalated', item: { projectNumber: 2, number: 4 } })
  expect(noticeOf(elsewhere, FACTS)?.nextSteps.at(-1)?.command).toBe('treadle withdraw 4 --project 2')
})

verifies('META-ESC-10', 'an escalation offers to explain any attempt, by its own command', () => {
  const steps = noticeOf(escalated, FACTS)?.nextSteps ?? []
  expect(steps.filter(({ label }) => /^Have attempt \d explained$/.test(label))).toEqual(
    [1, 2, 3, 4].map((attempt) => ({
      label: `Have attempt ${attempt} explained`,
      command: `treadle explain ${RUN} ${attempt}`,
    })),
  )
  const none = noticeOf(escalated, { ...FACTS, attempted: NOT_ATTEMPTED })
  expect(none?.nextSteps.some(({ label }) => label.startsWith('Have attempt'))).toBe(false)
})

test('the attempts of a run are the build and its improvements, each once', () => {
  const record = (phase: string, iteration: number) => ({ phase, iteration })
  const history = [record('build', 0), record('test', 0), record('improve', 1), record('improve', 1)]
  expect(attemptedIn({ id: RUN, history: history as never })).toEqual({ runId: RUN, attempts: [1, 2] })
})

test.each<[string, TreadleEvent]>([
  ['a build that failed for good', SAMPLES['build.failed'][0]],
  ['checks that failed for good', SAMPLES['verify.failed'][0]],
  ['a deadline', SAMPLES['deadline.passed'][0]],
  ['one rejection too many', SAMPLES['review.rejected'][0]],
])('an item that is escalated by %s is told as such', (_, event) => {
  expect(noticeOf(stored(event, { state: 'escalated' }), FACTS)).toMatchObject({ type: 'item.escalated' })
  expect(noticeOf(stored(event, { state: 'todo' }), FACTS)).toBeNull()
})

test('every event that is told makes a notification that can be kept', () => {
  const told = Object.values(SAMPLES).flatMap(([event]) => {
    const notice = noticeOf(stored(event), FACTS)
    if (notice !== null) expect(() => NewNotification.parse(notice)).not.toThrow()
    expect(notice === null || mayBeTold(stored(event))).toBe(true)
    return notice === null ? [] : [[event.type, notice.level]]
  })
  expect(Object.fromEntries(told)).toMatchObject({
    'question.asked': expect.any(String),
    'owner.notified': 'warning',
    'budget.crossed': 'error',
    'engine.suspended': 'error',
    'engine.rested': 'warning',
    'environment.not_ready': 'error',
    'agent.crashed': 'warning',
    'daemon.crashed': 'error',
    'review.escalated': 'warning',
    'lesson.judged': 'info',
  })
})

const asked = (blocking: boolean) =>
  stored({
    type: 'question.asked',
    question: { id: QUESTION, number: 7, type: 'blocking', blocking, agent: 'agent-1', text: 'Which one?' },
  })

test.each([
  [true, 'warning', 'agent-1 waits for your answer about #4'],
  [false, 'info', 'agent-1 has a question about #4'],
])('a question, blocking: %s', (blocking, level, title) => {
  expect(noticeOf(asked(blocking), FACTS)).toMatchObject({
    level,
    title,
    blocking,
    text: blocking ? 'Which one?\nThe work waits until you answer.' : 'Which one?',
    questionId: QUESTION,
    subject: `question ${QUESTION}`,
    nextSteps: [{ command: 'treadle answer 7 "…"' }, { command: 'treadle questions' }],
  })
})

test('a question is told with its options, the recommended one, and what happens without an answer', () => {
  const kept = {
    context: 'Both are in use.',
    options: [{ label: 'A', recommended: true }, { label: 'B' }],
    allowFreeText: false,
    defaultOption: 'A',
    dueAt: '2026-11-16T12:00:00.000Z',
  }
  expect(noticeOf(asked(false), { ...FACTS, asked: kept })).toMatchObject({
    text: 'Which one?\nBoth are in use.\nWithout an answer by 2026-11-16T12:00:00.000Z: A',
    nextSteps: [
      { label: 'A (recommended)', command: 'treadle answer 7 1' },
      { label: 'B', command: 'treadle answer 7 2' },
      { command: 'treadle questions' },
    ],
  })
})

test.each([
  [['Skip it', 'Try this...', 'Think…'], false],
  [['2', '3', '5'], true],
  [['1', 'another'], true],
])('what is offered for the options %j is taken as that option', (labels, allowFreeText) => {
  const options = labels.map((label) => ({ label }))
  const kept = { context: '', options, allowFreeText, dueAt: null }
  const steps = noticeOf(asked(true), { ...FACTS, asked: kept })?.nextSteps ?? []
  const typed = steps
    .slice(0, labels.length)
    .map(({ command }) => command?.replace('treadle answer 7 ', '') ?? '')
  expect(typed.map((text) => readReply(kept, text.replace(/^"(.*)…"$/, '$1with words')))).toMatchObject(
    labels.map((option) => ({ is: 'answer', option })),
  )
})

test('a delivery is told only where a person has to say yes', () => {
  const passed = stored(SAMPLES['verify.passed'][0], { state: 'in_review' })
  expect(noticeOf(passed, FACTS)).toMatchObject({ type: 'review.waiting', text: 'Prices are rounded' })
  expect(noticeOf(passed, { ...FACTS, approval: 'checks' })).toBeNull()
})

test('what an escalation says already is not told a second time', () => {
  const event = SAMPLES['owner.notified'][0]
  expect(noticeOf(stored(event, { state: 'escalated' }), FACTS)).toBeNull()
})

test('hostile words lose what could move a cursor or turn the line around, and are cut', () => {
  const why = `\u001b[2J\u0007red\u202egreen\r\nnext ${'x'.repeat(3_900)}`
  const text = noticeOf(stored({ type: 'item.escalated', why }, { state: 'escalated' }), FACTS)?.text ?? ''
  expect(text).toContain(' [2J red green\nnext')
  expect(text.length).toBeLessThanOrEqual(1_500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must be gone.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
})

const by = 'ada'
const answer = { questionId: QUESTION, number: 7, text: 'B', option: null, by, how: 'person' as const }
test.each<[TreadleEvent, string, string]>([
  [{ type: 'item.reopened', by }, 'item 1/4', 'item.escalated'],
  [{ type: 'item.withdrawn', by }, 'item 1/4', 'item.escalated'],
  [SAMPLES['review.approved'][0], 'item 1/4', 'review.waiting'],
  [SAMPLES['review.rejected'][0], 'item 1/4', 'review.waiting'],
  [{ type: 'question.answered', ...answer }, `question ${QUESTION}`, 'question.asked'],
  [{ type: 'question.defaulted', ...answer, how: 'default' }, `question ${QUESTION}`, 'question.reminded'],
  [
    { type: 'question.withdrawn', questionId: QUESTION, number: 7, why: 'x' },
    `question ${QUESTION}`,
    'question.asked',
  ],
])('%o settles what was told of it', (event, subject, type) => {
  expect(settledBy(stored(event))).toMatchObject({ subject, types: expect.arrayContaining([type]) })
})

test('a rejection does not settle the escalation that it brings', () => {
  expect(settledBy(stored(SAMPLES['review.rejected'][0]))?.types).not.toContain('item.escalated')
  expect(settledBy(stored(SAMPLES['verify.failed'][0]))).toBeNull()
})

test('of a task of a build the owner is told when the build has given it up, and not of each attempt', () => {
  const task = { ...FACTS, isTask: true }
  expect(noticeOf(escalated, task)).toBeNull()
  const passed = stored(SAMPLES['verify.passed'][0], { state: 'in_review' })
  expect(noticeOf(passed, FACTS)).toMatchObject({ type: 'review.waiting' })
  expect(noticeOf(passed, task)).toBeNull()
  const [failed] = SAMPLES['task.failed']
  expect(noticeOf(stored(failed, { item: null }), FACTS)).toBeNull()
  expect(noticeOf(stored({ ...failed, decision: 'ESCALATE' }, { item: null }), FACTS)).toMatchObject({
    subject: 'build shopping-list T3',
    nextSteps: [{ command: 'treadle build show shopping-list' }],
  })
  expect(noticeOf(stored(SAMPLES['build.stopped'][0], { item: null }), FACTS)).toMatchObject({
    title: 'The build of shopping-list stopped',
    text: 'Stop signal received',
  })
})
