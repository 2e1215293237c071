// When an idea goes on to its next phase: the exact conditions, one row for each phase.
import type { ArtifactType, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'

export const CONFIDENCE_TO_VALIDATE = 0.6
export const VALIDATIONS_MIN = 3
export const CONFIDENCE_TO_COMPLETE = 0.75

export type TransitionDecision =
  | { readonly shouldTransition: false }
  | { readonly shouldTransition: true; readonly nextPhase: IdeaPhase }

interface PhaseRow {
  readonly next: IdeaPhase
  readonly isDone: (signals: IdeaSignals) => boolean
}

const ROWS: Readonly<Record<Exclude<IdeaPhase, 'COMPLETE'>, PhaseRow>> = {
  EXPLORING: {
    next: 'NARROWING',
    isDone: (signals) =>
      hasArtifact(signals, 'target-user') &&
      hasArtifact(signals, 'problem') &&
      hasArtifact(signals, 'solution-concept'),
  },
  NARROWING: {
    next: 'VALIDATING',
    isDone: (signals) =>
      hasArtifact(signals, 'mvp-features') &&
      hasArtifact(signals, 'differentiator') &&
      averageConfidence(signals) > CONFIDENCE_TO_VALIDATE,
  },
  VALIDATING: {
    next: 'REFINING',
    isDone: (signals) => validations(signals) >= VALIDATIONS_MIN && signals.risks.length > 0,
  },
  REFINING: {
    next: 'COMPLETE',
    isDone: (signals) => signals.confidence > CONFIDENCE_TO_COMPLETE || hasArtifact(signals, 'brief'),
  },
}

export function decideTransition(phase: IdeaPhase, signals: IdeaSignals): TransitionDecision {
  if (phase === 'COMPLETE') return { shouldTransition: false }
  const { next, isDone } = ROWS[phase]
  return isDone(signals) ? { shouldTransition: true, nextPhase: next } : { shouldTransition: false }
}

/** The phases that follow at once, in their order: one message may fulfil the conditions of several. */
export function phasesAfter(phase: IdeaPhase, signals: IdeaSignals): IdeaPhase[] {
  const decision = decideTransition(phase, signals)
  return decision.shouldTransition ? [decision.nextPhase, ...phasesAfter(decision.nextPhase, signals)] : []
}

export function hasArtifact({ artifacts }: IdeaSignals, type: ArtifactType): boolean {
  return artifacts.some((artifact) => artifact.type === type)
}

export function validations({ decisions }: IdeaSignals): number {
  return decisions.filter(({ type }) => type === 'validation').length
}

/** Of all artifacts; 0 while there is none. */
export function averageConfidence({ artifacts }: IdeaSignals): number {
  if (artifacts.length === 0) return 0
  return artifacts.reduce((sum, { confidence }) => sum + confidence, 0) / artifacts.length
}
