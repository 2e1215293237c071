// The open questions of an interview stand among all other questions, too: one row for each, settled by what is said.
import { createHash } from 'node:crypto'
import type { Idea, IdeaQuestion } from '@treadle/contracts/idea'
import { IDEATION, type NewQuestion, QuestionAnswer } from '@treadle/contracts/question'
import { readReply } from '../ask/reply.ts'
import { about, answerQuestion } from '../ask/settle.run.ts'
import { subjectOf } from './asked.ts'
import { type Field, isField } from './interview.ts'
import type { SpokenWords, TalkWorld } from './talk-world.ts'

type AskWorld = Pick<TalkWorld, 'store' | 'now' | 'uuid' | 'catalogue'>

const CREATED = 'idea_created'
const BY_MAX = 100

/** The words of the catalogue about fields of an interview. */
export function catalogueWords({
  catalogue,
}: Pick<TalkWorld, 'catalogue'>): Partial<Record<Field, Omit<IdeaQuestion, 'id'>>> {
  const [first] = catalogue({ agent: IDEATION, event: CREATED, facts: {} })
  return first === undefined
    ? {}
    : { 'target-user': { text: first.text, options: first.options.map(({ label }) => label) } }
}

/** Puts each open question that is not there yet. Within the transaction that changes the idea. */
export async function askOpen(
  world: AskWorld,
  idea: Pick<Idea, 'slug' | 'phase' | 'title' | 'questions'>,
): Promise<void> {
  const { store } = world
  for (const question of idea.questions) {
    if (!isField(question.id)) continue
    const subject = subjectOf(idea.slug, question.id)
    const template = templateOf(question.id)
    if ((await store.questions.about(template, subject)) !== null) continue
    const record = await store.questions.add(
      {
        question: { id: world.uuid(), ...asAgentQuestion(world, idea, question) },
        event: question.id === 'target-user' ? CREATED : null,
        template,
        subject,
        item: null,
        runId: null,
        askedAs: null,
        // No answer about one idea is ever one about another.
        key: createHash('sha256').update(subject).digest('hex'),
        // It stays as long as the talk does: nobody waits, and nothing holds instead.
        remindAt: null,
        dueAt: null,
      },
      world.now(),
    )
    if (record === null) continue
    const { id, number, type, blocking, agent, text } = record
    await store.events.append({
      ...about(record, record.askedAt),
      id: `question:${id}:asked`,
      event: { type: 'question.asked', question: { id, number, type, blocking, agent, text } },
    })
  }
}

function asAgentQuestion(
  world: AskWorld,
  { slug, phase, title }: Pick<Idea, 'slug' | 'phase' | 'title'>,
  { id, text }: IdeaQuestion,
) {
  const template: NewQuestion | undefined =
    id === 'target-user' ? world.catalogue({ agent: IDEATION, event: CREATED, facts: {} })[0] : undefined
  return {
    // Nobody is held up: whoever talks is asked in the talk.
    type: 'confirming' as const,
    blocking: false,
    agent: IDEATION,
    phase,
    text,
    context: template?.context ?? `About the idea "${title}".`,
    options: template?.options ?? [],
    allowFreeText: true,
    ideaId: slug,
    sessionId: slug,
    tags: [id],
  }
}

function templateOf(field: Field): string {
  return `${IDEATION}/interview#${field}`
}

/** What was said is the answer to the question about this field. */
export async function settleAnswered(
  { store, now }: AskWorld,
  { slug }: Pick<Idea, 'slug'>,
  { field, text, by }: Pick<SpokenWords, 'text' | 'by'> & { readonly field: Field },
): Promise<void> {
  const asked = await store.questions.about(templateOf(field), subjectOf(slug, field))
  const kept = asked === null ? null : await store.questions.lock(asked.id)
  if (kept === null || kept.record.status !== 'open') return
  const reply = readReply(kept.record, text)
  const words = reply.is === 'answer' ? { text: reply.text, option: reply.option } : { text, option: null }
  const given = { ...words, by: by.slice(0, BY_MAX), at: now().toISOString(), how: 'person' as const }
  const read = QuestionAnswer.safeParse(given)
  if (read.success) await answerQuestion(store, kept, read.data)
}
