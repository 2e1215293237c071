// What follows from a reviewer's answer. Its word alone approves nothing: each criterion needs evidence that holds.
import type { ReviewCriterion } from '@treadle/contracts/review'
import type { AnswerRead, CriterionAnswer, ReviewAnswer } from './answer.ts'

export type VerdictChoice =
  | { readonly is: 'approve'; readonly criteria: readonly ReviewCriterion[] }
  | {
      readonly is: 'reject'
      readonly criteria: readonly ReviewCriterion[]
      readonly issues: readonly string[]
      readonly changes: readonly string[]
    }
  | { readonly is: 'person'; readonly criteria: readonly ReviewCriterion[]; readonly why: string }

export interface VerdictFacts {
  readonly read: AnswerRead
  readonly criteria: readonly ReviewCriterion[]
  readonly holds: (evidence: string, criterion: ReviewCriterion) => boolean
}

export function decideVerdict({ read, criteria: asked, holds }: VerdictFacts): VerdictChoice {
  if (read.is === 'unreadable')
    return { is: 'person', criteria: asked, why: `the reviewer's answer cannot be used: ${read.why}` }
  const { answer } = read
  const criteria = asked.map((criterion, index) =>
    judged(criterion, answersTo(answer, criterion, index), holds),
  )
  const issues = issuesOf(answer, criteria)
  const unmet = criteria.some(({ status }) => status === 'not_met')
  const changes = answer.feedback.length > 0 ? answer.feedback : criteria.flatMap(changeFor)
  if (answer.status === 'REJECTED')
    return issues.length + answer.feedback.length > 0
      ? { is: 'reject', criteria, issues: issues.length > 0 ? issues : answer.feedback, changes }
      : { is: 'person', criteria, why: 'the reviewer rejects it and does not say why' }
  // Approved in one line and denied in another: what is said of the single criterion counts.
  if (unmet) return { is: 'reject', criteria, issues, changes }
  if (issues.length > 0)
    return { is: 'person', criteria, why: `the reviewer approves it and names faults: ${issues.join('; ')}` }
  const open = criteria.filter(({ status }) => status === 'pending').map(({ id }) => id)
  return open.length > 0
    ? { is: 'person', criteria, why: `the reviewer approves it without evidence for ${open.join(', ')}` }
    : { is: 'approve', criteria }
}

/** Several answers to one criterion: whoever denies it is heard. */
function judged(
  criterion: ReviewCriterion,
  answers: readonly CriterionAnswer[],
  holds: VerdictFacts['holds'],
): ReviewCriterion {
  const denied = answers.find(({ met }) => !met)
  if (denied !== undefined) return { ...criterion, status: 'not_met', note: denied.note || null }
  const shown = answers.find(({ note }) => holds(note, criterion))
  if (shown !== undefined) return { ...criterion, status: 'met', note: shown.note }
  // What a check has shown needs no second witness.
  if (criterion.status === 'met') return criterion
  const [said] = answers
  return { ...criterion, status: 'pending', note: said === undefined ? null : said.note || null }
}

function answersTo(
  { criteria }: ReviewAnswer,
  { id, description }: ReviewCriterion,
  index: number,
): CriterionAnswer[] {
  const [name, words] = [id.toLowerCase(), squeezed(description)]
  return criteria.filter(({ about }) => {
    const said = squeezed(about)
    const [first = ''] = said.split(/[\s:]/)
    const place = /^(?:criterion|acceptance criterion|#)\s*(\d{1,4})\b/.exec(said)?.[1]
    return (
      said === name ||
      first.replace(/[()[\],.]+$/, '') === name ||
      (place !== undefined && Number(place) === index + 1 && !named(said)) ||
      (words.length > 3 && said.endsWith(words))
    )
  })
}

function named(said: string): boolean {
  return /\bac-\d/.test(said)
}

function squeezed(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`"]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.]+$/, '')
    .trim()
}

function issuesOf({ quality }: ReviewAnswer, criteria: readonly ReviewCriterion[]): string[] {
  const unmet = criteria.flatMap(({ id, status, description, note }) =>
    status === 'not_met' ? [`Acceptance criterion ${id} not met: ${note ?? description}`] : [],
  )
  // Documentation advises and does not hold anything up.
  const faults = quality.flatMap(({ quality: name, passes, details }) =>
    passes || name === 'documentation'
      ? []
      : [`Code quality: ${name} failed${details === '' ? '' : `: ${details}`}`],
  )
  return [...unmet, ...faults]
}

function changeFor({ id, status, description }: ReviewCriterion): string[] {
  return status === 'not_met' ? [`Meet ${id}: ${description}`] : []
}
