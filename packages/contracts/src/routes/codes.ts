// The codes that decisions wait for, where nothing else keeps the crew from making them.
import { z } from 'zod'
import { Instant } from '../ids.ts'
import { ConfirmCode } from '../order.ts'
import { page, route, waitMs } from '../route.ts'

/** A decision that waits for its code. */
export const PendingCode = z.strictObject({
  id: z.uuid(),
  /** What it would do, such as "approve #3". */
  what: z.string(),
  code: ConfirmCode,
  expiresAt: Instant,
})
export type PendingCode = z.infer<typeof PendingCode>

export const codeRoutes = {
  listCodes: route({
    method: 'GET',
    path: '/api/codes',
    key: 'owner',
    summary: 'Codes that decisions wait for; with waitMs, as soon as there is one that is not in known',
    query: z.strictObject({
      waitMs,
      /** Ids that the caller has shown already, separated by commas. */
      known: z.string().max(4_000).default(''),
    }),
    response: page(PendingCode),
  }),
} as const
