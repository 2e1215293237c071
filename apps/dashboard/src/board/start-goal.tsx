// Something to be reached rather than a piece of work: planned, acted on, observed and reflected upon.
import type { Client } from '@treadle/contracts/client'
import { agentNumber } from '@treadle/contracts/ids'
import type { NewRun } from '@treadle/contracts/routes/runs'
import { type FormEvent, useId, useState } from 'react'
import { hrefOf } from '../frame/route.model.ts'
import type { Live } from '../live/live.ts'
import { useAttempt } from '../parts/attempt.ts'
import { Dialog } from '../parts/dialog.tsx'
import { readGoal } from './add-item.model.ts'
import { EngineField, isTicked, PlaceFields, Tick, textsOf } from './fields.tsx'

interface GoalProps {
  readonly live: Live
  readonly engine: string
  readonly onClose: () => void
}

export function StartGoal({ live, engine, onClose }: GoalProps) {
  const id = useId()
  const attempt = useAttempt(live)
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = textsOf(form)
    const read = readGoal({
      goal: text('goal'),
      verify: text('verify'),
      engine: text('engine'),
      priority: text('priority'),
      project: text('project'),
      mayChangeTests: isTicked(form, 'mayChangeTests'),
    })
    if (read.is === 'wrong') return setWrong(read.why)
    if (await attempt.try((client) => start(client, read.goal))) onClose()
  }
  const said = wrong ?? attempt.problem
  return (
    <Dialog
      title="Start on a goal"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="primary" aria-disabled={attempt.busy}>
          {attempt.busy ? 'Starting…' : 'Start'}
        </button>
      }
    >
      <form id={id} className="fields" onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${id}-goal`}>What is to be reached</label>
        <textarea
          id={`${id}-goal`}
          name="goal"
          rows={4}
          maxLength={8_000}
          aria-invalid={said !== null}
          aria-describedby={said === null ? undefined : `${id}-wrong`}
          onChange={() => setWrong(null)}
        />
        {said !== null && (
          <p id={`${id}-wrong`} className="wrong" role="alert">
            {said}
          </p>
        )}
        <label htmlFor={`${id}-verify`}>
          Command that proves it: exit code 0 means reached (may be empty)
        </label>
        <input id={`${id}-verify`} name="verify" type="text" autoComplete="off" spellCheck={false} />
        <EngineField id={id} standard={engine} />
        <details>
          <summary>More</summary>
          <div className="fields">
            <PlaceFields id={id} />
            <Tick id={id} name="mayChangeTests" words="Existing tests may be changed or removed" />
          </div>
        </details>
      </form>
    </Dialog>
  )
}

/** Somebody has to be there to do it; and whoever started it wants to see it. */
async function start(client: Client, goal: NewRun): Promise<void> {
  const { item } = await client.startRun({ body: goal })
  const { items: agents } = await client.listAgents()
  if (!agents.some(({ id, wanted }) => wanted !== 'stopped' && agentNumber(id) !== null))
    await client.startAgents({ body: { count: 1 } })
  location.assign(hrefOf({ is: 'item', item: { projectNumber: item.projectNumber, number: item.number } }))
}
