import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import {
  AgentQuestion,
  blocksByDefault,
  Duration,
  durationMs,
  NewQuestion,
  QuestionOption,
  QuestionType,
} from './question.ts'

const whole = {
  id: '0b4d7e0a-3a55-4b52-9c36-0d6a3b0f7a11',
  type: 'clarifying',
  agent: 'build',
  phase: 'act',
  text: 'Which one?',
  context: 'Both would work.',
  options: [{ label: 'This' }, { label: 'That' }],
  allowFreeText: false,
  defaultOption: 'This',
  blocking: false,
  expiresAfter: '24h',
  reminderAfter: '30m',
  ideaId: '1/42',
  sessionId: '6f0f4d0e-4a30-4f0c-8a3e-5a7b8c9d0e1f',
  tags: ['choice'],
}
const given = { type: 'blocking', agent: 'build', text: 'Which one?', allowFreeText: true }

verifies('AGENT-QUESTION-1', 'there are six types of question', () => {
  const types = ['blocking', 'clarifying', 'confirming', 'educational', 'celebratory', 'preference']
  expect(QuestionType.options).toEqual(types)
  expect(QuestionType.safeParse('rhetorical').success).toBe(false)
  expect(types.filter((type) => blocksByDefault(QuestionType.parse(type)))).toEqual(['blocking'])
})

verifies('AGENT-QUESTION-8', 'a question has exactly its fields', () => {
  expect(AgentQuestion.parse(whole)).toEqual(whole)
  expect(AgentQuestion.safeParse({ ...whole, mood: 'glad' }).success).toBe(false)
  const optional = ['defaultOption', 'expiresAfter', 'reminderAfter']
  for (const name of Object.keys(whole)) {
    const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))
    expect([name, AgentQuestion.safeParse(rest).success]).toEqual([name, optional.includes(name)])
  }
})

verifies('AGENT-QUESTION-9', 'an option has a label, and what more there is to say about it', () => {
  const option = { label: 'This', description: 'The first', recommended: true, implications: 'It stays' }
  expect(QuestionOption.parse(option)).toEqual(option)
  expect(QuestionOption.parse({ label: 'This' })).toEqual({ label: 'This' })
  expect(QuestionOption.safeParse({ description: 'The first' }).success).toBe(false)
  expect(QuestionOption.safeParse({ ...option, colour: 'red' }).success).toBe(false)
})

verifies('AGENT-QUESTION-3', 'a clarifying question without a default is none', () => {
  const { id: _id, defaultOption: _default, ...rest } = whole
  expect(NewQuestion.safeParse(rest).error?.issues[0]?.message).toBe(
    'a clarifying question needs a safe default',
  )
  expect(NewQuestion.safeParse({ ...rest, defaultOption: 'That' }).success).toBe(true)
})

test('of a new question little has to be said', () => {
  expect(NewQuestion.parse(given)).toEqual({
    ...given,
    phase: '',
    context: '',
    options: [],
    ideaId: '',
    sessionId: '',
    tags: [],
    event: null,
    template: null,
    subject: null,
    item: null,
    runId: null,
  })
})

const options = [{ label: 'This' }, { label: 'That' }]
const wrong: [change: object, why: string][] = [
  [{ options: [{ label: 'This' }, { label: ' This ' }] }, 'two options have the same label'],
  [
    { options: options.map((option) => ({ ...option, recommended: true })) },
    'more than one option is recommended',
  ],
  [{ allowFreeText: false }, 'there is neither an option nor free text to answer with'],
  [{ blocking: false }, 'a blocking question cannot be one that does not block'],
  [{ options, allowFreeText: false, defaultOption: 'Other' }, 'the default is none of the options'],
  [{ expiresAfter: '1h' }, 'a blocking question waits for its answer and cannot expire'],
  [
    { type: 'confirming', blocking: true, expiresAfter: '1h' },
    'a blocking question waits for its answer and cannot expire',
  ],
  [
    { type: 'confirming', expiresAfter: '60m', reminderAfter: '1h' },
    'the reminder would come after the question is over',
  ],
]

test.for(wrong)('%j: %s', ([change, why]) => {
  expect(NewQuestion.safeParse({ ...given, ...change }).error?.issues.map(({ message }) => message)).toEqual([
    why,
  ])
})

test('words of one’s own may be the default where they may be the answer', () => {
  expect(NewQuestion.safeParse({ ...given, options, defaultOption: 'Both' }).success).toBe(true)
})

test('what would move a cursor or turn the reading around is taken out', () => {
  const read = NewQuestion.parse({
    ...given,
    text: 'one\r\ntwo\tthree\u001b[2J\u0000\u202e',
    options: [{ label: 'This\nand\u0007that' }],
  })
  expect(read.text).toBe('one\ntwo\tthree [2J')
  expect(read.options[0]?.label).toBe('This and that')
})

test('a duration is a number and a unit', () => {
  expect(['30s', '30m', '24h', '7d'].map((text) => durationMs(Duration.parse(text)))).toEqual([
    30_000, 1_800_000, 86_400_000, 604_800_000,
  ])
  for (const text of ['', '30', 'm', '0m', '-1h', '1.5h', '1w', '24 h', '99999d', '1h30m'])
    expect([text, Duration.safeParse(text).success]).toEqual([text, false])
  expect(() => durationMs('soon')).toThrow('not a duration: soon')
})
