// What a person should still say or decide; defaults hold meanwhile.

import { isJudgedByPerson } from './criteria.ts'
import type { Outline } from './design-spec.ts'
import { unknownLanguageIn } from './project-kind.ts'
import { OPTIONAL_DOCUMENTS, type Optional } from './spec-context.ts'
import { opposedIn, unclearIn } from './unclear.ts'

export function notedIn(outline: Outline, optional: Optional, open: readonly string[]): string[] {
  const { features, brief, requested, profile } = outline
  const vague = features.filter(
    ({ description, details, name }) =>
      (description === '' || description === name) && details.length === 0 && name.split(' ').length < 4,
  )
  const absent = (Object.keys(OPTIONAL_DOCUMENTS) as (keyof Optional)[]).filter(
    (name) => optional[name] === null,
  )
  const said = {
    requirements: features.map(({ name, description }) => ({
      id: 'FR-1',
      kind: 'functional' as const,
      text: description === '' ? name : `${name}: ${description}`,
      feature: name,
    })),
    criteria: requested.criteria.map((text) => ({ id: 'AC-1', text, check: null, task: null })),
  }
  return [
    ...beyondIn(brief),
    ...open.map((request) => `Asked for, and no rule understood it: ${request}`),
    ...vague.map(
      ({ name }) =>
        `${name} says only its name: what should it do? Until somebody says so, the tasks go by the name`,
    ),
    ...unclearIn(said)
      .filter(({ kind, text }) => kind !== 'quality' || !isJudgedByPerson(text))
      .map(
        ({ text, term }) =>
          `"${text}" can be read in more than one way: what does "${term}" mean? Until somebody says so, no test can tell`,
      ),
    ...opposedIn(said)
      .filter(({ one, other }) => !open.some((request) => request.includes(one) && request.includes(other)))
      .map(({ one, other }) => `"${one}" and "${other}" cannot both hold: which one does?`),
    ...(brief.targetUser === '' ? ['The brief does not say who it is for'] : []),
    ...(brief.problem === '' ? ['The brief does not say which problem it solves'] : []),
    ...(profile.greenfield ? [layoutWords(outline)] : []),
    ...(absent.length === 0
      ? []
      : [
          `Optional documents that are not there: ${absent.map((name) => OPTIONAL_DOCUMENTS[name]).join(', ')}`,
        ]),
  ]
}

function layoutWords({ brief, title, profile: { kind, language } }: Outline): string {
  const change = 'Change it with specification.layout in treadle.json'
  const unknown = language === 'ts' ? unknownLanguageIn([title, brief.solution].join('\n')) : null
  return unknown === null
    ? `There is no code yet, so the layout of a ${kind} project is assumed. ${change}`
    : `There is no code yet, and no layout for ${unknown} is known here, so that of a ${kind} project in TypeScript is assumed. ${change}`
}

const NAMED_MAX = 5

function beyondIn({ features, criteria, beyond }: Outline['brief']): string[] {
  const said = (count: number, what: string, names: readonly string[]) => {
    if (names.length === 0) return []
    const named = names.slice(0, NAMED_MAX).join(', ')
    const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : ''
    return [
      `The brief names ${count + names.length} ${what}, and the first ${count} are planned: make another idea of ${named}${more}`,
    ]
  }
  return [
    ...said(features.length, 'features', beyond.features),
    ...said(criteria.length, 'criteria', beyond.criteria),
  ]
}
