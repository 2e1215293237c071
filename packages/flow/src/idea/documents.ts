// The documents of an idea as text, made of what was understood. Pure; who edits them by hand is looked after elsewhere.
import type { Artifact, ArtifactType, Idea, IdeaDecision, IdeaPhase } from '@treadle/contracts/idea'
import { bullet, featureBullet, inert, inertLine, listed } from './answer-lines.ts'
import { missingIn } from './missing.ts'

export interface IdeaText {
  /** Relative to the workspace. */
  readonly path: string
  readonly text: string
}

export const BRIEF = 'planning/brief.md'

/** The folder of an idea, relative to the workspace. */
export function folderOf({ userSlug, slug }: Pick<Idea, 'userSlug' | 'slug'>, dir: string): string {
  return `${dir.replace(/\/+$/, '')}/${userSlug}/ideas/${slug}`
}

/** None before the first artifact: until then it is a sentence and no candidate. */
export function documentsOf(idea: Idea, dir: string): IdeaText[] {
  if (idea.signals.artifacts.length === 0) return []
  const folder = folderOf(idea, dir)
  const made: readonly (readonly [name: string, text: string | null])[] = [
    ['README.md', readmeOf(idea)],
    ['target-users.md', targetUsersOf(idea)],
    ['problem-solution.md', problemSolutionOf(idea)],
    ['planning/mvp-scope.md', scopeOf(idea)],
    [BRIEF, find(idea, 'brief') === null ? null : briefOf(idea)],
  ]
  return made.flatMap(([name, text]) => (text === null ? [] : [{ path: `${folder}/${name}`, text }]))
}

/** The brief as a person reads and edits it, and as a specification is made of it. */
export function briefOf(idea: Idea): string {
  const { signals } = idea
  const own = find(idea, 'brief')
  if (own?.by === 'model') return `${own.text.trim()}\n`
  return page(`Brief: ${inertLine(idea.title)}`, [
    section('Target user', textOf(idea, 'target-user')),
    section('Problem', textOf(idea, 'problem')),
    section('Solution', textOf(idea, 'solution-concept')),
    section('Features', featureLines(idea)),
    section('What makes it different', textOf(idea, 'differentiator')),
    section('Validated assumptions', decisionLines(idea, 'validation')),
    section('Risks', lines(signals.risks.map(({ text }) => bullet(text)))),
    section('Done when', criteriaLines(idea)),
    section('Confidence', confidenceWords(idea)),
  ])
}

const PHASE_WORDS: Readonly<Record<IdeaPhase, string>> = {
  EXPLORING: 'being explored',
  NARROWING: 'being narrowed down',
  VALIDATING: 'being validated',
  REFINING: 'being refined',
  COMPLETE: 'complete',
}

const DOCUMENTS: readonly (readonly [type: ArtifactType, name: string, words: string])[] = [
  ['target-user', 'target-users.md', 'who it is for'],
  ['problem', 'problem-solution.md', 'the problem and how it is solved'],
  ['mvp-features', 'planning/mvp-scope.md', 'the first version'],
  ['brief', BRIEF, 'the brief that a specification is made of'],
]

function readmeOf(idea: Idea): string {
  const concept = find(idea, 'solution-concept') ?? find(idea, 'problem') ?? find(idea, 'target-user')
  const missing = missingIn(idea.phase, idea.signals)
  return page(inertLine(idea.title), [
    concept === null ? null : inert(concept.text),
    `This idea is ${PHASE_WORDS[idea.phase]}.`,
    section('Still missing', lines(missing.map((words) => `- ${words}`))),
    section(
      'Documents',
      lines(
        DOCUMENTS.filter(([type]) => find(idea, type) !== null).map(
          ([, name, words]) => `- [${name}](${name}): ${words}`,
        ),
      ),
    ),
  ])
}

function targetUsersOf(idea: Idea): string | null {
  const text = textOf(idea, 'target-user')
  return text === null ? null : page('Target users', [text])
}

function problemSolutionOf(idea: Idea): string | null {
  const problem = section('Problem', textOf(idea, 'problem'))
  const solution = section('Solution', textOf(idea, 'solution-concept'))
  const difference = section('What makes it different', textOf(idea, 'differentiator'))
  return problem === null && solution === null
    ? null
    : page('Problem and solution', [problem, solution, difference])
}

function scopeOf(idea: Idea): string | null {
  const features = section('Features', featureLines(idea))
  return features === null
    ? null
    : page('Scope of the first version', [
        features,
        section('Out of scope', decisionLines(idea, 'scope')),
        section('Done when', criteriaLines(idea)),
      ])
}

function find({ signals }: Idea, type: ArtifactType): Artifact | null {
  return signals.artifacts.find((artifact) => artifact.type === type) ?? null
}

function textOf(idea: Idea, type: ArtifactType): string | null {
  const found = find(idea, type)
  return found === null ? null : inert(found.text)
}

function featureLines(idea: Idea): string | null {
  const found = find(idea, 'mvp-features')
  return found === null ? null : lines(listed(found.text, { commas: true }).map(featureBullet))
}

function criteriaLines({ signals }: Idea): string | null {
  const said = signals.decisions.filter(({ type }) => type === 'done')
  return lines(said.flatMap(({ text }) => listed(text, { commas: false })).map(bullet))
}

function decisionLines({ signals }: Idea, wanted: IdeaDecision['type']): string | null {
  return lines(signals.decisions.filter(({ type }) => type === wanted).map(({ text }) => bullet(text)))
}

function confidenceWords({ signals, mode }: Idea): string {
  const percent = `${Math.round(signals.confidence * 100)} %`
  const how = 'It says how complete the answers are; no model has judged them.'
  return mode === 'interview' ? `${percent}. ${how}` : `${percent}.`
}

function lines(all: readonly string[]): string | null {
  return all.length === 0 ? null : all.join('\n')
}

function section(title: string, text: string | null): string | null {
  return text === null || text.trim() === '' ? null : `## ${title}\n\n${text}`
}

function page(title: string, parts: readonly (string | null)[]): string {
  return `${[`# ${title}`, ...parts.filter((part) => part !== null)].join('\n\n')}\n`
}
