// The rest of a model after its provider was in trouble: one for the whole crew.
import { z } from 'zod'
import { AgentId, Instant } from '../ids.ts'
import { route } from '../route.ts'

const why = z.string().max(4_000)

const RestReport = z.discriminatedUnion('is', [
  /** May a call go out? */
  z.strictObject({ is: z.literal('ask') }),
  z.strictObject({
    is: z.literal('failed'),
    cause: z.enum(['rate_limited', 'overloaded', 'network']),
    why,
    retryAfterMs: z.number().min(0),
  }),
  z.strictObject({ is: z.literal('succeeded'), sentAt: Instant }),
  /** The call that was to try came to nothing. */
  z.strictObject({ is: z.literal('leave') }),
])

export const restRoutes = {
  restModel: route({
    method: 'POST',
    path: '/api/model-rests',
    key: 'crew',
    summary:
      'Ask whether a model rests, or say how a call of it went; after a rest one call of the crew tries',
    body: z.strictObject({
      agentId: AgentId,
      engine: z.string().min(1).max(60),
      provider: z.string().min(1).max(300),
      model: z.string().max(300),
      report: RestReport,
    }),
    response: z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('go') }),
      z.strictObject({ is: z.literal('try') }),
      z.strictObject({ is: z.literal('wait'), forMs: z.number(), until: Instant, why }),
    ]),
  }),
} as const
