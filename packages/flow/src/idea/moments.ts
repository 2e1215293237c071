// When the catalogue asks something in a talk, beside what the talk itself asks: pure.
import type { Artifact, Idea, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import { readBrief } from '../spec/read-brief.ts'

/** What has happened in a talk, with what the catalogue wants to know of it. */
export interface Moment {
  readonly event: string
  readonly phase?: IdeaPhase
  readonly facts: Readonly<Record<string, string | number>>
}

const SNIPPET_CHARS = 200
const SCORE_MAX = 10

export function momentsOf(
  before: Pick<Idea, 'mode' | 'phase' | 'signals'>,
  { signals, phases }: { readonly signals: IdeaSignals; readonly phases: readonly IdeaPhase[] },
): Moment[] {
  const fresh = signals.artifacts.filter((artifact) => !before.signals.artifacts.includes(artifact))
  const problem = fresh.find(({ type }) => type === 'problem')
  const features = fresh.find(({ type }) => type === 'mvp-features')
  return [
    ...(problem === undefined ? [] : [vague(problem)]),
    ...(before.phase === 'EXPLORING' && phases.length > 0
      ? [{ event: 'phase_complete', phase: 'EXPLORING' as const, facts: {} }]
      : []),
    ...(features === undefined
      ? []
      : [{ event: 'idea_complexity_high', facts: { complexity_score: complexityOf(features) } }]),
    // An interview asks what people know; only a model goes and looks something up.
    ...(before.mode === 'engine' && phases.includes('VALIDATING')
      ? [{ event: 'before_research', facts: {} }]
      : []),
  ]
}

function vague({ text }: Artifact): Moment {
  const said = text.trim()
  return {
    event: 'problem_statement_vague',
    facts: { problem_description: said, problem_snippet: said.slice(0, SNIPPET_CHARS) },
  }
}

/** One for each feature that is named, up to ten. */
function complexityOf({ text }: Artifact): number {
  return Math.min(SCORE_MAX, readBrief(`## Features\n\n${text}`).features.length)
}
