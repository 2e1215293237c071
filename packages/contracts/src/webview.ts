// What the dashboard inside an editor and its host say to each other. The host has the owner’s key; the page never sees it.
import { z } from 'zod'
import { AlertLevel } from './cost.ts'
import { Cursor, StoredEvent } from './event.ts'
import { Positive } from './ids.ts'

/** On every message of ours, so that those of others are let alone. */
export const WEBVIEW_PROTOCOL = 1
const marked = { treadle: z.literal(WEBVIEW_PROTOCOL) }
const id = z.int().positive()
const why = z.string().max(4_000)

/** What an editor can do and a browser cannot. */
export const HostCommand = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('open_merge_editor'),
    conflictId: Positive,
    /** The file in the repository that both sides changed. */
    file: z.string().min(1).max(4_096),
    /** The commit both sides started from, if it is known. */
    base: z.string().max(200).nullable(),
    target: z.string().min(1).max(500),
    branch: z.string().min(1).max(500),
  }),
])
export type HostCommand = z.infer<typeof HostCommand>

export const FromPage = z.discriminatedUnion('is', [
  z.strictObject({
    ...marked,
    is: z.literal('request'),
    id,
    method: z.enum(['GET', 'POST']),
    /** With its query; only the API's own routes are passed on. */
    path: z.string().startsWith('/').max(8_192),
    body: z.string().max(4_194_304).nullable(),
  }),
  /** Everything after the cursor from now on; a second one takes the place of the first. */
  z.strictObject({ ...marked, is: z.literal('listen'), after: Cursor }),
  z.strictObject({ ...marked, is: z.literal('command'), id, command: HostCommand }),
  z.strictObject({
    ...marked,
    is: z.literal('notify'),
    level: AlertLevel,
    title: z.string().max(500),
    text: z.string().max(4_000),
  }),
])
export type FromPage = z.infer<typeof FromPage>

export const FromHost = z.discriminatedUnion('is', [
  z.strictObject({
    ...marked,
    is: z.literal('response'),
    id,
    status: z.int().min(200).max(599),
    text: z.string(),
  }),
  /** The daemon does not answer. */
  z.strictObject({ ...marked, is: z.literal('unreachable'), id, why }),
  /** A command was carried out. */
  z.strictObject({ ...marked, is: z.literal('done'), id }),
  /** The host itself could not, or would not. */
  z.strictObject({ ...marked, is: z.literal('failed'), id, why }),
  z.strictObject({ ...marked, is: z.literal('events'), events: z.array(StoredEvent) }),
  z.strictObject({ ...marked, is: z.literal('socket'), socket: z.enum(['opening', 'open', 'closed']) }),
  /** Something is wrong that belongs to no request. */
  z.strictObject({ ...marked, is: z.literal('trouble'), why }),
])
export type FromHost = z.infer<typeof FromHost>

/** What outlives a page that is hidden: where the reader was, and what was opened or switched. */
export const WebviewState = z.strictObject({
  route: z.string().max(2_000),
  kept: z.record(z.string().max(200), z.union([z.boolean(), z.string().max(2_000)])),
})
export type WebviewState = z.infer<typeof WebviewState>

/** Of a message that is ours but not readable: whom it was meant for. */
export const Addressed = z.looseObject({ ...marked, id })
/** Ours at all? */
export const Marked = z.looseObject(marked)
