// Conflicts: those that wait for a person, and those that are coming.
import { z } from 'zod'
import { Conflict, ConflictStatus, ConflictView, PredictedConflict } from '../conflict.ts'
import { ConflictParts, Settlement } from '../conflict-parts.ts'
import { AgentId } from '../ids.ts'
import { Item } from '../item.ts'
import { by, decision, inPath, page, route } from '../route.ts'

const conflictPath = z.strictObject({ id: inPath })
const NO_CONFLICT = { 404: 'There is no such conflict' }
const OVER = {
  ...NO_CONFLICT,
  409: 'The conflict does not wait for anybody, or is not resolved on the branch',
}

export const conflictRoutes = {
  conflictQueue: route({
    method: 'GET',
    path: '/api/conflicts/queue',
    key: 'crew',
    summary: 'Conflicts that wait for a person, oldest first',
    response: page(Conflict),
  }),
  predictedConflicts: route({
    method: 'GET',
    path: '/api/conflicts/predicted',
    key: 'crew',
    summary: 'Pairs of live branches, and branches and the target, that would conflict as they are now',
    response: page(PredictedConflict),
  }),
  listConflicts: route({
    method: 'GET',
    path: '/api/conflicts',
    key: 'crew',
    summary: 'Conflicts of any status, newest first',
    query: z.strictObject({
      status: ConflictStatus.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    response: page(Conflict),
  }),
  showConflict: route({
    method: 'GET',
    path: '/api/conflicts/:id',
    key: 'crew',
    summary: 'One conflict, and how to resolve it by hand',
    params: conflictPath,
    problems: NO_CONFLICT,
    response: z.strictObject({
      conflict: Conflict,
      target: z.string(),
      /** Git commands, one per line of a shell. */
      commands: z.array(z.string()),
    }),
  }),
  conflictView: route({
    method: 'GET',
    path: '/api/conflicts/:id/view',
    key: 'crew',
    summary:
      'The conflicting files as git sees them now: the merge with its markers, and what each side changed',
    params: conflictPath,
    problems: { ...NO_CONFLICT, 409: 'The branch is gone, or has nothing in common with the target' },
    response: ConflictView,
  }),
  conflictParts: route({
    method: 'GET',
    path: '/api/conflicts/:id/parts',
    key: 'crew',
    summary: 'The conflicting files in parts: what both sides agree on, and each place that is to be decided',
    params: conflictPath,
    problems: { ...NO_CONFLICT, 409: 'The branch is gone, or has nothing in common with the target' },
    response: ConflictParts,
  }),
  settleConflict: route({
    method: 'POST',
    path: '/api/conflicts/:id/settle',
    key: 'owner',
    decides: true,
    summary:
      'Resolve by choices: they are committed on the branch as a merge, and the merge goes on, checks included',
    params: conflictPath,
    problems: {
      ...NO_CONFLICT,
      409: 'The conflict does not wait for anybody, a side has moved since it was read, or something is not decided',
    },
    body: decision.extend(Settlement.shape),
    response: z.strictObject({ conflict: Conflict, item: Item }),
  }),
  resolveConflict: route({
    method: 'POST',
    path: '/api/conflicts/:id/resolve',
    key: 'owner',
    decides: true,
    summary: 'Mark resolved: the branch merges cleanly again; the merge goes on, checks included',
    params: conflictPath,
    problems: OVER,
    body: decision,
    response: z.strictObject({ conflict: Conflict, item: Item }),
  }),
  abortConflict: route({
    method: 'POST',
    path: '/api/conflicts/:id/abort',
    key: 'owner',
    summary: 'Abort and reassign: the item goes back to the backlog, for anybody or for one agent',
    params: conflictPath,
    problems: OVER,
    body: by.extend({
      agentId: AgentId.nullable().default(null),
      /** What whoever takes it up is told. */
      words: z.string().trim().min(1).max(4_000).optional(),
    }),
    response: z.strictObject({ conflict: Conflict, item: Item }),
  }),
} as const
