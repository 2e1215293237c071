// What a person should still say or decide; defaults hold meanwhile.

import { ambiguousIn } from './asked.ts'
import type { Outline } from './design-spec.ts'
import { OPTIONAL_DOCUMENTS, type Optional } from './spec-context.ts'

export function notedIn(outline: Outline, optional: Optional, open: readonly string[]): string[] {
  const { features, brief, requested, profile } = outline
  const vague = features.filter(
    ({ description, details, name }) =>
      (description === '' || description === name) && details.length === 0 && name.split(' ').length < 4,
  )
  const absent = (Object.keys(OPTIONAL_DOCUMENTS) as (keyof Optional)[]).filter(
    (name) => optional[name] === null,
  )
  return [
    ...open.map((request) => `Asked for, and no rule understood it: ${request}`),
    ...vague.map(
      ({ name }) =>
        `${name} says only its name: what should it do? Until somebody says so, the tasks go by the name`,
    ),
    ...ambiguousIn({
      requirements: [],
      criteria: requested.criteria.map((text) => ({ id: 'AC-1', text, check: null, task: null })),
    }).map(
      ({ text, term }) =>
        `"${text}" can be read in more than one way: how ${term} is ${term}? Until somebody says so, nobody measures it`,
    ),
    ...(brief.targetUser === '' ? ['The brief does not say who it is for'] : []),
    ...(brief.problem === '' ? ['The brief does not say which problem it solves'] : []),
    ...(profile.greenfield
      ? [
          `There is no code yet, so the layout of a ${profile.kind} project is assumed. Change it with specification.layout in treadle.json`,
        ]
      : []),
    ...(absent.length === 0
      ? []
      : [
          `Optional documents that are not there: ${absent.map((name) => OPTIONAL_DOCUMENTS[name]).join(', ')}`,
        ]),
  ]
}
