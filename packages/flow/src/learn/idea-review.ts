// The look back on a finished talk about an idea, by rules: what was asked and answered, what is unsure, what took long.
import type { Idea, IdeaMessage, IdeaPhase, IdeaSignals } from '@treadle/contracts/idea'
import type { Gap, IdeaRetrospective } from '@treadle/contracts/planning-retrospective'
import { areOpposed } from '@treadle/memory/likeness'
import { FIELDS, openFields } from '../idea/interview.ts'

/** What was told of the talk, oldest first: words of people, and phases that it went on to. */
export type TalkStep = { readonly is: 'said' } | { readonly is: 'phase'; readonly to: IdeaPhase }

interface IdeaFacts {
  readonly idea: Pick<Idea, 'slug' | 'signals' | 'questions'>
  readonly messages: readonly Pick<IdeaMessage, 'role' | 'signals'>[]
  readonly steps: readonly TalkStep[]
}

/** What is less sure than this is worth another question. */
const UNSURE_BELOW = 0.7
/** Messages of a person that each phase needs: the sentence that it begins with, then one for each answer. */
const NEEDED: Readonly<Record<IdeaPhase, number>> = {
  EXPLORING: 4,
  NARROWING: 2,
  VALIDATING: 4,
  REFINING: 1,
  COMPLETE: 0,
}
/** More than so many times what is needed is long. */
const LONG_FACTOR = 2
const GAPS_MAX = 200
const STATEMENTS_MAX = 80
const TEXT_MAX = 200

export function reviewIdea(facts: IdeaFacts, at: Date): Omit<IdeaRetrospective, 'learned'> {
  const { idea, messages, steps } = facts
  const phases = phasesOf(steps)
  return {
    is: 'idea',
    slug: idea.slug,
    trigger: 'ideation.completed',
    reviewedAt: at.toISOString(),
    messages: messages.length,
    asked: askedIn(idea),
    phases,
    confidence: idea.signals.confidence,
    gaps: [
      ...unanswered(idea),
      ...unsure(idea.signals),
      ...longPhases(phases),
      ...replaced(messages),
      ...opposed(idea.signals),
    ].slice(0, GAPS_MAX),
  }
}

function askedIn({ signals, questions }: IdeaFacts['idea']): IdeaRetrospective['asked'] {
  const open = openFields(signals)
  const fields = FIELDS.map((field) => ({ about: field as string, answered: !open.includes(field) }))
  const own = questions.filter(({ id }) => !(FIELDS as readonly string[]).includes(id))
  return [...fields, ...own.map(({ text }) => ({ about: text, answered: false }))]
}

function unanswered(idea: IdeaFacts['idea']): Gap[] {
  return askedIn(idea)
    .filter(({ answered }) => !answered)
    .map(({ about }) => ({
      kind: 'unanswered',
      about: clip(about, 500),
      what: `${clip(about, TEXT_MAX)} has no answer`,
    }))
}

function unsure({ artifacts }: IdeaSignals): Gap[] {
  return artifacts
    .filter(({ type, confidence }) => type !== 'brief' && confidence < UNSURE_BELOW)
    .map(({ type, confidence }) => ({
      kind: 'unsure',
      about: type,
      what: `${type} is only ${Math.round(confidence * 100)} % sure`,
    }))
}

function phasesOf(steps: readonly TalkStep[]): IdeaRetrospective['phases'] {
  const phases: { phase: IdeaPhase; messages: number }[] = []
  let open = { phase: 'EXPLORING' as IdeaPhase, messages: 0 }
  for (const step of steps) {
    if (step.is === 'said') open.messages += 1
    else {
      phases.push(open)
      open = { phase: step.to, messages: 0 }
    }
  }
  return [...phases, ...(open.phase === 'COMPLETE' ? [] : [open])].slice(0, 20)
}

function isLong({ phase, messages }: { phase: IdeaPhase; messages: number }): boolean {
  return messages > LONG_FACTOR * NEEDED[phase]
}

function longPhases(phases: IdeaRetrospective['phases']): Gap[] {
  return phases.filter(isLong).map(({ phase, messages }) => ({
    kind: 'long_phase',
    about: phase,
    what: `${phase} took ${messages} messages; ${NEEDED[phase]} would have been enough`,
  }))
}

/** A person has said something else about the same later on. */
function replaced(messages: IdeaFacts['messages']): Gap[] {
  const known = new Map<string, string>()
  const gaps: Gap[] = []
  for (const { role, signals } of messages) {
    if (role !== 'user') continue
    for (const { type, text } of signals?.artifacts ?? []) {
      const before = known.get(type)
      if (type !== 'brief' && before !== undefined && before.trim() !== text.trim())
        gaps.push({
          kind: 'contradiction',
          about: type,
          what: `${type} was "${clip(before, TEXT_MAX)}", then "${clip(text, TEXT_MAX)}"`,
        })
      known.set(type, text)
    }
  }
  return gaps
}

function opposed(signals: IdeaSignals): Gap[] {
  const statements = statementsOf(signals)
  return statements.flatMap((one, nth) =>
    statements
      .slice(nth + 1)
      .filter((other) => areOpposed(one.text, other.text))
      .map(
        (other): Gap => ({
          kind: 'contradiction',
          about: one.about,
          what: `"${clip(one.text, TEXT_MAX)}" and "${clip(other.text, TEXT_MAX)}" cannot both hold`,
        }),
      ),
  )
}

function statementsOf({ artifacts, decisions, risks }: IdeaSignals): { about: string; text: string }[] {
  const said = [
    ...artifacts
      .filter(({ type }) => type !== 'brief')
      .map(({ type, text }) => ({ about: type as string, text })),
    ...decisions.map(({ type, text }) => ({ about: type as string, text })),
    ...risks.map(({ text }) => ({ about: 'risk', text })),
  ]
  return said
    .flatMap(({ about, text }) => text.split('\n').map((line) => ({ about, text: line.trim() })))
    .filter(({ text }) => text !== '')
    .slice(0, STATEMENTS_MAX)
}

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed()}…`
}
