// Reopening an item whose attempts failed: what the next one should know, and who is to try.
import type { Client } from '@treadle/contracts/client'
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { unreadWords } from '@treadle/contracts/words/engines'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useActions } from './actions.tsx'

const TEXT_CHARS_MAX = 4_000

interface ReopenFormProps {
  readonly item: Item
  readonly busy: boolean
  readonly onReopen: (work: (client: Client) => Promise<Item>) => Promise<boolean>
  readonly onClose: () => void
}

export function ReopenForm({ item, busy, onReopen, onClose }: ReopenFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { engine: standard } = useActions()
  const [text, setText] = useState('')
  const [engine, setEngine] = useState(item.engine ?? '')
  const unread = unreadWords(engine === '' ? standard : engine)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    const words = text.trim()
    const chosen = engine === '' ? null : engine
    const reopened = await onReopen(async (client) => {
      if (chosen !== item.engine) await client.editItem({ params, body: { engine: chosen } })
      return client.reopenItem({ params, body: words === '' ? {} : { text: words } })
    })
    if (reopened) onClose()
  }
  return (
    <form className="card padded words-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>What should the next attempt know?</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        value={text}
        maxLength={TEXT_CHARS_MAX}
        aria-describedby={unread === null ? undefined : `${id}-unread`}
        onChange={(event) => setText(event.target.value)}
      />
      <label htmlFor={`${id}-engine`}>Engine</label>
      <select id={`${id}-engine`} value={engine} onChange={(event) => setEngine(event.target.value)}>
        <option value="">Default ({standard})</option>
        {ENGINE_NAMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {unread !== null && (
        <p id={`${id}-unread`} className="reason">
          {unread}
        </p>
      )}
      <div className="options">
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Reopening…' : `Reopen ${itemLabel(item)} now`}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
