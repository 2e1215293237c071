// Items: listing, claiming, and what a person orders.

import { z } from 'zod'
import { COMMENTS_MAX, LineComment } from '../delivery.ts'
import { StoredEvent } from '../event.ts'
import { AgentId, CommitId, EventId } from '../ids.ts'
import { Item, ItemChanges, ItemStatus, NewItem } from '../item.ts'
import { CallerName } from '../order.ts'
import { Guidance } from '../paor.ts'
import { KeptReceipt } from '../receipt.ts'
import { RevertedBy, RevertOrdered } from '../revert.ts'
import { by, decision, inPath, itemPath, MOVED, NO_ITEM, page, route } from '../route.ts'
import { Run } from '../run.ts'

export const Claim = z.strictObject({ item: Item, run: Run, fence: z.int() })
export type Claim = z.infer<typeof Claim>

/** The next claim starts from the target, and not from what was delivered. */
const fresh = z.boolean().optional()
/** The delivery that whoever decides has read: if there is another by now, nothing is decided. */
const head = CommitId.optional()

const DECIDED = { ...MOVED, 409: `${MOVED[409]}, or there is a newer delivery than the one named by head` }

const rejection = decision
  .extend({
    feedback: z.string().trim().max(4_000).default(''),
    comments: z.array(LineComment).max(COMMENTS_MAX).optional(),
    fresh,
    head,
  })
  .refine(({ feedback, comments = [] }) => feedback !== '' || comments.length > 0, {
    message: 'say what should change, as feedback or in comments',
    path: ['feedback'],
  })
  .refine((body) => body.comments === undefined || body.head !== undefined, {
    message: 'comments are on lines of a delivery: say which one by its commit',
    path: ['head'],
  })

/** Up to fifty, with commas between them. */
const NumberList = z.string().regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,49}$/)

export const itemRoutes = {
  listItems: route({
    method: 'GET',
    path: '/api/items',
    key: 'crew',
    summary: 'Items, by number',
    query: z.strictObject({
      status: ItemStatus.optional(),
      projectNumber: inPath.optional(),
      /** Only these. */
      numbers: NumberList.optional(),
      /** Only those with this label. */
      label: z.string().min(1).max(100).optional(),
      limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    }),
    response: page(Item),
  }),
  board: route({
    method: 'GET',
    path: '/api/board',
    key: 'crew',
    summary: 'Everything that is not over, and the newest of what is; what was left out is counted',
    query: z.strictObject({ ended: z.coerce.number().int().min(0).max(1_000).default(300) }),
    response: z.strictObject({
      items: z.array(Item),
      leftOut: z.strictObject({ open: z.int(), ended: z.int() }),
    }),
  }),
  addItem: route({
    method: 'POST',
    path: '/api/items',
    key: 'crew',
    summary: 'Add an item',
    body: NewItem.extend({ by: CallerName.optional() }),
    response: Item,
    status: 201,
  }),
  queue: route({
    method: 'GET',
    path: '/api/projects/queue',
    key: 'crew',
    summary: 'Unclaimed items, next first',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    response: page(Item),
  }),
  showItem: route({
    method: 'GET',
    path: '/api/projects/:projectNumber/issues/:issueNumber',
    key: 'crew',
    summary: 'One item with its runs and events',
    params: itemPath,
    problems: NO_ITEM,
    response: z.strictObject({
      item: Item,
      runs: z.array(Run),
      events: z.array(StoredEvent),
      /** All that was booked for it, builders and reviewers together; null if nothing was. */
      costUSD: z.number().nullable(),
      /** The item that takes its merge back, or has done so; null: none does. */
      revertedBy: RevertedBy.nullable(),
    }),
  }),
  showReceipt: route({
    method: 'GET',
    path: '/api/projects/:projectNumber/issues/:issueNumber/receipt',
    key: 'crew',
    summary: 'What the merge of an item states, and whether the merge commit names exactly that',
    params: itemPath,
    problems: { 404: 'There is no such item, it is not merged, or its merge has no receipt here' },
    response: KeptReceipt,
  }),
  editItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/edit',
    key: 'owner',
    summary: 'Change what an item has to do with others, or its place in the queue',
    params: itemPath,
    problems: {
      ...MOVED,
      400: 'An item that is named does not exist or is withdrawn, or would wait for itself',
    },
    body: by.extend(ItemChanges.shape),
    response: Item,
  }),
  claimItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/claim',
    key: 'crew',
    summary: 'Claim an item',
    params: itemPath,
    problems: {
      ...NO_ITEM,
      409: "Already claimed, the holder is named; or blocked by others, or one of its files is somebody else's: they are named",
    },
    body: z.strictObject({ agentId: AgentId, requestId: EventId.optional() }),
    response: Claim,
  }),
  releaseItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/release',
    key: 'owner',
    summary: 'Take an item from its holder and put it back in the queue',
    params: itemPath,
    problems: MOVED,
    body: by.extend({ why: z.string().trim().min(1).max(1_000).optional() }),
    response: Item,
  }),
  approveItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/approve',
    key: 'owner',
    decides: true,
    summary: 'Approve the delivered change; it is merged',
    params: itemPath,
    problems: DECIDED,
    body: decision.extend({ head }),
    response: Item,
  }),
  rejectItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reject',
    key: 'owner',
    decides: true,
    summary: 'Request changes: send the delivered change back with feedback, comments on its lines, or both',
    params: itemPath,
    problems: DECIDED,
    body: rejection,
    response: Item,
  }),
  withdrawItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/withdraw',
    key: 'owner',
    summary: 'Take an item out of the flow (reversible); the answer names the items that wait for it',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item.extend({ waitedForBy: z.array(z.int()) }),
  }),
  reopenItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reopen',
    key: 'owner',
    decides: true,
    summary: 'Put an escalated, conflicting or withdrawn item back in the queue',
    params: itemPath,
    problems: MOVED,
    body: decision.extend({
      fresh,
      /** What the next attempt should know: guidance to its runs, as if said to one. */
      text: Guidance.shape.text.optional(),
    }),
    response: Item,
  }),
  revertItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/revert',
    key: 'owner',
    decides: true,
    summary: 'Take back a merged item, as an item of its own; asked again, the answer is the same item',
    params: itemPath,
    problems: {
      ...NO_ITEM,
      409: 'It is not merged, its merge is not in the history of the target, or it is taken back already',
    },
    body: decision,
    response: RevertOrdered,
  }),
} as const
