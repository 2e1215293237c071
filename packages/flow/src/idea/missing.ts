// What a phase still lacks, in words for people.
import type { IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import {
  averageConfidence,
  CONFIDENCE_TO_COMPLETE,
  CONFIDENCE_TO_VALIDATE,
  decideTransition,
  hasArtifact,
  VALIDATIONS_MIN,
  validations,
} from './phases.ts'

export function missingIn(phase: IdeaPhase, signals: IdeaSignals): string[] {
  if (decideTransition(phase, signals).shouldTransition) return []
  const lacks: readonly (readonly [is: boolean, words: string])[] = LACKS[phase](signals)
  return lacks.filter(([is]) => is).map(([, words]) => words)
}

type Lacks = (signals: IdeaSignals) => readonly (readonly [is: boolean, words: string])[]

const LACKS: Readonly<Record<IdeaPhase, Lacks>> = {
  EXPLORING: (signals) => [
    [!hasArtifact(signals, 'target-user'), 'who it is for'],
    [!hasArtifact(signals, 'problem'), 'the problem that it solves'],
    [!hasArtifact(signals, 'solution-concept'), 'how it solves it'],
  ],
  NARROWING: (signals) => [
    [!hasArtifact(signals, 'mvp-features'), 'the features of a first version'],
    [!hasArtifact(signals, 'differentiator'), 'what makes it different'],
    [
      hasArtifact(signals, 'mvp-features') &&
        hasArtifact(signals, 'differentiator') &&
        averageConfidence(signals) <= CONFIDENCE_TO_VALIDATE,
      `more certainty: ${percent(averageConfidence(signals))} on average so far, and more than ${percent(CONFIDENCE_TO_VALIDATE)} is needed`,
    ],
  ],
  VALIDATING: (signals) => [
    [validations(signals) < VALIDATIONS_MIN, validationWords(VALIDATIONS_MIN - validations(signals))],
    [signals.risks.length === 0, 'at least one risk'],
  ],
  REFINING: (signals) => [
    [!signals.decisions.some(({ type }) => type === 'done'), 'what must be true when it is done'],
    [
      !hasArtifact(signals, 'brief'),
      `the brief, or more than ${percent(CONFIDENCE_TO_COMPLETE)} confidence (${percent(signals.confidence)} so far)`,
    ],
  ],
  COMPLETE: () => [],
}

function validationWords(left: number): string {
  return left === 1 ? '1 more validated assumption' : `${left} more validated assumptions`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
