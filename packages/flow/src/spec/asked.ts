// What the catalogue asks about a specification, and what follows from an answer: pure. Nothing waits for one: a default
// holds meanwhile, and validation.missing says which.
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Specification } from '@treadle/contracts/specification'
import { headingName, plainText, readSections } from './markdown.ts'
import { slugOf } from './names.ts'
import { readBrief } from './read-brief.ts'

export interface SpecMoment {
  readonly event: string
  /** With the same subject it is asked once. */
  readonly subject: string
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>
}

const AMBIGUOUS =
  /\b(fast|faster|quick|quickly|instant|instantly|responsive|snappy|promptly|performant|real[- ]time)\b/i
const AMBIGUOUS_MAX = 3
const EXTERNAL =
  /\b(Stripe|PayPal|Twilio|SendGrid|Mailgun|SMTP|OAuth|Auth0|Firebase|Supabase|AWS|Azure|OpenAI|Anthropic|Slack|Telegram|Discord|Mapbox|OpenStreetMap|Google (?:Maps|Calendar|Drive|Sheets)|[A-Z][\w.-]{1,30} API)\b/g
const EXTERNAL_MAX = 20

export interface AboutSpec {
  /** The brief as it stands. */
  readonly brief: string
  /** Code stands there already, and says by itself how things are kept. */
  readonly hasCode: boolean
}

export function momentsAbout(spec: Specification, { brief, hasCode }: AboutSpec): SpecMoment[] {
  const { slug, revision } = spec
  const external = externalIn(brief)
  return [
    ...ambiguousIn(spec).map(({ text, term }) => ({
      event: 'requirement_ambiguous',
      subject: `spec:${slug}:${slugOf(text, term).slice(0, 100)}`,
      facts: { requirement: text, ambiguous_term: term },
    })),
    ...(hasCode ? [] : architecturesOf(spec, brief)),
    ...(external.length === 0
      ? []
      : [
          {
            event: 'external_dependencies',
            subject: `spec:${slug}:external`,
            facts: { dependency_list: external },
          },
        ]),
    {
      event: 'before_finalize_spec',
      subject: `spec:${slug}:${revision}`,
      facts: { in_scope_list: scopeOf(spec), out_scope_list: excludedIn(brief) },
    },
  ]
}

/** The scope is confirmed: the specification is complete. */
export function completeMoment(spec: Specification, brief: string): SpecMoment {
  const { risks } = readBrief(brief)
  return {
    event: 'spec_complete',
    subject: `spec:${spec.slug}:${spec.revision}`,
    facts: {
      task_count: spec.tasks.length,
      complexity: spec.complexity,
      risks: risks.length === 0 ? 'none named' : risks.slice(0, 5).join('; '),
    },
  }
}

/** Requirements and criteria that say fast, and not how fast. */
export function ambiguousIn({
  requirements,
  criteria,
}: Pick<Specification, 'requirements' | 'criteria'>): { readonly text: string; readonly term: string }[] {
  const texts = new Set([...criteria, ...requirements].map(({ text }) => text))
  return [...texts]
    .flatMap((text) => {
      const term = /\d/.test(text) ? undefined : AMBIGUOUS.exec(text)?.[1]
      return term === undefined ? [] : [{ text, term }]
    })
    .slice(0, AMBIGUOUS_MAX)
}

function externalIn(brief: string): string[] {
  return [...new Set([...brief.matchAll(EXTERNAL)].map(([name]) => name))].slice(0, EXTERNAL_MAX)
}

/** Tables were planned where nothing is there yet and nobody spoke of a database: files would do as well. */
function architecturesOf(
  { slug, tasks, requirements }: Pick<Specification, 'slug' | 'tasks' | 'requirements'>,
  brief: string,
): SpecMoment[] {
  const tables = tasks.filter(({ phase }) => phase === 'database')
  const [first] = tables
  if (first === undefined) return []
  if (/\b(?:database|sql\w*|postgres\w*|tables?|storage)\b/i.test(brief)) return []
  const hours = (list: typeof tasks) =>
    Math.round(list.reduce((sum, { estimateHours }) => sum + estimateHours, 0))
  return [
    {
      event: 'multiple_architectures',
      subject: `spec:${slug}:storage`,
      facts: {
        feature: requirements.find(({ id }) => first.requirements.includes(id))?.feature ?? first.title,
        approach_a: `a database, beginning with ${first.file}`,
        pros_a: 'many people and many entries at once, and queries over all of them',
        cons_a: 'a database that somebody runs and migrates',
        effort_a: `${hours([...tasks])} hours in all`,
        approach_b: 'no database: what is kept lies in files or in the memory of the program',
        pros_b: 'nothing to run beside the program',
        cons_b: 'one writer at a time, and no queries',
        effort_b: `${hours(tasks.filter(({ phase }) => phase !== 'database'))} hours in all`,
      },
    },
  ]
}

function scopeOf({ requirements }: Specification): string[] {
  return [...new Set(requirements.flatMap(({ feature }) => feature ?? []))]
}

function excludedIn(brief: string): string[] {
  return readSections(brief)
    .filter(({ heading }) =>
      /\b(?:out of scope|not in scope|non-goals?|excluded)\b/.test(headingName(heading)),
    )
    .flatMap(({ bullets, prose }) => (bullets.length > 0 ? bullets.map(({ text }) => text) : prose))
    .map(plainText)
}

export type SpecFollowUp =
  | { readonly is: 'nothing' }
  | { readonly is: 'complete' }
  | { readonly is: 'approve'; readonly revision: number }
  | { readonly is: 'revise'; readonly text: string }

const NOTHING = { is: 'nothing' } as const

interface Answered {
  readonly option: string | null
  readonly text: string
  /** Words of one's own, or those that continue an option; empty: there are none. */
  readonly own: string
  /** The question itself. */
  readonly asked: QuestionRecord
}

const OPEN_END = /\s*(\.\.\.|…)$/

/** By the event of the catalogue. */
const FOLLOW: Readonly<Record<string, (answered: Answered) => SpecFollowUp>> = {
  requirement_ambiguous: ({ text, asked }) => {
    const requirement = /"(.*)"\n/.exec(asked.text)?.[1] ?? ''
    return { is: 'revise', text: `Add criterion: ${requirement.replace(/[.!]+$/, '')}: ${text}` }
  },
  multiple_architectures: ({ option, own }) => {
    if (option === 'Option B') return { is: 'revise', text: 'No database' }
    return revise(own)
  },
  before_finalize_spec: ({ option, own }) => {
    if (option === 'Yes, proceed with spec') return { is: 'complete' }
    if (option === 'Add to scope...') return revise(own, 'Add ')
    return revise(own, option === 'Remove from scope...' ? 'Remove ' : '')
  },
  spec_complete: ({ option, asked }) =>
    option === 'Yes, start building!'
      ? { is: 'approve', revision: Number(asked.subject?.split(':')[2] ?? 0) }
      : NOTHING,
}

/** What an answer of a person asks for. */
export function followUpOf(asked: QuestionRecord): SpecFollowUp {
  const { event, answer } = asked
  const follow = event === null ? undefined : FOLLOW[event]
  if (follow === undefined || answer?.how !== 'person') return NOTHING
  const { option, text } = answer
  const begin = option?.replace(OPEN_END, '').length ?? 0
  return follow({
    option,
    text,
    own: text
      .slice(begin)
      .replace(/^[\s:.…-]+/, '')
      .trim(),
    asked,
  })
}

function revise(words: string, verb = ''): SpecFollowUp {
  return words === '' ? NOTHING : { is: 'revise', text: `${verb}${words}` }
}
