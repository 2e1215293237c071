// The dialog that adds an item.
import type { Live } from '../live/live.ts'
import type { TypedFields } from '../parts/form.model.ts'
import { FormDialog, TextField, TickField, useForm } from '../parts/form-dialog.tsx'
import { readNewItem, type TypedItem } from './add-item.model.ts'
import { EngineField, MeasureFields, QueueFields } from './item-fields.tsx'

interface AddProps {
  readonly live: Live
  /** The engine of an item for which nobody names one. */
  readonly engine: string
  readonly onClose: () => void
}

export function AddItem({ live, engine, onClose }: AddProps) {
  const form = useForm({
    live,
    read: (typed) => readNewItem(itemIn(typed)),
    send: (client, item) => client.addItem({ body: item }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title="Add item"
      words="Add item"
      busyWords="Adding…"
      problemAt="title"
      onClose={onClose}
      {...form}
    >
      <div className="fields">
        <TextField name="title" label="Title" maxLength={300} />
        <TextField name="body" label="Description" rows={5} />
        <TextField name="acceptance" label="Acceptance criteria, one per line" rows={3} />
        <QueueFields />
        <details>
          <summary>More</summary>
          <div className="fields">
            <TextField name="testCommand" label="Test command (empty: the whole suite)" isCode />
            <MeasureFields />
            <EngineField standard={engine} />
            <TextField name="labels" label="Labels, separated by commas" />
            <TickField name="mayChangeTests" label="May change or remove existing tests" />
            <TickField name="backlog" label="Add to the backlog" />
          </div>
        </details>
      </div>
    </FormDialog>
  )
}

function itemIn({ text, isTicked }: TypedFields): TypedItem {
  return {
    title: text('title'),
    body: text('body'),
    acceptance: text('acceptance'),
    priority: text('priority'),
    labels: text('labels'),
    testCommand: text('testCommand'),
    measure: text('measure'),
    better: text('better'),
    engine: text('engine'),
    project: text('project'),
    mayChangeTests: isTicked('mayChangeTests'),
    backlog: isTicked('backlog'),
  }
}
