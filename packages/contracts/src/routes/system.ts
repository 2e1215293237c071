// The daemon itself: its health, settings, events and evidence.
import { z } from 'zod'
import { Config } from '../config.ts'
import { CURSOR_START, Cursor, StoredEvent } from '../event.ts'
import { HealthReport } from '../health.ts'
import { Instant, Sha256 } from '../ids.ts'
import { RestsOn } from '../item.ts'
import { Machine } from '../machine.ts'
import { NOTHING_KNOWN, Readiness } from '../readiness.ts'
import { Resources } from '../resources.ts'
import { by, nothing, page, route } from '../route.ts'

export const Health = z.strictObject({
  ok: z.boolean(),
  version: z.string(),
  pid: z.int(),
  workspace: z.string(),
  store: z.strictObject({
    driver: z.enum(['embedded', 'server']),
    ok: z.boolean(),
    durability: z.enum(['full', 'process_crash_only', 'server']),
  }),
  uptimeMs: z.number(),
  /** Another one for each start of the daemon; sessions of pages are bound to it. */
  startId: z.string().max(100).default(''),
})
export type Health = z.infer<typeof Health>

/** An engine that nobody claims for until then. */
export const EngineCooldown = z.strictObject({
  engine: z.string(),
  why: z.string(),
  until: Instant,
  /** True: its provider is in trouble; after the rest one call tries, and the others go on when it has succeeded. */
  triesOne: z.boolean().optional(),
})
export type EngineCooldown = z.infer<typeof EngineCooldown>

export const systemRoutes = {
  health: route({
    method: 'GET',
    path: '/health',
    key: 'none',
    summary: 'Is the daemon well',
    response: Health,
  }),
  healthChecks: route({
    method: 'GET',
    path: '/api/health/checks',
    key: 'crew',
    summary: 'What the health checks found when they last looked',
    response: HealthReport,
  }),
  runHealthChecks: route({
    method: 'POST',
    path: '/api/health/checks',
    key: 'owner',
    summary: 'Check now, and say what was found',
    response: HealthReport,
  }),
  workspace: route({
    method: 'GET',
    path: '/api/workspace',
    key: 'crew',
    summary: 'Settings in force, and what was wrong with the given ones',
    response: z.strictObject({
      root: z.string(),
      target: z.string(),
      testCommand: z.string().nullable(),
      config: Config,
      warnings: z.array(z.string()),
      errors: z.array(z.string()).default([]),
      /** The key that the caller has: with the crew's, one looks and decides nothing. */
      key: z.enum(['crew', 'owner']),
      /** What keeps the crew's own code from deciding for the owner, and whether a decision wants a code. */
      decisions: z.strictObject({ restsOn: RestsOn, code: z.boolean(), why: z.string().nullable() }),
      /** The user of the machine that engines and gates run as; null: whoever runs the daemon. */
      asUser: z.string().nullable().default(null),
      /** Why foreign code is not confined on this machine, and what that means; null: it is confined. */
      unconfined: z.string().nullable().default(null),
      /** Why nothing new is claimed at present; none: items may be claimed. */
      holds: z.array(z.string()).default([]),
      /** Whether the tests are known to turn red when a source file is broken. */
      testsSeeChanges: z.boolean().default(false),
      /** Whether packages, build and tests of the target could be run, and what is done to find out. */
      readiness: Readiness.default(NOTHING_KNOWN),
      /** Engines that nobody is let claim for, until when and why. */
      resting: z.array(EngineCooldown).default([]),
      /** What the machine has for the crew; null: an older daemon does not say. */
      resources: Resources.nullable().default(null),
    }),
  }),
  readiness: route({
    method: 'GET',
    path: '/api/readiness',
    key: 'crew',
    summary: 'Whether packages, build and tests of the target could be run',
    response: Readiness,
  }),
  checkReadiness: route({
    method: 'POST',
    path: '/api/readiness',
    key: 'owner',
    summary:
      'Check again whether packages, build and tests of the target can be run; the answer does not wait for it',
    response: Readiness,
    status: 202,
  }),
  pageKey: route({
    method: 'GET',
    path: '/api/page-key',
    key: 'crew',
    summary: 'What a page keeps in memory to be known again after the daemon was restarted',
    response: z.strictObject({ pageKey: z.string().min(1).max(200) }),
  }),
  openSession: route({
    method: 'POST',
    path: '/api/session',
    key: 'crew',
    summary:
      'Sets a cookie for this browser, which stands for the key together with the proof that is answered',
    response: z.strictObject({ proof: z.string().min(1).max(200) }),
  }),
  endSession: route({
    method: 'POST',
    path: '/api/session/end',
    key: 'crew',
    summary: 'Ends the session of a proof and takes its cookie away: the browser is logged out',
    body: z.strictObject({ proof: z.string().min(1).max(200) }),
    response: nothing,
  }),
  events: route({
    method: 'GET',
    path: '/api/events',
    key: 'crew',
    summary: 'Recorded events after a cursor, oldest first (live: WebSocket on /api/events/stream)',
    query: z.strictObject({
      after: Cursor.default(CURSOR_START),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      type: z.string().max(100).optional(),
      correlationId: z.string().max(200).optional(),
    }),
    response: z.strictObject({ items: z.array(StoredEvent), cursor: Cursor }),
  }),
  newestEvents: route({
    method: 'GET',
    path: '/api/events/newest',
    key: 'crew',
    summary: 'The last recorded events, oldest first, with or without the steps inside runs',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
      steps: z.stringbool().default(true),
    }),
    /** The cursor is where the feed goes on, also if the last event was a step that was left out. */
    response: z.strictObject({ items: z.array(StoredEvent), cursor: Cursor }),
  }),
  machines: route({
    method: 'GET',
    path: '/api/machines',
    key: 'crew',
    summary: 'The state machines that items, runs, goals and agents follow',
    response: page(Machine),
  }),
  evidence: route({
    method: 'GET',
    path: '/api/evidence/:sha256',
    key: 'crew',
    summary: 'A stored output, by content hash',
    params: z.strictObject({ sha256: Sha256 }),
    problems: { 404: 'Nothing is stored under that hash' },
    response: z.strictObject({ sha256: Sha256, bytes: z.int(), text: z.string(), truncated: z.boolean() }),
  }),
  shutdown: route({
    method: 'POST',
    path: '/api/shutdown',
    key: 'owner',
    summary: 'Stop the agents and the daemon',
    body: by,
    response: z.strictObject({ stopping: z.literal(true) }),
    status: 202,
  }),
} as const
