// Errors of an agent: what counts as one, once for all who count them.
import { type RawBuilder, sql } from 'kysely'

/**
 * Rows (agent_id, type, at) from a moment on: crashes, and runs that came to nothing by the agent's own doing. A red
 * test on the way is none: the loop is there for it. What the daemon decides about a delivery, and reminders of what
 * waits for a person, are nobody's errors.
 */
export function agentErrors(since: Date): RawBuilder<unknown> {
  return sql`(
    select coalesce(events.agent_id, runs.agent_id) as agent_id, events.type, events.at
    from events left join runs on runs.id = events.run_id
    where events.at >= ${since} and (
      events.type in ('agent.crashed', 'build.failed', 'claim.expired')
      or (events.type = 'item.escalated' and events.agent_id is not null)
      or (events.type = 'verify.failed' and events.state = 'escalated')
      or (events.type = 'claim.released' and events.payload ->> 'engine' is not null)
      or (events.type = 'deadline.passed' and events.state = 'backlog'
        and events.payload ->> 'state' in ('claimed', 'building', 'verifying', 'improving')))
  )`
}
