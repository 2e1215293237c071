// Questions of an interview among all questions: what they are about, and how that is read back.
import { IDEATION, type QuestionRecord } from '@treadle/contracts/question'
import { type Field, isField } from './interview.ts'

export function subjectOf(slug: string, field: Field): string {
  return `idea:${slug}:${field}`
}

/** Which idea and which of its fields a question is about; null: it is another question. */
export function askedIn({
  agent,
  subject,
}: Pick<QuestionRecord, 'agent' | 'subject'>): { readonly slug: string; readonly field: Field } | null {
  const [kind, slug = '', field = ''] = (subject ?? '').split(':')
  return agent === IDEATION && kind === 'idea' && isField(field) ? { slug, field } : null
}
