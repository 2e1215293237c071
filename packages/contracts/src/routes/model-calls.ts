// Calls of models under way at once: the crew has so many together, and further ones wait in their order.
import { z } from 'zod'
import { AgentId, Positive } from '../ids.ts'
import { nothing, route, waitMs } from '../route.ts'

export const modelCallRoutes = {
  beginModelCall: route({
    method: 'POST',
    path: '/api/model-calls',
    key: 'crew',
    summary:
      'Ask whether a call of a model may begin; with waitMs, as soon as it may. Asked again with the same id it is the same call',
    body: z.strictObject({
      id: z.uuid(),
      agentId: AgentId,
      /** The agent's process: what it has under way ends with it. */
      pid: Positive,
      model: z.string().max(300),
      /** It has begun, and goes on: said every 30 s, also to a daemon that has not heard of it. */
      goesOn: z.boolean().default(false),
      waitMs,
    }),
    response: z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('go') }),
      z.strictObject({ is: z.literal('wait'), ahead: z.int().min(0) }),
    ]),
  }),
  endModelCall: route({
    method: 'POST',
    path: '/api/model-calls/:id/end',
    key: 'crew',
    summary: 'A call of a model is over, or is not wanted any more; the next may begin',
    params: z.strictObject({ id: z.uuid() }),
    response: nothing,
  }),
} as const
