import { NewQuestion, type Preference, QuestionRecord, QuestionType } from '@treadle/contracts/question'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import {
  type AskFacts,
  decideAsk,
  decideDue,
  decideFollowUp,
  decideLearning,
  decideTimes,
  isBlocking,
} from './decide.ts'
import { answerIn } from './question-context.ts'
import { keyOf } from './question-key.ts'
import { readReply } from './reply.ts'

const NOW = new Date('2026-01-02T12:00:00.000Z')
const ID = '00000000-0000-4000-8000-000000000001'
const SETTINGS = { autonomy: 'ask', celebrate: false, expireAfter: '24h', remindAfter: null } as const
const LEVELS = [{ label: 'Quick' }, { label: 'Thorough', recommended: true }]

function ask(given: Partial<NewQuestion> = {}): NewQuestion {
  return NewQuestion.parse({
    type: 'confirming',
    agent: 'build',
    event: 'something',
    text: 'Which level?',
    context: 'It matters.',
    options: LEVELS,
    tags: ['level'],
    ...given,
  })
}

function facts(given: Partial<NewQuestion> = {}, more: Partial<AskFacts> = {}): AskFacts {
  const none = { said: [], conventions: '', preference: null, recent: [] }
  return { question: ask(given), settings: SETTINGS, ...none, ...more }
}

function record(given: Partial<QuestionRecord> = {}): QuestionRecord {
  const { blocking: _, ...asked } = ask({ type: given.type ?? 'confirming', defaultOption: 'Quick' })
  return QuestionRecord.parse({
    ...asked,
    id: ID,
    number: 1,
    blocking: false,
    status: 'open',
    askedAt: NOW.toISOString(),
    remindedAt: null,
    dueAt: null,
    answer: null,
    ...given,
  })
}

const answer = (text: string, how: 'person' | 'default' = 'person', option: string | null = text) => ({
  text,
  option,
  by: 'ada',
  at: NOW.toISOString(),
  how,
})
const preference: Preference = {
  id: 1,
  agent: 'build',
  event: null,
  tags: [],
  text: '',
  answer: 'Quick',
  option: 'Quick',
  by: 'ada',
  learnedAt: NOW.toISOString(),
  used: 0,
  usedAt: null,
}
const is = (given: AskFacts) => {
  const choice = decideAsk(given)
  return choice.is === 'answer' ? [choice.how, choice.text] : choice.is
}

verifies('AGENT-QUESTION-42', 'only a question of the type blocking blocks, unless it says otherwise', () => {
  const blocks = QuestionType.options.filter((type) => isBlocking({ type }))
  expect(blocks).toEqual(['blocking'])
  expect(isBlocking({ type: 'confirming', blocking: true })).toBe(true)
})

verifies(
  ['AGENT-QUESTION-4', 'AGENT-QUESTION-6', 'AGENT-QUESTION-47'],
  'a question is asked, unless it only marks progress, or the person said that the agent is to decide',
  () => {
    expect(is(facts())).toBe('ask')
    expect(is(facts({ type: 'celebratory' }))).toBe('skip')
    expect(is(facts({ type: 'celebratory' }, { settings: { ...SETTINGS, celebrate: true } }))).toBe('ask')
    for (const said of ['Just do it.', 'Please use your judgment here', 'use your judgement']) {
      expect(is(facts({ defaultOption: 'Quick' }, { said: ['Title', said] }))).toEqual(['judgement', 'Quick'])
      expect(is(facts({}, { said: [said] }))).toEqual(['judgement', 'Thorough'])
      expect(is(facts({ options: [{ label: 'One' }] }, { said: [said] }))).toBe('skip')
    }
    for (const said of [
      'I will do it just now',
      "Please don't just do it.",
      'Do not use your judgement here',
    ])
      expect([said, is(facts({ defaultOption: 'Quick' }, { said: [said] }))]).toEqual([said, 'ask'])
    expect(is(facts({ defaultOption: 'Quick' }, { said: ['Not now. Just do it!'] }))).toEqual([
      'judgement',
      'Quick',
    ])
    const settings = { ...SETTINGS, autonomy: 'judgement' } as const
    // What blocks gives way only where a default exists.
    expect(is(facts({ type: 'blocking', defaultOption: 'Quick' }, { settings }))).toEqual([
      'judgement',
      'Quick',
    ])
    expect(is(facts({ type: 'blocking' }, { settings }))).toBe('ask')
  },
)

verifies('AGENT-QUESTION-44', 'what is written down is not asked', () => {
  const asked = ask({ type: 'preference' })
  const found = (text: string) => answerIn(asked, [text], false)?.text ?? null
  for (const text of [
    'level: quick',
    '- **Level**: Quick',
    '* level : Quick.',
    'As the level we use Quick here',
  ])
    expect([text, found(text)]).toEqual([text, 'Quick'])
  expect(found('level: whatever fits')).toBe('whatever fits')
  for (const text of [
    'levels: quick',
    'level: not quick',
    'Which level? Quick?',
    'Quick',
    'level Quick or Thorough',
  ])
    expect([text, found(text)]).toEqual([text, null])
  expect(answerIn(ask({ allowFreeText: true }), ['level: whatever fits'], false)).toBeNull()
  const short = ask({ options: ['All', 'Add', 'Yes'].map((label) => ({ label })) })
  for (const text of ['Install the level', 'The level address', 'The level of yesterday'])
    expect([text, answerIn(short, [text], false)]).toEqual([text, null])
  // What holds somebody up is answered only by an option as it stands.
  expect(answerIn(ask(), ['As the level we use Quick here', 'level: Quick, mostly'], true)).toBeNull()
  expect(answerIn(ask(), ['level: quick'], true)).toEqual({ text: 'Quick', option: 'Quick' })
  expect(is(facts({}, { conventions: '# Rules\nlevel: Quick' }))).toEqual(['context', 'Quick'])
  expect(is(facts({}, { said: ['Make it work', 'level: thorough'] }))).toEqual(['context', 'Thorough'])
  // Only a person decides about one thing.
  const decision = { type: 'blocking', subject: 'lesson 7' } as const
  expect(is(facts(decision, { conventions: 'level: Quick', preference }))).toBe('ask')
})

verifies('AGENT-QUESTION-45', 'a trivial question takes its default instead of being asked', () => {
  const trivial = { event: null, context: '', defaultOption: 'Quick' }
  expect(is(facts(trivial))).toEqual(['default', 'Quick'])
  expect(is(facts({ defaultOption: 'Quick', tags: ['trivial'] }))).toEqual(['default', 'Quick'])
  const matters = [{ label: 'Quick', implications: 'Less is found' }]
  for (const given of [{ context: 'It matters.' }, { type: 'blocking' as const }, { options: matters }])
    expect(is(facts({ ...trivial, ...given }))).toBe('ask')
  expect(is(facts({ event: null, context: '' }))).toBe('ask')
})

verifies('AGENT-QUESTION-46', 'what was asked in the session is not asked again', () => {
  const open = record()
  expect(decideAsk(facts({}, { recent: [open] }))).toEqual({ is: 'join', question: open })
  const answered = record({ status: 'answered', answer: answer('Thorough') })
  expect(is(facts({}, { recent: [answered] }))).toEqual(['repeated', 'Thorough'])
  expect(is(facts({ subject: 'another thing' }, { recent: [answered] }))).toBe('ask')
  const withdrawn = record({ status: 'withdrawn' })
  expect(is(facts({}, { recent: [withdrawn] }))).toBe('ask')
  expect(is(facts({}, { recent: [withdrawn, answered] }))).toEqual(['repeated', 'Thorough'])
})

verifies(
  ['AGENT-QUESTION-7', 'AGENT-QUESTION-57'],
  'a preference is learned at once, another answer when it was given twice, and then nobody is asked',
  () => {
    const learns = (given: Parameters<typeof record>[0], said = answer('Quick'), before = answer('Quick')) =>
      decideLearning(record(given), said, record({ answer: before }))
    expect(decideLearning(record({ type: 'preference' }), answer('tabs', 'person', null), null)).toBe(true)
    expect(decideLearning(record(), answer('Quick'), null)).toBe(false)
    expect(learns({})).toBe(true)
    expect(learns({}, answer('Quick'), answer('Thorough'))).toBe(false)
    expect(learns({}, answer('some words', 'person', null), answer('some words', 'person', null))).toBe(false)
    expect(learns({ type: 'preference' }, answer('Quick', 'default'))).toBe(false)
    expect(learns({ type: 'blocking', blocking: true, subject: 'lesson 7' })).toBe(false)
    expect(is(facts({}, { preference }))).toEqual(['preference', 'Quick'])
  },
)

test.each([
  ['the same template with other facts', { text: 'Other?' }, true],
  ['tags in another order and case', { tags: ['b', 'A'] }, true],
  ['another tag', { tags: ['c'] }, false],
  ['another event', { event: 'other' }, false],
  ['another agent', { agent: 'sia' }, false],
])('%s: the same question is %j %s', (_, given, same) => {
  const first = ask({ template: 'build/something#1', tags: ['a', 'b'] })
  expect(keyOf({ ...first, ...given }) === keyOf(first)).toBe(same)
})

test('an engine’s own words are the same with other spacing, and not with other words', () => {
  const own = ask({ event: null, text: 'Which  Way?\n', tags: [] })
  expect(keyOf(own)).toBe(keyOf({ ...own, agent: 'agent-2', text: 'which way?' }))
  expect(keyOf(own)).not.toBe(keyOf({ ...own, text: 'Which road?' }))
  const long = (end: string) => keyOf({ ...own, text: `${'x'.repeat(2_000)}${end}` })
  expect(long('a')).not.toBe(long('b'))
  expect(keyOf(own)).not.toBe(keyOf({ ...own, context: 'Another reason.' }))
  expect(keyOf(own)).not.toBe(keyOf({ ...own, options: [{ label: 'Drop' }] }))
  const style = { ...own, type: 'preference' as const }
  expect(keyOf(style)).toBe(keyOf({ ...style, context: 'Another reason.' }))
})

describe('time', () => {
  const hours = (given: Partial<NewQuestion>, settings = {}) => {
    const { remindAt, dueAt } = decideTimes(ask(given), { ...SETTINGS, ...settings }, NOW)
    const after = (at: Date | null) => (at === null ? null : (at.getTime() - NOW.getTime()) / 3_600_000)
    return [after(remindAt), after(dueAt)]
  }

  verifies(
    ['AGENT-QUESTION-5', 'AGENT-QUESTION-53'],
    'a question that blocks has no end; one that is there to think about reminds nobody',
    () => {
      expect(hours({ type: 'blocking' })).toEqual([12, null])
      expect(hours({ type: 'blocking', reminderAfter: '30m' })).toEqual([0.5, null])
      expect(hours({})).toEqual([12, 24])
      expect(hours({ expiresAfter: '2h' })).toEqual([1, 2])
      expect(hours({ expiresAfter: '2h' }, { remindAfter: '3h' })).toEqual([null, 2])
      expect(hours({ expiresAfter: '4h' }, { remindAfter: '3h' })).toEqual([3, 4])
      expect(hours({ type: 'educational' })).toEqual([null, 24])
      expect(hours({ type: 'educational', reminderAfter: '6h' })).toEqual([6, 24])
    },
  )

  verifies(
    ['AGENT-QUESTION-3', 'AGENT-QUESTION-55'],
    'the default holds when the time is over, once; nothing holds for what blocks',
    () => {
      expect(() => ask({ type: 'clarifying' })).toThrow('safe default')
      const dueAt = NOW.toISOString()
      const later = new Date(NOW.getTime() - 1)
      const { defaultOption: _, ...without } = record({ dueAt })
      expect(decideDue(record({ dueAt }), NOW)).toEqual({ is: 'default', text: 'Quick', option: 'Quick' })
      expect(decideDue(QuestionRecord.parse(without), NOW)).toEqual({ is: 'expire' })
      expect(decideDue(record({ dueAt }), later)).toEqual({ is: 'remind' })
      expect(decideDue(record({ dueAt, remindedAt: dueAt }), later)).toEqual({ is: 'nothing' })
      expect(decideDue(record({ blocking: true, dueAt, remindedAt: dueAt }), NOW)).toEqual({ is: 'nothing' })
      expect(decideDue(record({ dueAt, status: 'answered' }), NOW)).toEqual({ is: 'nothing' })
    },
  )
})

const FAILED = {
  options: ['Try this...', 'Skip this task', 'Rethink the approach with me', "I'll fix this manually"].map(
    (label) => ({ label }),
  ),
  allowFreeText: true,
}
test.each([
  ['2', 'Skip this task', 'Skip this task'],
  [' 2. ', 'Skip this task', 'Skip this task'],
  ['skip', 'Skip this task', 'Skip this task'],
  ["I'LL FIX THIS MANUALLY", "I'll fix this manually", "I'll fix this manually"],
  ['1. use a map', 'Try this...', 'Try this: use a map'],
  ['1) 2 maps', 'Try this...', 'Try this: 2 maps'],
  ['1: use a map', 'Try this...', 'Try this: use a map'],
  ['try this... use a map', 'Try this...', 'Try this: use a map'],
  ['Try this: use a map', 'Try this...', 'Try this: use a map'],
  ['2 days should do', null, '2 days should do'],
  ['9', null, '9'],
  ['use a map', null, 'use a map'],
  ['sk', null, 'sk'],
  ['ski', null, 'ski'],
])('the answer %j is the option %j with %j', (given, option, text) => {
  expect(readReply(FAILED, given)).toEqual({ is: 'answer', option, text })
})

test.each([
  ['1', 'wants to be continued'],
  ['1 hour is enough', 'write "1: hour is enough"'],
  ['Try this...', 'wants to be continued'],
  ['  ', 'empty'],
])('the answer %j is no answer', (given, why) => {
  expect(readReply(FAILED, given)).toEqual({ is: 'bad', why: expect.stringContaining(why) })
})

test('a number is the label of that number, never another one’s place', () => {
  const numbers = { options: ['2', '3', '5'].map((label) => ({ label })), allowFreeText: true }
  expect(readReply(numbers, '3')).toEqual({ is: 'answer', option: '3', text: '3' })
  expect(readReply(numbers, '1')).toEqual({ is: 'answer', option: null, text: '1' })
})

test('words are refused where only options may be chosen, and what is offered is named', () => {
  const closed = { options: LEVELS, allowFreeText: false }
  expect(readReply(closed, 'q')).toMatchObject({ is: 'bad', why: expect.stringContaining('1. Quick') })
  expect(readReply(closed, 'thor')).toEqual({ is: 'answer', option: 'Thorough', text: 'Thorough' })
})

test.each([
  ['Skip this task', 'Skip this task', { is: 'withdraw' }],
  ['Try this: use a map', 'Try this...', { is: 'reopen', words: 'Try this: use a map' }],
  ['use a map', null, { is: 'reopen', words: 'use a map' }],
  ["I'll fix this manually", "I'll fix this manually", { is: 'nothing' }],
  ['Rethink the approach with me', 'Rethink the approach with me', { is: 'nothing' }],
])('after %j to an item that failed repeatedly', (text, option, follows) => {
  expect(decideFollowUp({ event: 'task_failed_repeatedly' }, { text, option })).toEqual(follows)
  expect(decideFollowUp({ event: 'missing_context' }, { text, option })).toEqual({ is: 'nothing' })
})
