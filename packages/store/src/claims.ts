// Two agents, one item: the row's lock decides, in one statement.
import { AgentId, RunId } from '@treadle/contracts/ids'
import { ItemState, statusOf } from '@treadle/contracts/item'
import type { Claims, ClaimTaken } from '@treadle/flow/ports'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { CLAIMABLE } from './items.ts'

type Claim = Parameters<Claims['take']>[0]

/** The item may come free between losing it and looking who won it. */
const TRIES = 3

export function createClaims({ sql: db }: Database): Claims {
  return {
    take: async (claim) => {
      let lost: ClaimTaken = { is: 'missing' }
      for (let tries = 0; tries < TRIES; tries += 1) {
        const fence = await win(db, claim)
        if (fence !== null) return { is: 'taken', fence }
        const found = await look(db, claim)
        if (!found.claimable) return found.taken
        lost = found.taken
      }
      return lost
    },
  }
}

async function win(db: Database['sql'], claim: Claim): Promise<number | null> {
  const { ref, agentId, requestId, runId, at } = claim
  const { rows } = await sql<{ fence: number }>`
    with won as (
      update items set claimed_by_agent_id = ${agentId}, claimed_at = ${at}, fence = fence + 1,
        run_id = ${runId}, updated_at = ${at}
      where project_number = ${ref.projectNumber} and number = ${ref.number} and ${CLAIMABLE}
        and not exists (select 1 from claims where claims.project_number = ${ref.projectNumber}
          and claims.item_number = ${ref.number} and claims.agent_id = ${agentId}
          and claims.request_id = ${requestId})
      returning project_number, number, fence
    )
    insert into claims (project_number, item_number, fence, agent_id, request_id, run_id, claimed_at)
    select project_number, number, fence, ${agentId}, ${requestId}, ${runId}::uuid, ${at}::timestamptz from won
    returning fence`.execute(db)
  return rows[0]?.fence ?? null
}

interface Found {
  readonly taken: ClaimTaken
  readonly claimable: boolean
}

async function look(db: Database['sql'], { ref, agentId, requestId }: Claim): Promise<Found> {
  const { rows } = await sql<{
    state: string
    holder: string | null
    claimable: boolean
    fence: number | null
    run_id: string | null
  }>`
    select items.state, items.claimed_by_agent_id as holder, ${CLAIMABLE} as claimable,
      claims.fence, claims.run_id
    from items left join claims on claims.project_number = items.project_number
      and claims.item_number = items.number and claims.agent_id = ${agentId}
      and claims.request_id = ${requestId}
    where items.project_number = ${ref.projectNumber} and items.number = ${ref.number}`.execute(db)
  const [row] = rows
  if (row === undefined) return { taken: { is: 'missing' }, claimable: false }
  if (row.fence !== null)
    return { taken: { is: 'repeated', fence: row.fence, runId: RunId.parse(row.run_id) }, claimable: false }
  const by = row.holder === null ? null : AgentId.parse(row.holder)
  return {
    taken: { is: 'held', by, status: statusOf(ItemState.parse(row.state)) },
    claimable: row.claimable,
  }
}
