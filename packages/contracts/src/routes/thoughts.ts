// Work of agents that changes no code: claimed, told of while it runs, and answered once.
import { z } from 'zod'
import { THOUGHT_SAID_MAX } from '../event/thought.ts'
import { CURSOR_START, Cursor, StoredEvent } from '../event.ts'
import { Slug } from '../idea.ts'
import { AgentId, EventId } from '../ids.ts'
import { by, page, route } from '../route.ts'
import { ClaimKey, OpenThought, Thought, ThoughtAnswer, ThoughtKind, ThoughtStatus } from '../thought.ts'

const thoughtPath = z.strictObject({ id: z.uuid() })
const NO_THOUGHT = { 404: 'There is no such thought' }
const ENDED = { ...NO_THOUGHT, 409: 'The claim of this thought has ended' }
/** The key that it was claimed with, where it was claimed with one. */
const held = { agentId: AgentId, fence: z.int().min(0), claimKey: ClaimKey.optional() }

export const claimBody = z.strictObject({
  agentId: AgentId,
  claimKey: ClaimKey.optional().describe(
    'Chosen by whoever claims: what is said and answered under this claim is then taken with the same one only',
  ),
})

/** How thinking ended: with an answer, or without one. */
export const ThoughtEnd = z.discriminatedUnion('is', [
  ThoughtAnswer.extend({ is: z.literal('answered') }),
  z.strictObject({ is: z.literal('failed'), why: z.string().min(1).max(4_000) }),
])
export type ThoughtEnd = z.infer<typeof ThoughtEnd>

export const thoughtRoutes = {
  listThoughts: route({
    method: 'GET',
    path: '/api/thoughts',
    key: 'crew',
    summary: 'Thoughts of any status, newest first',
    query: z.strictObject({
      status: ThoughtStatus.optional(),
      kind: ThoughtKind.optional(),
      subject: Slug.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    response: page(Thought),
  }),
  openThoughts: route({
    method: 'GET',
    path: '/api/thoughts/open',
    key: 'crew',
    summary: 'Thoughts that are not over, newest first, without what is asked',
    query: z.strictObject({
      subject: Slug.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    response: page(OpenThought),
  }),
  thoughtHistory: route({
    method: 'GET',
    path: '/api/thoughts/:id/history',
    key: 'crew',
    summary: 'What was told of a thought, oldest first, page by page: ask again with the cursor',
    params: thoughtPath,
    query: z.strictObject({
      after: Cursor.default(CURSOR_START),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
    problems: NO_THOUGHT,
    response: z.strictObject({ items: z.array(StoredEvent), cursor: Cursor }),
  }),
  showThought: route({
    method: 'GET',
    path: '/api/thoughts/:id',
    key: 'crew',
    summary: 'One thought, with what is asked and what was answered',
    params: thoughtPath,
    problems: NO_THOUGHT,
    response: Thought,
  }),
  claimThought: route({
    method: 'POST',
    path: '/api/thoughts/:id/claim',
    key: 'crew',
    summary: 'Take a thought that waits; one gets it, everybody else is told so',
    params: thoughtPath,
    body: claimBody,
    problems: { ...NO_THOUGHT, 409: 'Somebody else has it, it is over, or it is about own work' },
    response: Thought,
  }),
  sayThought: route({
    method: 'POST',
    path: '/api/thoughts/:id/said',
    key: 'crew',
    summary: 'A part of what the model says while it answers; the same event id again is nothing new',
    params: thoughtPath,
    body: z.strictObject({
      ...held,
      eventId: EventId,
      text: z.string().max(THOUGHT_SAID_MAX),
      leftOut: z.int().min(1).optional(),
    }),
    problems: ENDED,
    response: z.strictObject({ is: z.enum(['told', 'duplicate']) }),
  }),
  answerThought: route({
    method: 'POST',
    path: '/api/thoughts/:id/answer',
    key: 'crew',
    summary: 'The answer of whoever has claimed it; the daemon reads it and acts on it, once',
    params: thoughtPath,
    body: z.strictObject({ ...held, end: ThoughtEnd }),
    problems: ENDED,
    response: z.strictObject({ is: z.enum(['taken', 'duplicate']), thought: Thought }),
  }),
  withdrawThought: route({
    method: 'POST',
    path: '/api/thoughts/:id/withdraw',
    key: 'owner',
    summary: 'Nobody is to think about it any more; what is said of it later is not taken',
    params: thoughtPath,
    body: by,
    problems: { ...NO_THOUGHT, 409: 'It is over already' },
    response: Thought,
  }),
} as const
