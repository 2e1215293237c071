// A conflicted change is given up, and its item is begun anew by an agent of one's choice.
import type { Agent } from '@treadle/contracts/agent'
import type { Conflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Live } from '../live/live.ts'
import { AgentField, agentIn } from '../parts/agent-field.tsx'
import { asTyped, FormDialog, useForm } from '../parts/form-dialog.tsx'

interface AbortProps {
  readonly conflict: Conflict
  readonly live: Live
  readonly agents: readonly Agent[]
  readonly onClose: () => void
}

export function AbortDialog({ conflict, live, agents, onClose }: AbortProps) {
  const { id, projectNumber, issueNumber, issueTitle, branchName } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  const form = useForm({
    live,
    read: asTyped,
    send: (client, typed) => client.abortConflict({ params: { id }, body: { agentId: agentIn(typed) } }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title={`Give up the change of ${label}?`}
      tone="bad"
      words="Abort and reassign"
      busyWords="Giving it back…"
      onClose={onClose}
      {...form}
    >
      <p>
        {label} {issueTitle} goes back to the backlog and starts over from the target as it is then. The
        commits on <code>{branchName}</code> are kept, but not merged.
      </p>
      <AgentField agents={agents} />
    </FormDialog>
  )
}
