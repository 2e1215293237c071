// Files that agents have in builds, and who waits for them.
import { z } from 'zod'
import { AgentId, RunId } from '../ids.ts'
import { FileLock, LockWait } from '../lock.ts'
import { page, route } from '../route.ts'

export const lockRoutes = {
  listLocks: route({
    method: 'GET',
    path: '/api/locks',
    key: 'crew',
    summary: 'Files that agents have in builds, and which item waits for which; what has expired is left out',
    response: page(FileLock).extend({ waits: z.array(LockWait) }),
  }),
  takeFiles: route({
    method: 'POST',
    path: '/api/runs/:id/locks',
    key: 'crew',
    summary:
      'Take further files for a task of a build, before they are written; they are free again with its claim',
    params: z.strictObject({ id: RunId }),
    problems: {
      404: 'There is no such run',
      409: 'Another item has one of the files, which is named; or the claim is over, or the item belongs to no build',
    },
    body: z.strictObject({
      agentId: AgentId,
      fence: z.int().min(1),
      files: z.array(z.string().trim().min(1).max(500)).min(1).max(200),
    }),
    response: page(FileLock),
  }),
} as const
