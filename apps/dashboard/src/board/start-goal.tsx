// The dialog that starts a goal: planned, acted on, observed and reflected upon until it is reached.
import type { Client } from '@treadle/contracts/client'
import { agentNumber } from '@treadle/contracts/ids'
import type { NewRun } from '@treadle/contracts/routes/runs'
import type { Live } from '../live/live.ts'
import type { TypedFields } from '../parts/form.model.ts'
import { FormDialog, TextField, TickField, useForm } from '../parts/form-dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { readGoal, type TypedGoal } from './add-item.model.ts'
import { EngineField, QueueFields } from './item-fields.tsx'

interface GoalProps {
  readonly live: Live
  readonly engine: string
  readonly onClose: () => void
}

export function StartGoal({ live, engine, onClose }: GoalProps) {
  const form = useForm({ live, read: (typed) => readGoal(goalIn(typed)), send: start, onSent: onClose })
  return (
    <FormDialog
      title="New goal"
      words="Start"
      busyWords="Starting…"
      problemAt="goal"
      onClose={onClose}
      {...form}
    >
      <div className="fields">
        <TextField name="goal" label="Goal" rows={4} maxLength={8_000} />
        <TextField
          name="verify"
          label="Command that proves it: exit code 0 means reached (may be empty)"
          isCode
        />
        <EngineField standard={engine} />
        <details>
          <summary>More</summary>
          <div className="fields">
            <QueueFields />
            <TickField name="mayChangeTests" label="Existing tests may be changed or removed" />
          </div>
        </details>
      </div>
    </FormDialog>
  )
}

function goalIn({ text, isTicked }: TypedFields): TypedGoal {
  return {
    goal: text('goal'),
    verify: text('verify'),
    engine: text('engine'),
    priority: text('priority'),
    project: text('project'),
    mayChangeTests: isTicked('mayChangeTests'),
  }
}

/** A goal needs an agent to work on it; and its screen is opened, for whoever started it. */
async function start(client: Client, goal: NewRun): Promise<void> {
  const { item } = await client.startRun({ body: goal })
  const { items: agents } = await client.listAgents()
  if (!agents.some(({ id, wanted }) => wanted !== 'stopped' && agentNumber(id) !== null))
    await client.startAgents({ body: { count: 1 } })
  location.assign(hrefOf({ is: 'item', item: { projectNumber: item.projectNumber, number: item.number } }))
}
