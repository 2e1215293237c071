import { type FormEvent, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAttempt } from '../parts/attempt.ts'
import { Dialog } from '../parts/dialog.tsx'
import { readNewItem, type Typed } from './add-item.model.ts'
import { EngineField, isTicked, PlaceFields, Tick, textsOf } from './fields.tsx'

interface AddProps {
  readonly live: Live
  /** Who writes code where nobody says anything. */
  readonly engine: string
  readonly onClose: () => void
}

export function AddItem({ live, engine, onClose }: AddProps) {
  const id = useId()
  const attempt = useAttempt(live)
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = readNewItem(typedIn(event.currentTarget))
    if (read.is === 'wrong') return setWrong(read.why)
    // What was typed is lost only once it is kept elsewhere.
    if (await attempt.try((client) => client.addItem({ body: read.item }))) onClose()
  }
  const said = wrong ?? attempt.problem
  return (
    <Dialog
      title="Add an item"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="primary" aria-disabled={attempt.busy}>
          {attempt.busy ? 'Adding…' : 'Add it'}
        </button>
      }
    >
      <form id={id} className="fields" onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${id}-title`}>What is to be done</label>
        <input
          id={`${id}-title`}
          name="title"
          type="text"
          maxLength={300}
          autoComplete="off"
          aria-invalid={said !== null}
          aria-describedby={said === null ? undefined : `${id}-wrong`}
          onChange={() => setWrong(null)}
        />
        {said !== null && (
          <p id={`${id}-wrong`} className="wrong" role="alert">
            {said}
          </p>
        )}
        <label htmlFor={`${id}-body`}>All that helps to do it</label>
        <textarea id={`${id}-body`} name="body" rows={5} />
        <label htmlFor={`${id}-acceptance`}>What must hold when it is done, one per line</label>
        <textarea id={`${id}-acceptance`} name="acceptance" rows={3} />
        <PlaceFields id={id} />
        <details>
          <summary>More</summary>
          <div className="fields">
            <label htmlFor={`${id}-test`}>Command that must be green (empty: the whole suite)</label>
            <input id={`${id}-test`} name="testCommand" type="text" autoComplete="off" spellCheck={false} />
            <EngineField id={id} standard={engine} />
            <label htmlFor={`${id}-labels`}>Labels, with commas between</label>
            <input id={`${id}-labels`} name="labels" type="text" autoComplete="off" />
            <Tick id={id} name="mayChangeTests" words="Existing tests may be changed or removed" />
            <Tick id={id} name="backlog" words="Into the backlog, behind what is to be done" />
          </div>
        </details>
      </form>
    </Dialog>
  )
}

function typedIn(form: HTMLFormElement): Typed {
  const text = textsOf(form)
  return {
    title: text('title'),
    body: text('body'),
    acceptance: text('acceptance'),
    priority: text('priority'),
    labels: text('labels'),
    testCommand: text('testCommand'),
    engine: text('engine'),
    project: text('project'),
    mayChangeTests: isTicked(form, 'mayChangeTests'),
    backlog: isTicked(form, 'backlog'),
  }
}
