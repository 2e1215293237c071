import { type FormEvent, useId, useState } from 'react'
import { useActing } from '../parts/acting.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { readNewItem } from './add-item.model.ts'

export function AddItem({ onClose }: { onClose: () => void }) {
  const id = useId()
  const { busy, act } = useActing()
  const [wrong, setWrong] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    const read = readNewItem({
      title: text('title'),
      body: text('body'),
      acceptance: text('acceptance'),
      priority: text('priority'),
    })
    if (read.is === 'wrong') return setWrong(read.why)
    if (busy.has('add-item')) return
    const added = await act({
      key: 'add-item',
      done: `"${read.item.title}" was added.`,
      failed: 'The item could not be added.',
      work: (client) => client.addItem({ body: read.item }),
    })
    // What was typed is lost only once it is kept elsewhere.
    if (added) onClose()
  }
  return (
    <Dialog
      title="Add an item"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="primary" aria-disabled={busy.has('add-item')}>
          Add it
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
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-wrong`}
          onChange={() => setWrong(null)}
        />
        {wrong !== null && (
          <p id={`${id}-wrong`} className="wrong" role="alert">
            {wrong}
          </p>
        )}
        <label htmlFor={`${id}-body`}>All that helps to do it</label>
        <textarea id={`${id}-body`} name="body" rows={5} />
        <label htmlFor={`${id}-acceptance`}>What must hold when it is done, one per line</label>
        <textarea id={`${id}-acceptance`} name="acceptance" rows={3} />
        <label htmlFor={`${id}-priority`}>Priority (smaller is sooner; none comes last)</label>
        <input id={`${id}-priority`} name="priority" type="text" inputMode="numeric" autoComplete="off" />
      </form>
    </Dialog>
  )
}
