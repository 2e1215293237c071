// Work of agents, counted by the database in questions that write nothing. docs/metrics.md defines each figure.
import { fromMicros } from '@treadle/contracts/cost'
import { AgentId } from '@treadle/contracts/ids'
import type { AgentTally, Counted, Metrics, MetricsWindow } from '@treadle/flow/ports/metrics'
import { sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import type { StoreWorkspace } from '../workspace-scope.ts'
import { completed, firstReviews, reviewersDid } from './completed.ts'
import { countLoop } from './loop.ts'
import { countGates, countOwnIdeas } from './own-ideas.ts'
import { busyTimes, failures, firstPasses, itemsInHand } from './work.ts'

export const metrics = {
  name: 'metrics',
  tables: {},
  migrations: [],
  create: ({ database, workspace }: StoreParts) => createMetrics(database, workspace),
} as const satisfies StoreModule

/** A server ends a statement that takes longer, so that a look never piles up on the next. */
const STATEMENT_MS = 5_000

function createMetrics(database: Database, workspace: StoreWorkspace): Metrics {
  return {
    ownIdeas: (span) => alone(database, (db) => countOwnIdeas(db, workspace, span)),
    gates: (span) => alone(database, (db) => countGates(db, span)),
    tally: async (window) => {
      const members = await everybody(database, window)
      const seen = await look(database, window)
      const items = seen.inHand.find(({ agent_id }) => agent_id === null)?.items ?? 0
      const loop = await alone(database, (db) => countLoop(db, window))
      return { agents: members.map((member) => tallyOf(member, seen)), items, loop }
    },
  }
}

/** Each question by itself: where there is one connection, claims come between. */
function alone<T>(database: Database, ask: (db: Sql) => Promise<T>): Promise<T> {
  return database.tx(async () => {
    await database.execute(`set transaction read only; set local statement_timeout = ${STATEMENT_MS}`)
    return ask(database.sql)
  })
}

type MetricReadings = Awaited<ReturnType<typeof look>>

async function look(database: Database, window: MetricsWindow) {
  return {
    built: await alone(database, (db) => completed(db, window)),
    judged: await alone(database, (db) => reviewersDid(db, window)),
    first: await alone(database, (db) => firstReviews(db, window)),
    failed: await alone(database, (db) => failures(db, window)),
    inHand: await alone(database, (db) => itemsInHand(db, window)),
    passes: await alone(database, (db) => firstPasses(db, window)),
    busy: await alone(database, (db) => busyTimes(db, window)),
    costs: await alone(database, (db) => spent(db, window)),
  }
}

interface Member {
  readonly agent_id: string
  readonly since: Date
  readonly reviews: boolean
}

/** Everybody who was ever started, and who has spent or done something without that. */
function everybody(database: Database, { since }: MetricsWindow): Promise<Member[]> {
  const asked = sql<Member>`
    select ids.id as agent_id, greatest(${since}::timestamptz, agents.metrics_since, agents.created_at) as since,
      (ids.id = 'review-agent' or ids.id like 'review-agent-%') as reviews
    from (select id from agents
      union select agent_id from runs where ended_at >= ${since} or ended_at is null
      union select agent_id from cost_entries where at >= ${since}) ids
    left join agents on agents.id = ids.id
    order by length(ids.id), ids.id`
  return alone(database, async (db) => (await asked.execute(db)).rows)
}

interface Spent {
  readonly agent_id: string
  readonly micros: number
}

async function spent(db: Sql, { since }: MetricsWindow): Promise<Spent[]> {
  const { rows } = await sql<Spent>`
    select agent_id, sum(micros)::double precision as micros
    from cost_entries where at >= ${since} group by agent_id`.execute(db)
  return rows
}

function tallyOf({ agent_id: id, since, reviews }: Member, seen: MetricReadings): AgentTally {
  const { micros } = sumOf(ofAgent(seen.costs, id), { micros: 0 })
  const busy = sumOf(ofAgent(seen.busy, id), { busy_ms: 0, known_ms: 0 })
  const spentUSD = fromMicros(micros)
  const count = (only: (row: { fresh: boolean }) => boolean): Counted => {
    const counted = countedOf(id, reviews, {
      ...seen,
      built: seen.built.filter(only),
      judged: seen.judged.filter(only),
      first: seen.first.filter(only),
      failed: seen.failed.filter(only),
      inHand: seen.inHand.filter(only),
      passes: seen.passes.filter(only),
    })
    return reviews ? { ...counted, itemsCostUSD: spentUSD } : counted
  }
  return {
    agentId: AgentId.parse(id),
    since,
    own: count(({ fresh }) => fresh),
    all: count(() => true),
    costUSD: spentUSD,
    busyMs: busy.busy_ms,
    knownMs: busy.known_ms,
  }
}

const NO_DEEDS = {
  total: 0,
  last_24h: 0,
  last_7d: 0,
  in_period: 0,
  cycle_ms: 0,
  cycles: 0,
  reviews: 0,
  reviewed_items: 0,
  items: 0,
  micros: 0,
  merges_failed: 0,
}

function countedOf(id: string, reviews: boolean, seen: MetricReadings): Counted {
  const did = sumOf(ofAgent(reviews ? seen.judged : seen.built, id), NO_DEEDS)
  const first = sumOf(ofAgent(seen.first, id), { approved: 0, decided: 0 })
  const failed = sumOf(ofAgent(seen.failed, id), { errors: 0, crashes: 0 })
  const inHand = sumOf(ofAgent(seen.inHand, id), { items: 0 })
  const passes = sumOf(ofAgent(seen.passes, id), { sum: 0, runs: 0 })
  return {
    completed: { total: did.total, last24h: did.last_24h, last7d: did.last_7d, inPeriod: did.in_period },
    cycleMs: did.cycle_ms,
    cycles: did.cycles,
    firstReviews: first,
    reviews: did.reviews,
    reviewedItems: did.reviewed_items,
    merges: { passed: reviews ? 0 : did.in_period, failed: did.merges_failed },
    errors: failed.errors,
    crashes: failed.crashes,
    items: reviews ? did.items : inHand.items,
    itemsCostUSD: fromMicros(did.micros),
    firstPass: passes,
  }
}

function ofAgent<R extends { readonly agent_id: string | null }>(rows: readonly R[], id: string): R[] {
  return rows.filter(({ agent_id }) => agent_id === id)
}

/** Figure by figure; without a row, nothing. */
function sumOf<K extends string>(
  rows: readonly Readonly<Record<NoInfer<K>, number>>[],
  nothing: Readonly<Record<K, number>>,
): Record<K, number> {
  const sums: Record<K, number> = { ...nothing }
  for (const row of rows) for (const key of Object.keys(nothing) as K[]) sums[key] += row[key]
  return sums
}
