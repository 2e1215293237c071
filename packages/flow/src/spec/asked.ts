// What the catalogue asks about a specification, and what follows from an answer: pure. Nothing waits for one: a default
// holds meanwhile, and validation.missing says which.
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Specification } from '@treadle/contracts/specification'
import { architecturesOf, requestOf } from './architectures.ts'
import { headingName, plainText, readSections } from './markdown.ts'
import { slugOf } from './names.ts'
import { readBrief } from './read-brief.ts'
import { opposedIn, unclearIn } from './unclear.ts'

export interface SpecMoment {
  readonly event: string
  /** With the same subject it is asked once. */
  readonly subject: string
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>
  /** None of the options that the catalogue offers would answer it. */
  readonly inOwnWords?: boolean
}

const UNCLEAR_ASKED_MAX = 3
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
    ...unclearIn(spec)
      .slice(0, UNCLEAR_ASKED_MAX)
      .map(({ kind, text, term }) => ({
        event: 'requirement_ambiguous',
        subject: `spec:${slug}:${slugOf(text, term).slice(0, 100)}`,
        facts: { requirement: text, ambiguous_term: term },
        // What the catalogue offers are times.
        inOwnWords: kind !== 'speed',
      })),
    ...opposedIn(spec).map(({ one, other }) => ({
      event: 'requirements_contradict',
      subject: `spec:${slug}:${slugOf(`${one} ${other}`, 'opposed').slice(0, 100)}`,
      facts: { one, other },
    })),
    ...(hasCode ? [] : architecturesOf(spec, brief)).map(({ id, facts }) => ({
      event: 'multiple_architectures',
      subject: `spec:${slug}:${id}`,
      facts,
    })),
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

function externalIn(brief: string): string[] {
  return [...new Set([...brief.matchAll(EXTERNAL)].map(([name]) => name))].slice(0, EXTERNAL_MAX)
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
  requirements_contradict: ({ option, own, asked }) => {
    const [, one = '', other = ''] = /^- (.*)\n- (.*)$/m.exec(asked.text) ?? []
    if (option === 'The first holds') return revise(`"${one}" holds, not "${other}"`)
    if (option === 'The second holds') return revise(`"${other}" holds, not "${one}"`)
    return revise(own)
  },
  multiple_architectures: ({ option, own, asked }) => {
    if (option !== 'Option A' && option !== 'Option B') return revise(own)
    const [, feature = ''] = /^There are two good ways to build (.*)\.$/m.exec(asked.text) ?? []
    const id = asked.subject?.split(':')[2] ?? ''
    return revise(requestOf(id, option === 'Option A' ? 'a' : 'b', feature) ?? '')
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
