import type { IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import { expect, test } from 'vitest'
import { decideMode } from '../work/mode.ts'
import { answerIn, FIELDS, interviewBegins, openFields, openQuestions } from './interview.ts'
import { mergeSignals, NO_SIGNALS } from './merge-signals.ts'
import { averageConfidence, phasesAfter } from './phases.ts'

function say(signals: IdeaSignals, text: string, options: string[] = []): IdeaSignals {
  const answered = answerIn(signals, { text, field: null, options })
  return answered === null ? signals : mergeSignals(signals, answered.brought, 'person')
}

test.each(['scripted gave no answer: no', 'It rests.', 'Why?'])(
  'the interview begins with a sentence: %j',
  (why) => {
    expect(interviewBegins(why, 'Who is it for?')).toMatch(
      /[a-z][.?] From here on [^\n]*\n\nWho is it for\?$/,
    )
  },
)

test.each(['x', 'yes', 'a long answer '.repeat(100), '# a heading', '-'])(
  'ten times %j answers the fields in their order, and completes the idea with the last one only',
  (text) => {
    let signals = NO_SIGNALS
    let phase: IdeaPhase = 'EXPLORING'
    const phases: IdeaPhase[] = []
    for (const [at, field] of FIELDS.entries()) {
      expect(openQuestions(signals).map(({ id }) => id)).toEqual(FIELDS.slice(at, at + 2))
      expect(answerIn(signals, { text, field: null, options: [] })?.field).toBe(field)
      signals = say(signals, text)
      phase = phasesAfter(phase, signals).at(-1) ?? phase
      phases.push(phase)
    }
    expect(phases).toEqual([
      'EXPLORING',
      'EXPLORING',
      'NARROWING',
      'NARROWING',
      'VALIDATING',
      'VALIDATING',
      'VALIDATING',
      'VALIDATING',
      'REFINING',
      'COMPLETE',
    ])
    expect(averageConfidence(signals)).toBeGreaterThan(0.6)
    expect(signals.confidence).toBeGreaterThan(0.75)
    expect(openFields(signals)).toEqual([])
    expect(answerIn(signals, { text, field: null, options: [] })).toBeNull()
  },
)

test('an answer to a later question fills its field, and the first stays open', () => {
  const brought = answerIn(NO_SIGNALS, { text: 'Lists', field: 'problem', options: [] })
  expect(brought).toMatchObject({
    field: 'problem',
    brought: { artifacts: [{ type: 'problem', text: 'Lists' }] },
  })
  const after = mergeSignals(NO_SIGNALS, brought?.brought ?? NO_SIGNALS, 'person')
  expect(openQuestions(after).map(({ id }) => id)).toEqual(['target-user', 'solution-concept'])
})

test.each([
  ['1', 'Me'],
  ['small', 'Small firms'],
  ['2 people I know', '2 people I know'],
  ['My aunt', 'My aunt'],
])('where there are options, %j means %j', (text, expected) => {
  const signals = say(NO_SIGNALS, text, ['Me', 'Small firms'])
  expect(signals.artifacts).toMatchObject([{ type: 'target-user', text: expected }])
})

test('more words are surer, and the words are kept as they are', () => {
  const [short, long] = ['Families', `Families ${'who shop '.repeat(20)}`].map((text) =>
    say(NO_SIGNALS, text),
  )
  expect(short?.artifacts[0]?.confidence).toBe(0.66)
  expect(long?.artifacts[0]?.confidence).toBe(0.95)
})

test('what a model guessed with little confidence is asked about, so that the idea can go on', () => {
  const guess = (confidence: number) => ({
    ...NO_SIGNALS,
    artifacts: [{ type: 'problem' as const, summary: 'p', text: 'p', confidence, by: 'model' as const }],
  })
  expect(openFields(guess(0.6))).toContain('problem')
  expect(openFields(guess(0.7))).not.toContain('problem')
})

test('a later artifact takes the place of an earlier one, and a model never writes over a person', () => {
  const by = (who: 'person' | 'model', text: string): IdeaSignals => ({
    ...NO_SIGNALS,
    artifacts: [{ type: 'problem', summary: text, text, confidence: 0.9, by: who }],
  })
  const texts = ({ artifacts }: IdeaSignals) => artifacts.map(({ text }) => text)
  const person = mergeSignals(by('model', 'first'), by('person', 'second'), 'person')
  expect(texts(person)).toEqual(['second'])
  expect(texts(mergeSignals(person, by('model', 'third'), 'model'))).toEqual(['second'])
  expect(texts(mergeSignals(person, by('person', 'fourth'), 'person'))).toEqual(['fourth'])
  expect(texts(mergeSignals(by('model', 'a'), by('model', 'b'), 'model'))).toEqual(['b'])
})

test('a model that repeats itself adds nothing; a person who says the same twice has answered twice', () => {
  const yes = {
    ...NO_SIGNALS,
    decisions: [{ type: 'validation' as const, text: 'Yes' }],
    risks: [{ text: 'Cost' }],
  }
  const again = { ...yes, decisions: [{ type: 'validation' as const, text: 'yes' }] }
  expect(mergeSignals(yes, again, 'model')).toMatchObject({ decisions: [{}], risks: [{}] })
  expect(mergeSignals(yes, again, 'person').decisions).toHaveLength(2)
})

test.each([
  [{ asked: 'none', setting: null, usual: 'claude-code' }, /asked for an interview/],
  [{ asked: null, setting: 'none', usual: 'claude-code' }, /ideas\.engine .* is none/],
  [{ asked: null, setting: null, usual: 'repair' }, /repair cannot read/],
])('an interview says why it is one: %o', (facts, why) => {
  expect(decideMode(facts)).toMatchObject({
    mode: 'interview',
    engine: null,
    modeWhy: expect.stringMatching(why),
  })
})

test('an engine that can read replies: the one that is asked for, else that of the settings', () => {
  const engine = (facts: Parameters<typeof decideMode>[0]) => decideMode(facts).engine
  expect(engine({ asked: null, setting: null, usual: 'native' })).toBe('native')
  expect(engine({ asked: null, setting: 'codex', usual: 'native' })).toBe('codex')
  expect(engine({ asked: 'scripted', setting: 'none', usual: 'repair' })).toBe('scripted')
})

test('a model that has said as much as it may leaves room for what people answer', () => {
  const said = (count: number): IdeaSignals => ({
    ...NO_SIGNALS,
    decisions: Array.from({ length: count }, (_, nth) => ({ type: 'scope' as const, text: `no ${nth}` })),
    risks: Array.from({ length: count }, (_, nth) => ({ text: `risk ${nth}` })),
  })
  const full = mergeSignals(NO_SIGNALS, said(300), 'model')
  const answer = answerIn(full, { text: 'Moths like light', field: 'validation-1', options: [] })
  const after = mergeSignals(full, answer?.brought ?? NO_SIGNALS, 'person')
  expect(openFields(after)).not.toContain('validation-1')
  expect(mergeSignals(after, said(300), 'model').decisions).toEqual(after.decisions)
})
