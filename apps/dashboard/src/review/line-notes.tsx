// Notes under a line of a change: what the reader writes, what is not sent yet, and what was asked for before.
import type { LineComment, TracedComment } from '@treadle/contracts/delivery'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { revealed } from '../live/unseen-characters.model.ts'
import { COMMENT_CHARS_MAX, FATE_WORDS } from './marks.model.ts'

interface CommentFormProps {
  readonly line: number
  readonly initial: string
  readonly onDone: (text: string) => void
  readonly onCancel: () => void
}

export function CommentForm({ line, initial, onDone, onCancel }: CommentFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(initial)
  useEffect(() => field.current?.focus(), [])
  const save = () => {
    if (text.trim() !== '') onDone(text.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form className="line-note" onSubmit={submit}>
      <label htmlFor={id}>Comment on line {line}</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        maxLength={COMMENT_CHARS_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="options">
        <button type="submit" className="primary">
          Add comment
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <span className="muted">Sent when you request changes.</span>
      </div>
    </form>
  )
}

interface DraftNoteProps {
  readonly draft: LineComment
  readonly onEdit: () => void
  readonly onDrop: () => void
}

export function DraftNote({ draft: { line, text }, onEdit, onDrop }: DraftNoteProps) {
  return (
    <div className="line-note" data-note="draft">
      <p className="muted">Your comment, not sent yet</p>
      <p className="line-note-text">{text}</p>
      <div className="options">
        <button type="button" aria-label={`Edit the comment on line ${line}`} onClick={onEdit}>
          Edit
        </button>
        <button type="button" aria-label={`Delete the comment on line ${line}`} onClick={onDrop}>
          Delete
        </button>
      </div>
    </div>
  )
}

export function EarlierNote({ comment }: { readonly comment: TracedComment }) {
  const { words, tone } = FATE_WORDS[comment.fate]
  return (
    <div className="line-note" data-note="earlier">
      <p className="muted">
        {revealed(comment.by)} asked in delivery {comment.askedIn}{' '}
        <span className="badge" data-tone={tone}>
          {words}
        </span>
      </p>
      <p className="line-note-text">{revealed(comment.text)}</p>
    </div>
  )
}
