// An agent is asked to resolve a conflict: the item goes back to the queue, with the words of a person.
import type { Agent } from '@treadle/contracts/agent'
import type { Conflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Live } from '../live/live.ts'
import { AgentField, agentIn } from '../parts/agent-field.tsx'
import { asTyped, FormDialog, TextField, useForm } from '../parts/form-dialog.tsx'

interface AskProps {
  readonly conflict: Conflict
  readonly live: Live
  readonly agents: readonly Agent[]
  readonly onClose: () => void
}

const WORDS_MAX = 4_000

export function AskDialog({ conflict, live, agents, onClose }: AskProps) {
  const { id, projectNumber, issueNumber, branchName } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  const form = useForm({
    live,
    read: asTyped,
    send: (client, typed) => {
      const words = typed.text('words').trim()
      const body = { agentId: agentIn(typed), ...(words === '' ? {} : { words }) }
      return client.abortConflict({ params: { id }, body })
    },
    onSent: onClose,
  })
  return (
    <FormDialog
      title={`Ask an agent to resolve ${label}?`}
      words="Ask"
      busyWords="Asking…"
      onClose={onClose}
      {...form}
    >
      <p>
        {label} goes back to the queue. The agent starts from the target as it is now, sees the change on{' '}
        <code>{branchName}</code>, and brings it over. What it delivers is checked and reviewed again.
      </p>
      <TextField name="words" label="What should it keep in mind?" rows={4} maxLength={WORDS_MAX} />
      <AgentField agents={agents} />
    </FormDialog>
  )
}
