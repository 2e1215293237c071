// What an item waits for and what it is a part of, typed or chosen: the same as a drag, for keys and for fingers.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { useId } from 'react'
import type { Live } from '../live/live.ts'
import { FormDialog, TextField, useForm } from '../parts/form-dialog.tsx'
import { keyOf } from './columns.model.ts'
import { type Links, linkWords, readLinks } from './links.model.ts'

interface LinkDialogProps {
  readonly item: Item
  readonly items: readonly Item[]
  readonly live: Live
  readonly onClose: () => void
  readonly onCame: (words: string) => void
}

const SUGGESTED_MAX = 200

export function LinkDialog({ item, items, live, onClose, onCame }: LinkDialogProps) {
  const listId = useId()
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const form = useForm<Links>({
    live,
    read: ({ text }) => readLinks(text('after'), text('part')),
    send: async (client, links) => {
      await client.editItem({ params, body: links })
      onCame(linkWords(item, links))
    },
    onSent: onClose,
  })
  const others = items
    .filter((other) => other.projectNumber === item.projectNumber && keyOf(other) !== keyOf(item))
    .filter(({ status }) => status !== 'done' && status !== 'withdrawn')
    .slice(0, SUGGESTED_MAX)
  return (
    <FormDialog
      title={`What ${itemLabel(item)} waits for`}
      words="Save"
      busyWords="Saving…"
      onClose={onClose}
      {...form}
    >
      <p dir="auto">
        <span className="number">{itemLabel(item)}</span> {item.title}
      </p>
      <div className="fields">
        <TextField
          name="after"
          label="Waits for (numbers, separated by commas)"
          defaultValue={item.dependsOn.join(', ')}
          list={listId}
        />
        <TextField
          name="part"
          label="Part of (a number; empty for nothing)"
          defaultValue={item.parent === null ? '' : String(item.parent)}
          list={listId}
        />
        <datalist id={listId}>
          {others.map((other) => (
            <option key={keyOf(other)} value={`#${other.number} ${other.title.replaceAll(',', ' ')}`} />
          ))}
        </datalist>
      </div>
      <p className="muted">
        No agent begins with it before what it waits for is done.{' '}
        <span className="keys-hint">On the board a card can be dragged onto another, too.</span>
      </p>
    </FormDialog>
  )
}
