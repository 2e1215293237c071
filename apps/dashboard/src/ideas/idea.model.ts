// An idea in words: its phases as steps, what was understood of it as cards, its documents.
import type {
  Artifact,
  ArtifactType,
  IdeaDecision,
  IdeaDocument,
  IdeaPhase,
  IdeaView,
} from '@treadle/contracts/idea'
import type { Tone } from '@treadle/contracts/words/state'

interface Words {
  readonly words: string
  readonly tone: Tone
}

const PHASES: readonly IdeaPhase[] = ['EXPLORING', 'NARROWING', 'VALIDATING', 'REFINING', 'COMPLETE']
const PHASE_WORDS: Record<IdeaPhase, string> = {
  EXPLORING: 'Exploring',
  NARROWING: 'Narrowing',
  VALIDATING: 'Validating',
  REFINING: 'Refining',
  COMPLETE: 'Complete',
}

export function phaseBadge({ phase, status }: Pick<IdeaView, 'phase' | 'status'>): Words {
  if (status === 'archived') return { words: 'Archived', tone: 'plain' }
  return { words: PHASE_WORDS[phase], tone: phase === 'COMPLETE' ? 'good' : 'busy' }
}

export interface PhaseStep {
  readonly phase: IdeaPhase
  readonly words: string
  readonly is: 'done' | 'now' | 'next'
}

/** The last phase is no work: an idea that has reached it is done with it, too. */
export function stepsOf(at: IdeaPhase): PhaseStep[] {
  const reached = PHASES.indexOf(at)
  return PHASES.map((phase, index) => {
    const words = PHASE_WORDS[phase]
    if (index === reached) return { phase, words, is: at === 'COMPLETE' ? 'done' : 'now' }
    return { phase, words, is: index < reached ? 'done' : 'next' }
  })
}

export interface IdeaCard {
  readonly type: ArtifactType
  readonly words: string
  readonly artifact: Artifact | null
  /** The question that the card answers, shown until there is an answer. */
  readonly empty: string
}

const CARDS: readonly Omit<IdeaCard, 'artifact'>[] = [
  { type: 'target-user', words: 'Who it is for', empty: 'Who would use it first?' },
  { type: 'problem', words: 'Problem', empty: 'What is hard for them today?' },
  { type: 'solution-concept', words: 'Concept', empty: 'How does it help them?' },
  { type: 'differentiator', words: 'What makes it different', empty: 'Why this, and not what there is?' },
  { type: 'mvp-features', words: 'Features', empty: 'What must the first version do?' },
]

/** A later artifact of a type has taken the place of an earlier one. */
export function cardsOf(artifacts: readonly Artifact[]): IdeaCard[] {
  return CARDS.map((card) => ({
    ...card,
    artifact: artifacts.findLast(({ type }) => type === card.type) ?? null,
  }))
}

/** So much is shown as it is; of more, the summary first. */
const SHOWN_CHARS_MAX = 400

/** The text of an artifact that is too long to be shown at once; null where it is not. */
export function longTextOf({ text }: Pick<Artifact, 'text'>): string | null {
  return text.length > SHOWN_CHARS_MAX ? text : null
}

export function authorWords({ by, confidence }: Pick<Artifact, 'by' | 'confidence'>): string {
  const share = `${Math.round(confidence * 100)} %`
  return by === 'person' ? `Your words, ${share} complete` : `From the talk, ${share} sure`
}

const DECISION_WORDS: Record<IdeaDecision['type'], string> = {
  scope: 'Scope',
  validation: 'Validated',
  done: 'Done when',
}

export function decisionWords({ type }: IdeaDecision): string {
  return DECISION_WORDS[type]
}

const DOCUMENT_WORDS: Record<IdeaDocument['state'], Words> = {
  written: { words: 'Written', tone: 'good' },
  edited: { words: 'Edited by you', tone: 'busy' },
  beside: { words: 'Edited by you', tone: 'attention' },
  missing: { words: 'Not written yet', tone: 'plain' },
}

export interface ShownDocument extends Words {
  /** Relative to the folder of the idea. */
  readonly name: string
  readonly path: string
  readonly besidePath: string | null
}

export function documentsOf({ documents, folder }: Pick<IdeaView, 'documents' | 'folder'>): ShownDocument[] {
  const within = (path: string) =>
    folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
  return documents.map(({ path, state, besidePath }) => ({
    name: within(path),
    path,
    besidePath: besidePath === null ? null : within(besidePath),
    ...DOCUMENT_WORDS[state],
  }))
}

/** A specification is made from a brief, whoever wrote it. */
export function hasBrief({ documents }: Pick<IdeaView, 'documents'>): boolean {
  return documents.some(({ path, state }) => path.endsWith('planning/brief.md') && state !== 'missing')
}

/** Who answers. */
export function modeWords({ mode, engine }: Pick<IdeaView, 'mode' | 'engine'>): string {
  return mode === 'interview' ? 'Interview' : `with ${engine ?? 'a model'}`
}
