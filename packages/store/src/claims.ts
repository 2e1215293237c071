// Two agents, one item: the row's lock decides, in one statement.
import { AgentId, type EventId, RunId } from '@treadle/contracts/ids'
import { statusOf } from '@treadle/contracts/item'
import type { ClaimFound, Claims, NewRun } from '@treadle/flow/ports'
import { quoted } from './channels.ts'
import type { Database } from './database.ts'
import { EVENT_XID, eventRow } from './events.ts'
import { CLAIMABLE_SQL, NOT_KEPT_SQL, toColumns, toItem } from './items.ts'
import { newRun } from './runs.ts'
import { columnsOf, type Row, type TableName } from './schema.ts'

type Look = Parameters<Claims['look']>

export function createClaims(database: Database, channel: string): Claims {
  // Always the same, so that it is made once here and parsed once there.
  let text: string | undefined
  return {
    look: (ref, by) => look(database, ref, by),
    take: async ({ item, version, requestId, run, event }) => {
      const parts = {
        claim: claimRow(run, requestId),
        run: newRun(run),
        event: eventRow(event),
        item: toColumns(item),
      }
      text ??= takeText(parts)
      const values = Object.values(parts).flatMap((part) => Object.values(part))
      const { rows } = await database.execute(text, [
        ...values,
        item.projectNumber,
        item.number,
        version,
        channel,
      ])
      return rows.length === 1
    },
  }
}

function claimRow(run: NewRun, requestId: EventId | null) {
  return {
    project_number: run.item.projectNumber,
    item_number: run.item.number,
    fence: run.fence,
    agent_id: run.agentId,
    request_id: requestId,
    run_id: run.id,
    claimed_at: run.at,
  }
}

interface Found extends Row<'items'> {
  readonly version: string
  readonly claimable: boolean
  readonly had_fence: number | null
  readonly had_run: string | null
}

const LOOK = `
  select items.*, items.xmin::text as version, (${CLAIMABLE_SQL}
    and (assigned_agent_id = $3 or ${NOT_KEPT_SQL})) as claimable,
    claims.fence as had_fence, claims.run_id as had_run
  from items left join claims on claims.project_number = items.project_number
    and claims.item_number = items.number and claims.agent_id = $3 and claims.request_id = $4
  where items.project_number = $1 and items.number = $2`

async function look(database: Database, ref: Look[0], { agentId, requestId }: Look[1]): Promise<ClaimFound> {
  const { rows } = await database.execute(LOOK, [ref.projectNumber, ref.number, agentId, requestId])
  const [row] = rows as Found[]
  if (row === undefined) return { is: 'missing' }
  if (row.had_fence !== null) return { is: 'repeated', fence: row.had_fence, runId: RunId.parse(row.had_run) }
  const item = toItem(row)
  if (row.claimable) return { is: 'free', item, version: row.version }
  const by = item.claimedByAgentId === null ? null : AgentId.parse(item.claimedByAgentId)
  return { is: 'held', by, status: statusOf(item.state) }
}

/** All of it or nothing: each part takes its row from the one that was won. */
function takeText(row: { claim: object; run: object; event: object; item: object }): string {
  let count = 0
  const next = () => {
    count += 1
    return `$${count}`
  }
  // In a select a parameter has no column to take its type from.
  const insert = (table: TableName, given: object, from: string, placed: readonly string[] = []) => {
    const types = new Map(columnsOf(table))
    const names = Object.keys(given)
    const values = names.map((name) => `${next()}::${types.get(name)?.sql ?? 'text'}`)
    const columns = [...(placed.length > 0 ? ['xid'] : []), ...names.map(quoted)]
    return `insert into ${table} (${columns.join(', ')}) select ${[...placed, ...values].join(', ')} from ${from}`
  }
  const claimed = insert('claims', row.claim, 'won')
  const begun = insert('runs', row.run, 'won')
  const told = insert('events', row.event, 'feed, won', [EVENT_XID])
  const columns = Object.keys(row.item).map((name) => `${quoted(name)} = ${next()}`)
  return `
    with won as (
      update items set ${columns.join(', ')}
      where project_number = ${next()} and number = ${next()}
        and claimed_by_agent_id is null and xmin = ${next()}::xid
      returning number
    ), claimed as (${claimed}), begun as (${begun}), told as (${told} returning seq)
    select pg_notify(${next()}, '') from told`
}
