// What is told of an idea.
import { z } from 'zod'
import { ArtifactType, IdeaPhase, Slug } from '../idea.ts'
import { count, event, firstLine, line, type Sentences, why } from './shape.ts'

const idea = Slug

/** Facts that move no item. */
const facts = [
  event('idea.started', {
    idea,
    title: z.string().max(300),
    engine: z.string().max(60).nullable(),
    by: z.string().max(200),
  }),
  event('idea.said', {
    idea,
    messageId: z.uuid(),
    role: z.enum(['user', 'assistant']),
    by: z.string().max(200),
    text: z.string().max(4_000),
  }),
  event('idea.artifact_saved', {
    idea,
    artifact: ArtifactType,
    summary: z.string().max(500),
    confidence: z.number().min(0).max(1),
  }),
  /** The first artifact was saved: the idea has a folder. */
  event('idea.candidate_created', { idea, title: z.string().max(300) }),
  event('idea.phase_changed', { idea, from: IdeaPhase, to: IdeaPhase }),
  /** No engine answers any more: it goes on as an interview. */
  event('idea.interview_began', { idea, why }),
  /** Somebody looked back on the talk. */
  event('idea.reviewed', { idea, gaps: z.int().min(0), learned: z.int().min(0) }),
  event('ideation.completed', { idea, title: z.string().max(300), brief: z.string().max(500) }),
] as const

export const ideaEvents = {
  facts,
  sentences: {
    'idea.started': ({ title, by }) => line(`${by} started the idea ${firstLine(title)}`),
    'idea.said': ({ idea, role, by, text }) =>
      line(
        role === 'user'
          ? `${by} wrote about ${idea}`
          : `${by === 'treadle' ? 'Treadle' : by} replied about ${idea}`,
        firstLine(text),
      ),
    'idea.artifact_saved': ({ idea, artifact, summary, confidence }) =>
      line(
        `${idea}: ${artifact.replaceAll('-', ' ')} understood`,
        `${summary} (${Math.round(confidence * 100)} % sure)`,
      ),
    'idea.candidate_created': ({ idea, title }) => line(`${idea} has a folder of its own`, firstLine(title)),
    'idea.phase_changed': ({ idea, from, to }) => line(`${idea} went from ${from} to ${to}`),
    'idea.interview_began': ({ idea, why }) => line(`${idea} goes on as an interview`, why, 'attention'),
    'idea.reviewed': ({ idea, gaps, learned }) =>
      line(`Retrospective for the idea ${idea}`, `${count(gaps, 'gap')}, ${count(learned, 'lesson')}`),
    'ideation.completed': ({ idea, brief }) => line(`The brief of ${idea} is ready`, brief, 'good'),
  } satisfies Sentences<(typeof facts)[number]>,
}
