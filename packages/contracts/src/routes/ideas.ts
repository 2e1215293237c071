// Ideas: a talk that becomes documents.
import { z } from 'zod'
import { IdeaMessage, IdeaStatus, IdeaView, MESSAGE_CHARS_MAX, Slug } from '../idea.ts'
import { plain } from '../question.ts'
import { by, page, route, waitMs } from '../route.ts'

const ideaPath = z.strictObject({ id: Slug })
const NO_IDEA = { 404: 'There is no such idea' }
const limit = z.coerce.number().int().min(1).max(1_000).default(100)
const words = z
  .string()
  .overwrite(plain)
  .trim()
  .min(1, 'there are no words in it')
  .max(MESSAGE_CHARS_MAX, `must be at most ${MESSAGE_CHARS_MAX.toLocaleString('en')} characters`)
  // Characters that nobody sees are no words either.
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), 'there are no words in it')

export const ideaRoutes = {
  listIdeas: route({
    method: 'GET',
    path: '/api/ideation/sessions',
    key: 'crew',
    summary: 'Ideas, the last changed first',
    query: z.strictObject({ status: IdeaStatus.optional(), limit }),
    response: page(IdeaView),
  }),
  startIdea: route({
    method: 'POST',
    path: '/api/ideation/sessions',
    key: 'owner',
    summary: 'Begin to talk about an idea; the name of its folder is made of its first words',
    body: by.extend({
      text: words,
      /** Who answers; none: an interview. Left out: the engine of the settings if it can read, else an interview. */
      engine: z.string().min(1).max(60).optional(),
      /** Chosen by whoever sends it: the same twice is the same idea. */
      messageId: z.uuid().optional(),
    }),
    problems: { 400: 'There is no such engine' },
    response: IdeaView,
    status: 201,
  }),
  showIdea: route({
    method: 'GET',
    path: '/api/ideation/sessions/:id',
    key: 'crew',
    summary: 'One idea; with waitMs, as soon as it waits for no reply',
    params: ideaPath,
    query: z.strictObject({ waitMs }),
    problems: NO_IDEA,
    response: IdeaView,
  }),
  sayToIdea: route({
    method: 'POST',
    path: '/api/ideation/sessions/:id/messages',
    key: 'owner',
    summary: 'Say something; in an interview it answers the first question that is open',
    params: ideaPath,
    body: by.extend({
      text: words,
      messageId: z.uuid().optional(),
      /** Who answers from now on; none: an interview, whose first open question this answers. Left out: as before. */
      engine: z.string().min(1).max(60).optional(),
    }),
    problems: { ...NO_IDEA, 400: 'There is no such engine', 409: 'It is archived' },
    response: IdeaView,
  }),
  ideaMessages: route({
    method: 'GET',
    path: '/api/ideation/sessions/:id/messages',
    key: 'crew',
    summary: 'What was said, oldest first',
    params: ideaPath,
    query: z.strictObject({ limit }),
    problems: NO_IDEA,
    response: page(IdeaMessage),
  }),
  ideaBrief: route({
    method: 'GET',
    path: '/api/ideation/sessions/:id/brief',
    key: 'crew',
    summary: 'The brief as it stands in the repository, hand edits included',
    params: ideaPath,
    problems: {
      404: 'There is no such idea, or no brief yet',
      409: 'The file is there and cannot be read',
    },
    response: z.strictObject({ path: z.string(), text: z.string() }),
  }),
} as const
