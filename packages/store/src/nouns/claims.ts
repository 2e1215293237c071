// Two agents, one item: the row's lock decides, in one statement.
import { AgentId, RunId } from '@treadle/contracts/ids'
import { statusOf } from '@treadle/contracts/item'
import type { ClaimFound, Claims } from '@treadle/flow/ports/claims'
import type { Database } from '../driver/database.ts'
import type { EventNotifier } from '../driver/event-notifier.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { instant, integer, type JsonRow, nullable, text, uuid } from '../driver/tables.ts'
import { EVENT_XID, itemSubject } from './events/events.ts'
import { withBlockers } from './items/blockers.ts'
import { type ItemTables, itemFromJson } from './items/item-row.ts'
import { CLAIMABLE_SQL, NOT_KEPT_SQL } from './items/items.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { BLANK_RUN } from './runs.ts'

const tables = {
  claims: {
    project_number: integer,
    item_number: integer,
    fence: integer,
    agent_id: text,
    request_id: nullable(text),
    run_id: uuid,
    claimed_at: instant,
  },
} as const
type Tables = typeof tables & ItemTables

export const claims = {
  name: 'claims',
  tables,
  migrations: [],
  create: ({ database, notifier }: StoreParts<Tables>) => createClaims(database, notifier),
} as const satisfies StoreModule

type Look = Parameters<Claims['look']>
type Take = Parameters<Claims['take']>[0]

function createClaims(database: Database<Tables>, notifier: EventNotifier): Claims {
  return {
    look: (ref, by) => look(database, ref, by),
    take: async (claim) => {
      const { rows } = await database.execute(TAKE, valuesOf(claim))
      const taken = rows.length === 1
      if (taken) notifier.notify()
      return taken
    },
  }
}

interface ClaimableRow {
  readonly item: JsonRow<Tables['items']>
  readonly version: string
  readonly claimable: boolean
  readonly had_fence: number | null
  readonly had_run: string | null
}

/** The item in one column: to describe and read thirty of them takes the driver longer than all the rest. */
const LOOK = `
  select row_to_json(items) as item, items.xmin::text as version, (${CLAIMABLE_SQL}
    and (assigned_agent_id = $3 or ${NOT_KEPT_SQL})) as claimable,
    claims.fence as had_fence, claims.run_id as had_run
  from items left join claims on claims.project_number = items.project_number
    and claims.item_number = items.number and claims.agent_id = $3 and claims.request_id = $4
  where items.project_number = $1 and items.number = $2`

async function look(
  database: Database<Tables>,
  ref: Look[0],
  { agentId, requestId }: Look[1],
): Promise<ClaimFound> {
  const { rows } = await database.execute(LOOK, [ref.projectNumber, ref.number, agentId, requestId])
  const [row] = rows as ClaimableRow[]
  if (row === undefined) return { is: 'missing' }
  if (row.had_fence !== null) return { is: 'repeated', fence: row.had_fence, runId: RunId.parse(row.had_run) }
  const item = itemFromJson(row.item)
  if (row.claimable) return { is: 'free', item, version: row.version }
  const isQueued = item.claimedByAgentId === null && ['todo', 'backlog', 'rework'].includes(item.state)
  const [{ blockedBy } = item] = isQueued ? await withBlockers(database, [item]) : [item]
  if (blockedBy.length > 0) return { is: 'blocked', by: blockedBy }
  if (isQueued && item.requiresCoordination) return { is: 'owned', by: item.owner ?? 'somebody else' }
  const by = item.claimedByAgentId === null ? null : AgentId.parse(item.claimedByAgentId)
  return { is: 'held', by, status: statusOf(item.state) }
}

/** Each value is sent once, however many tables take it, under the number of its line here. */
function valuesOf({ changes, version, requestId, run, event }: Take): unknown[] {
  const { approval, confidence, reason } = changes
  return [
    run.item.projectNumber,
    run.item.number,
    version,
    run.agentId,
    requestId,
    run.id,
    run.fence,
    run.at.toISOString(),
    changes.state,
    changes.needsHuman,
    changes.attempts,
    changes.reminders,
    changes.assignedAgentId,
    approval === null ? null : storableJson(approval),
    confidence === null ? null : storableJson(confidence),
    reason === null ? null : storableText(reason),
    changes.deadlineAt,
    changes.updatedAt,
    itemSubject(run.item),
    event.id,
    event.event.type,
    storableJson(event.event),
  ]
}

const blank = Object.entries(BLANK_RUN)
const literal = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : String(value))

/** All of it or nothing: each part takes its row from the one that was won. */
const TAKE = `
  with won as (
    update items set claimed_by_agent_id = $4, run_id = $6, fence = $7, claimed_at = $8, state = $9,
      needs_human = $10, attempts = $11, reminders = $12, assigned_agent_id = $13, approval = $14,
      confidence = $15, reason = $16, deadline_at = $17, updated_at = $18
    where project_number = $1 and number = $2 and claimed_by_agent_id is null and xmin = $3::xid
    returning number
  ), claimed as (
    insert into claims (project_number, item_number, agent_id, request_id, run_id, fence, claimed_at)
    select $1, $2, $4, $5::text, $6, $7, $8 from won
  ), begun as (
    insert into runs (project_number, item_number, agent_id, id, fence, started_at,
      ${blank.map(([name]) => name).join(', ')})
    select $1, $2, $4, $6, $7, $8, ${blank.map(([, value]) => literal(value)).join(', ')} from won
  ), told as (
    insert into events (xid, project_number, item_number, agent_id, run_id, at, state, subject, event_id,
      type, payload)
    select ${EVENT_XID}, $1, $2, $4, $6, $8, $9, $19::text, $20::text, $21::text, $22::jsonb from feed, won
  )
  select number from won`
