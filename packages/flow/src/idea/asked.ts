// Questions of a talk among all questions: what they are about, and how that is read back.
import { IDEATION, type QuestionRecord } from '@treadle/contracts/question'
import { type Field, isField } from './interview.ts'

/** `what` is a field of the interview, an event of the catalogue, or the place of a question in a reply. */
export function subjectOf(slug: string, what: string): string {
  return `idea:${slug}:${what}`
}

/** Which idea a question is about, and which of its fields; null: it is another question. */
export function askedIn({ agent, subject }: Pick<QuestionRecord, 'agent' | 'subject'>): {
  readonly slug: string
  readonly field: Field | null
} | null {
  const [kind, slug = '', what = ''] = (subject ?? '').split(':')
  if (agent !== IDEATION || kind !== 'idea') return null
  return { slug, field: isField(what) ? what : null }
}

/** What a person says in a talk who answers one question of it elsewhere. */
export function quoted({ text }: Pick<QuestionRecord, 'text'>, answer: string): string {
  const asked = text.split('\n', 1)[0] ?? ''
  return `${asked}\n${answer}`
}
