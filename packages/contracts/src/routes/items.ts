// Items: listing, claiming, and what a person orders.
import { z } from 'zod'
import { StoredEvent } from '../event.ts'
import { AgentId, EventId } from '../ids.ts'
import { Item, ItemStatus, NewItem } from '../item.ts'
import { KeptReceipt } from '../receipt.ts'
import { by, inPath, itemPath, MOVED, NO_ITEM, page, route } from '../route.ts'
import { Run } from '../run.ts'

export const Claim = z.strictObject({ item: Item, run: Run, fence: z.int() })
export type Claim = z.infer<typeof Claim>

export const itemRoutes = {
  listItems: route({
    method: 'GET',
    path: '/api/items',
    summary: 'Items, by number',
    query: z.strictObject({
      status: ItemStatus.optional(),
      projectNumber: inPath.optional(),
      limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    }),
    response: page(Item),
  }),
  board: route({
    method: 'GET',
    path: '/api/board',
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
    summary: 'Add an item',
    body: NewItem,
    response: Item,
    status: 201,
  }),
  queue: route({
    method: 'GET',
    path: '/api/projects/queue',
    summary: 'Unclaimed items, next first',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    response: page(Item),
  }),
  showItem: route({
    method: 'GET',
    path: '/api/projects/:projectNumber/issues/:issueNumber',
    summary: 'One item with its runs and events',
    params: itemPath,
    problems: NO_ITEM,
    response: z.strictObject({ item: Item, runs: z.array(Run), events: z.array(StoredEvent) }),
  }),
  showReceipt: route({
    method: 'GET',
    path: '/api/projects/:projectNumber/issues/:issueNumber/receipt',
    summary: 'What the merge of an item states, and whether the merge commit names exactly that',
    params: itemPath,
    problems: { 404: 'There is no such item, it is not merged, or its merge has no receipt here' },
    response: KeptReceipt,
  }),
  claimItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/claim',
    summary: 'Claim an item',
    params: itemPath,
    problems: { ...NO_ITEM, 409: 'Already claimed; the holder is named' },
    body: z.strictObject({ agentId: AgentId, requestId: EventId.optional() }),
    response: Claim,
  }),
  releaseItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/release',
    summary: 'Take an item from its holder and put it back in the queue',
    params: itemPath,
    problems: MOVED,
    body: by.extend({ why: z.string().trim().min(1).max(1_000).optional() }),
    response: Item,
  }),
  approveItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/approve',
    summary: 'Approve the delivered change; it is merged',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
  rejectItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reject',
    summary: 'Send the delivered change back with feedback',
    params: itemPath,
    problems: MOVED,
    body: by.extend({ feedback: z.string().trim().min(1).max(4_000) }),
    response: Item,
  }),
  withdrawItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/withdraw',
    summary: 'Take an item out of the flow (reversible)',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
  reopenItem: route({
    method: 'POST',
    path: '/api/projects/:projectNumber/issues/:issueNumber/reopen',
    summary: 'Put an escalated, conflicting or withdrawn item back in the queue',
    params: itemPath,
    problems: MOVED,
    body: by,
    response: Item,
  }),
} as const
