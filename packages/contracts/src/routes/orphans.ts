// Agents that an earlier daemon has left behind.
import { z } from 'zod'
import { AgentId } from '../ids.ts'
import { Orphan } from '../orphan.ts'
import { by, page, route } from '../route.ts'

export const orphanRoutes = {
  listOrphans: route({
    method: 'GET',
    path: '/api/orphans',
    key: 'crew',
    summary:
      'Session files without a process, and agent processes without a daemon, that nobody wants to run',
    response: page(Orphan),
  }),
  settleOrphan: route({
    method: 'POST',
    path: '/api/orphans/:id/:act',
    key: 'owner',
    summary: 'Recover one (it runs again, as its session file says) or delete it (process, file and claim)',
    params: z.strictObject({ id: AgentId, act: z.enum(['recover', 'delete']) }),
    body: by.extend({
      /** Deleting has to be confirmed. */
      confirm: z.boolean().default(false),
    }),
    problems: {
      404: 'There is no such orphan',
      409: 'confirm_needed; or there is nothing that it could be recovered from, or no room for it',
    },
    response: Orphan,
  }),
} as const
