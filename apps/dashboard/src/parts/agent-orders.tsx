// Orders to agents that more than one screen gives, each asked about first.
import type { Agent } from '@treadle/contracts/agent'
import { type AgentId, type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { type ReactNode, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useActions } from './actions.tsx'
import { AgentField, agentIn } from './agent-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { OrderDialog } from './order-dialog.tsx'

interface EmergencyStopProps {
  readonly live: Live
  readonly items: readonly Item[]
  /** Drawn instead of the words; the button is called the same for a screen reader. */
  readonly children?: ReactNode
  /** Loud: drawn in red, because there is something to stop. */
  readonly loud?: boolean
}

export function EmergencyStop({ live, items, children, loud = true }: EmergencyStopProps) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <button
        type="button"
        className={loud ? 'danger' : 'calm'}
        aria-label="Emergency stop all"
        onClick={() => setAsked(true)}
      >
        {children ?? 'Emergency stop all'}
      </button>
      {asked && (
        <OrderDialog
          live={live}
          items={items}
          order={{ is: 'emergency_stop' }}
          title="Stop every agent at once?"
          words="Stop everyone"
          done="Every agent was stopped."
          failed="Not everyone could be stopped."
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

export function RestartDialog({ agent: { id, item }, onClose }: { agent: Agent; onClose: () => void }) {
  const { act } = useActions()
  const restart = async () => {
    onClose()
    await act({
      key: `restart:${id}`,
      done: `${id} starts again.`,
      failed: `${id} could not be restarted.`,
      work: (client) => client.wantAgent({ params: { id, order: 'restart' }, body: {} }),
    })
  }
  return (
    <FormDialog title={`Restart ${id}?`} words="Restart it" onSubmit={restart} onClose={onClose}>
      <p>
        Its process and everything it started are ended, and it starts again.
        {item !== null && ` It keeps ${itemLabel(item)} and goes on from its last checkpoint.`}
      </p>
    </FormDialog>
  )
}

interface ReassignProps {
  /** The agent that holds the item; null if it waits in the queue. */
  readonly from: AgentId | null
  readonly item: ItemRef
  /** The agent that is to have it; without it, that is asked too. */
  readonly to?: AgentId
  readonly live: Live
  readonly snapshot: Snapshot
  readonly onClose: () => void
}

/** Asks first which agent, then whether what the order will hit may be hit. */
export function ReassignDialog({ from, item, to: given, live, snapshot, onClose }: ReassignProps) {
  const [to, setTo] = useState<AgentId | 'anybody' | null>(given ?? null)
  if (to === null) {
    return (
      <FormDialog
        title={`Reassign ${itemLabel(item)}`}
        words="Go on"
        onSubmit={(typed) => setTo(agentIn(typed) ?? 'anybody')}
        onClose={onClose}
      >
        <AgentField agents={snapshot.agents} not={from} />
      </FormDialog>
    )
  }
  return (
    <OrderDialog
      live={live}
      items={snapshot.items}
      order={{ is: 'reassign', item, to: to === 'anybody' ? null : to }}
      title={from === null ? `Keep ${itemLabel(item)} for ${to}?` : `Take ${itemLabel(item)} from ${from}?`}
      words="Reassign it"
      done={`${itemLabel(item)} now waits for ${to}.`}
      failed={`${itemLabel(item)} could not be reassigned.`}
      onClose={onClose}
    />
  )
}
