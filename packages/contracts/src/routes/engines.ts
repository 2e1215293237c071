// Engines: which of them can be used in this workspace, as they say themselves.
import { z } from 'zod'
import { route } from '../route.ts'

const EngineFound = z.strictObject({
  name: z.string(),
  usable: z.boolean(),
  /** What was found, or why it cannot be used. */
  found: z.string(),
  /** What to do about it; null: nothing. */
  hint: z.string().nullable(),
})
export type EngineFound = z.infer<typeof EngineFound>

export const engineRoutes = {
  listEngines: route({
    method: 'GET',
    path: '/api/engines',
    key: 'crew',
    summary: 'Engines that were found on this machine, and why the others cannot be used; asks no model',
    response: z.strictObject({
      /** engines.default */
      default: z.string(),
      items: z.array(EngineFound),
    }),
  }),
} as const
