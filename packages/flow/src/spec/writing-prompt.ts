// What a model is told that writes a specification: all of the context at once, each part with who stands behind it.
import { markFor, writeBlock } from '@treadle/context/block'
import { fillContext } from '@treadle/context/fill'
import type { Part } from '@treadle/context/parts'
import { promptText } from '@treadle/context/prompt-text'
import type { SpecTask } from '@treadle/contracts/specification'
import type { DesignFacts, Outline } from './design-spec.ts'
import { placeCriteria } from './make-tasks.ts'

export interface SpecSample {
  readonly path: string
  readonly text: string
}

export interface SpecPromptFacts {
  readonly facts: DesignFacts
  readonly outline: Outline
  /** The tasks by rules, or as they stand with what people changed in them. */
  readonly draft: readonly SpecTask[]
  /** True: they were approved, edited or written before, so what is not asked for stays. */
  readonly isRevision: boolean
  /** Of each kind of code, some files. */
  readonly samples: readonly SpecSample[]
  readonly budgetTokens: number
}

interface SpecPrompt {
  readonly system: string
  readonly prompt: string
}

/** Counting by the vocabulary would load it into the daemon; a budget needs no such precision. */
const CHARS_PER_TOKEN = 3.5
const SAMPLE_CHARS_MAX = 4_000
const FILES_SHOWN_MAX = 400

export function writeSpecPrompt(given: SpecPromptFacts): SpecPrompt {
  const { facts, outline, budgetTokens } = given
  const { required, optional, conventions, gotchas, patterns } = facts.context
  const document = (name: Part['name'], origin: string, text: string | null): Part => ({
    name,
    origin,
    trust: 'untrusted',
    text,
  })
  const parts: Part[] = [
    { name: 'task', origin: 'what is asked for', trust: 'owner', text: askedText(given) },
    document('task', 'planning/brief.md', required.brief),
    document('task', 'the features and criteria of the brief', readText(outline)),
    { name: 'task', origin: 'the layout of the repository', trust: 'project', text: layoutText(outline) },
    document('task', given.isRevision ? 'the tasks as they stand' : 'a draft by rules', draftText(given)),
    { name: 'gotchas', origin: 'lessons', trust: 'project', text: linesOf(gotchas.map(lessonLine)) },
    { name: 'gotchas', origin: 'patterns', trust: 'project', text: linesOf(patterns.map(lessonLine)) },
    { name: 'template', origin: 'code that is there', trust: 'project', text: samplesText(given) },
    {
      name: 'conventions',
      origin: 'CLAUDE.md',
      trust: 'project',
      text: linesOf(conventions.map(({ heading, text }) => `## ${heading}\n\n${text}`)),
    },
    document('readme', 'README.md', required.readme),
    document('readme', 'target-users.md', optional.targetUsers),
    document('readme', 'problem-solution.md', optional.problemSolution),
    document('readme', 'planning/mvp-scope.md', optional.mvpScope),
    document('readme', 'development.md', optional.development),
    document('research', 'research/market.md', optional.marketResearch),
    document('research', 'research/competitive.md', optional.competitiveResearch),
    document('research', 'research/technical.md', optional.technicalResearch),
  ]
  const { text } = fillContext({
    parts,
    budgetTokens,
    count: (some) => Math.ceil(some.length / CHARS_PER_TOKEN),
  })
  const system = `${promptText('spec')}\n\n${promptText('spec-answer', { layers: layersText(outline) })}`
  return { system, prompt: text }
}

const ANSWER_CHARS_MAX = 60_000

/** The same question once more, with what does not hold. */
export function askedAgain(first: string, answer: string | null, problems: readonly string[]): string {
  const part = (origin: string, text: string): Part => ({ name: 'task', origin, trust: 'tool', text })
  const parts = [
    ...(answer === null || answer.trim() === ''
      ? []
      : [part('your last answer', answer.slice(0, ANSWER_CHARS_MAX))]),
    part('what does not hold', problems.map((problem) => `- ${problem}`).join('\n')),
  ]
  const mark = markFor([...parts, part('', first)])
  const blocks = parts.map((each) =>
    writeBlock(mark, { part: each, text: (each.text ?? '').toWellFormed(), truncated: false }),
  )
  return `${first}\n${promptText('spec-again')}\n\n${blocks.join('')}`
}

function askedText({ facts, isRevision }: SpecPromptFacts): string {
  const { slug, complexity, requests } = facts
  const size =
    complexity === 'mvp'
      ? 'Size: mvp. Leave out what a first version can do without.'
      : 'Size: full. Edge cases, failures and each quality that the documents name have their tasks and tests.'
  const asked = requests.map((request) => `- ${request}`)
  return [
    `Write the specification of the idea ${slug}.`,
    size,
    ...(isRevision
      ? ['It is a revision: keep the ids of tasks that stay, and what nobody asked to be changed.']
      : []),
    ...(asked.length === 0
      ? []
      : [`People have asked for this, the oldest first. Carry all of it out:\n${asked.join('\n')}`]),
  ].join('\n\n')
}

/** Names as they are looked for in titles, and short names as they are in paths. */
function readText({ features, requested }: Outline): string {
  const placed = placeCriteria(requested.criteria, features)
  return [
    'Features, each with its short name for paths:',
    ...features.map(({ name, slug }) => `- ${name} (${slug})`),
    '',
    'Criteria, by their ids:',
    ...placed.map(({ text, judged }, nth) => `- AC-${nth + 1}: ${text}${judged ? ' (a person judges)' : ''}`),
  ].join('\n')
}

function layoutText({ profile }: Outline): string {
  const { layout, kind, language, found } = profile
  const places = Object.entries(layout).map(([name, pattern]) => `- ${name}: ${pattern ?? 'there is none'}`)
  return [`A ${kind} project, ${language}.`, ...found.map((line) => `- ${line}`), '', ...places].join('\n')
}

function layersText({ profile: { layout } }: Outline): string {
  const absent = (['database', 'api', 'ui'] as const).filter((layer) => layout[layer] === null)
  return absent.length === 0
    ? 'Files lie where the layout of the repository says.'
    : `Files lie where the layout of the repository says. This project has no ${absent.join(' and no ')}: it gets no task of ${absent.length === 1 ? 'that phase' : 'those phases'}.`
}

function draftText({ draft }: SpecPromptFacts): string | null {
  if (draft.length === 0) return null
  const lines = draft.map(({ gotchas: _, template: __, owner: ___, ...task }) => JSON.stringify(task))
  return lines.join('\n')
}

function samplesText({ facts, samples }: SpecPromptFacts): string | null {
  const { existingFiles } = facts.context
  if (existingFiles.length === 0) return null
  const more = existingFiles.length - FILES_SHOWN_MAX
  return [
    'Files of the repository:',
    ...existingFiles.slice(0, FILES_SHOWN_MAX),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...samples.map(({ path, text }) => `\n## ${path}\n\n${text.slice(0, SAMPLE_CHARS_MAX)}`),
  ].join('\n')
}

function lessonLine({ content, glob }: { readonly content: string; readonly glob: string | null }): string {
  const place = glob === null ? '' : `${glob}: `
  return `- ${place}${content.replace(/\s+/g, ' ').slice(0, 1_000)}`
}

function linesOf(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.join('\n')
}
