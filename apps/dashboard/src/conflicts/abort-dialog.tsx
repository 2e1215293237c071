import type { Agent } from '@treadle/contracts/agent'
import type { Conflict } from '@treadle/contracts/conflict'
import { type AgentId, agentNumber, itemLabel } from '@treadle/contracts/ids'
import { useId, useState } from 'react'
import { orderAgents, statusWords } from '../crew/crew.model.ts'
import type { Live } from '../live/live.ts'
import { useAttempt } from '../parts/attempt.ts'
import { Dialog } from '../parts/dialog.tsx'

interface AbortProps {
  readonly conflict: Conflict
  readonly live: Live
  readonly agents: readonly Agent[]
  readonly onClose: () => void
}

/** Who is to begin anew, and what is given up for it. */
export function AbortDialog({ conflict, live, agents, onClose }: AbortProps) {
  const field = useId()
  const attempt = useAttempt(live)
  const [to, setTo] = useState<AgentId | ''>('')
  const { id, projectNumber, issueNumber, issueTitle, branchName } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  const abort = async () => {
    const body = { agentId: to === '' ? null : to }
    if (await attempt.try((client) => client.abortConflict({ params: { id }, body }))) onClose()
  }
  return (
    <Dialog
      title={`Give up the change of ${label}?`}
      tone="bad"
      onClose={onClose}
      actions={
        <button type="button" className="danger" aria-disabled={attempt.busy} onClick={() => void abort()}>
          {attempt.busy ? 'Giving it back…' : 'Abort and reassign'}
        </button>
      }
    >
      <p>
        {label} {issueTitle} goes back to the backlog and is begun anew from the target as it is then. The
        commits on <code>{branchName}</code> are kept, but not merged.
      </p>
      <label htmlFor={field}>Who is to work on it?</label>
      <select id={field} value={to} onChange={(event) => setTo(event.target.value)}>
        <option value="">Anybody who is free</option>
        {orderAgents(agents)
          .filter((agent) => agentNumber(agent.id) !== null)
          .map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.id} ({statusWords(agent.status).toLowerCase()})
            </option>
          ))}
      </select>
      {attempt.problem !== null && (
        <p className="wrong" role="alert">
          {attempt.problem}
        </p>
      )}
    </Dialog>
  )
}
