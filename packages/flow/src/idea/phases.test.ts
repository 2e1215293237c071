import type { Artifact, ArtifactType, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import { expect, test } from 'vitest'
import { missingIn } from './missing.ts'
import { decideTransition, phasesAfter } from './phases.ts'

const artifact = (type: ArtifactType, confidence = 0.9): Artifact => ({
  type,
  summary: type,
  text: type,
  confidence,
  by: 'person',
})
const signals = (given: Partial<IdeaSignals> = {}): IdeaSignals => ({
  artifacts: [],
  decisions: [],
  risks: [],
  confidence: 0,
  ...given,
})
const artifacts = (...types: ArtifactType[]) => signals({ artifacts: types.map((type) => artifact(type)) })
const scope = (confidence: number) =>
  signals({ artifacts: [artifact('mvp-features', confidence), artifact('differentiator', confidence)] })
const validated = (many: number, risks = 1) =>
  signals({
    decisions: Array.from({ length: many }, (_, at) => ({ type: 'validation' as const, text: `${at}` })),
    risks: Array.from({ length: risks }, (_, at) => ({ text: `${at}` })),
  })

const stays = { shouldTransition: false }
const goesTo = (nextPhase: IdeaPhase) => ({ shouldTransition: true, nextPhase })

test.each<[phase: IdeaPhase, what: string, given: IdeaSignals, expected: object]>([
  ['EXPLORING', 'nothing', signals(), stays],
  ['EXPLORING', 'no concept', artifacts('target-user', 'problem'), stays],
  ['EXPLORING', 'no user', artifacts('problem', 'solution-concept'), stays],
  ['EXPLORING', 'no problem', artifacts('target-user', 'solution-concept'), stays],
  ['EXPLORING', 'all three', artifacts('target-user', 'problem', 'solution-concept'), goesTo('NARROWING')],
  ['NARROWING', 'exactly 0.6 on average', scope(0.6), stays],
  ['NARROWING', 'just above 0.6', scope(0.61), goesTo('VALIDATING')],
  ['NARROWING', 'no difference', artifacts('mvp-features'), stays],
  ['NARROWING', 'no features', artifacts('differentiator'), stays],
  ['VALIDATING', 'two validations', validated(2), stays],
  ['VALIDATING', 'three validations', validated(3), goesTo('REFINING')],
  ['VALIDATING', 'three validations and no risk', validated(3, 0), stays],
  [
    'VALIDATING',
    'three decisions of another type',
    { ...validated(3), decisions: validated(3).decisions.map(({ text }) => ({ type: 'scope', text })) },
    stays,
  ],
  ['REFINING', 'exactly 0.75', signals({ confidence: 0.75 }), stays],
  ['REFINING', 'just above 0.75', signals({ confidence: 0.76 }), goesTo('COMPLETE')],
  ['REFINING', 'a brief', artifacts('brief'), goesTo('COMPLETE')],
  ['COMPLETE', 'anything', signals({ confidence: 1 }), stays],
])('%s with %s', (phase, _, given, expected) => {
  expect(decideTransition(phase, given)).toEqual(expected)
})

test('signals of all phases at once lead through all of them, in their order', () => {
  const all: IdeaSignals = {
    ...validated(3),
    artifacts: artifacts(
      'target-user',
      'problem',
      'solution-concept',
      'mvp-features',
      'differentiator',
      'brief',
    ).artifacts,
    confidence: 0.9,
  }
  expect(phasesAfter('EXPLORING', all)).toEqual(['NARROWING', 'VALIDATING', 'REFINING', 'COMPLETE'])
})

test.each<[phase: IdeaPhase, given: IdeaSignals, expected: string[]]>([
  ['EXPLORING', artifacts('problem'), ['who it is for', 'how it solves it']],
  ['NARROWING', artifacts('mvp-features'), ['what makes it different']],
  ['NARROWING', scope(0.6), ['more certainty: 60 % on average so far, and more than 60 % is needed']],
  ['VALIDATING', validated(2, 0), ['1 more validated assumption', 'at least one risk']],
  ['VALIDATING', validated(0), ['3 more validated assumptions']],
  [
    'REFINING',
    signals({ confidence: 0.63 }),
    ['what must be true when it is done', 'the brief, or more than 75 % confidence (63 % so far)'],
  ],
  ['REFINING', artifacts('brief'), []],
  ['COMPLETE', signals(), []],
])('what %s lacks is said in words', (phase, given, expected) => {
  expect(missingIn(phase, given)).toEqual(expected)
})
