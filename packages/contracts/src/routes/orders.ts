// Orders to the whole crew and the queue, the log of all orders, and the work that was kept.
import { z } from 'zod'
import { Cursor } from '../event.ts'
import { ItemRef } from '../ids.ts'
import { AuditEntry, KeptWork, Order, OrderGiven, OrderPreview } from '../order.ts'
import { by, decision, inPath, page, route } from '../route.ts'

const REFUSED = {
  404: 'There is no such agent, item or purge',
  409: 'confirm_needed, with what it will hit and a token to confirm it; or the state does not allow it',
}

export const orderRoutes = {
  previewOrder: route({
    method: 'POST',
    path: '/api/orders/preview',
    key: 'owner',
    summary: 'What an order will hit, and the token that confirms it, good for one minute and one use',
    body: z.strictObject({ order: Order }),
    problems: { 404: REFUSED[404], 409: 'The state does not allow it' },
    response: OrderPreview,
  }),
  giveOrder: route({
    method: 'POST',
    path: '/api/orders',
    key: 'owner',
    decides: true,
    summary: 'Give an order; one that destroys something has to be confirmed',
    body: decision.extend({ order: Order, confirm: z.string().max(200).optional() }),
    problems: REFUSED,
    response: OrderGiven,
  }),
  audit: route({
    method: 'GET',
    path: '/api/audit',
    key: 'crew',
    summary: 'Every order that was given, newest first',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      before: Cursor.optional(),
    }),
    response: page(AuditEntry),
  }),
  listKept: route({
    method: 'GET',
    path: '/api/kept',
    key: 'crew',
    summary: 'Work that was kept and can be brought back, newest first',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(500).default(50),
      issueNumber: inPath.optional(),
      /** Also what changed nothing. */
      all: z.stringbool().default(false),
    }),
    response: page(KeptWork),
  }),
  restoreKept: route({
    method: 'POST',
    path: '/api/kept/restore',
    key: 'owner',
    summary: 'Bring kept work back on a new branch, and in a new worktree if a folder is named',
    body: by.extend({
      /** The reference, or the id of a run for the last that was kept of it. */
      what: z.string().min(1).max(300),
      branch: z.string().min(1).max(200).optional(),
      worktree: z.string().min(1).max(4_000).optional(),
    }),
    problems: {
      404: 'Nothing is kept under that name',
      409: 'The branch or the folder is there already',
    },
    response: z.strictObject({
      ref: z.string(),
      commit: z.string(),
      branch: z.string(),
      worktree: z.string().nullable(),
      item: ItemRef.nullable(),
    }),
  }),
} as const
