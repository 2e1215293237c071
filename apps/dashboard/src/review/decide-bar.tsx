// Approve or request changes, always beside the change that is decided about.
import type { LineComment } from '@treadle/contracts/delivery'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { unreadWords } from '@treadle/contracts/words/engines'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { FEEDBACK_CHARS_MAX } from '../parts/item-actions.model.ts'
import { shownName } from './change.model.ts'
import { placeOf, requestProblem, requestWords } from './marks.model.ts'

interface DecideBarProps {
  readonly item: Item
  /** Nothing may be approved before the reader has said that they know what is not shown. */
  readonly isUnread: boolean
  readonly isBusy: boolean
  readonly drafts: readonly LineComment[]
  readonly words: string
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onWords: (words: string) => void
  readonly onApprove: () => void
  readonly onRequest: (fresh: boolean) => void
}

export function DecideBar(props: DecideBarProps) {
  const { item, isUnread, isBusy, drafts, isOpen, onOpen, onApprove } = props
  const { mayDecide } = useActions()
  return (
    <div className="decide card">
      {isOpen && <RequestForm {...props} />}
      <div className="decide-buttons" hidden={isOpen}>
        <button
          type="button"
          className="primary"
          aria-disabled={isBusy || isUnread || !mayDecide}
          title={mayDecide ? undefined : OWNERS_ALONE}
          onClick={onApprove}
        >
          Approve<span className="unseen"> {itemLabel(item)}</span> <span className="key-hint" data-key="a" />
        </button>
        {item.state === 'in_review' && !isOpen && (
          <button
            type="button"
            aria-expanded={false}
            aria-disabled={isBusy || !mayDecide}
            title={mayDecide ? undefined : OWNERS_ALONE}
            onClick={() => mayDecide && onOpen(true)}
          >
            {requestWords(drafts.length)} <span className="key-hint" data-key="r" />
          </button>
        )}
      </div>
    </div>
  )
}

function RequestForm({ item, isBusy, drafts, words, onOpen, onWords, onRequest }: DecideBarProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [fresh, setFresh] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const unread = unreadWords(useActions().engine)
  const described = [
    ...(unread === null ? [] : [`${id}-unread`]),
    ...(wrong === null ? [] : [`${id}-wrong`]),
  ].join(' ')
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const problem = requestProblem(words, drafts)
    setWrong(problem)
    if (problem === null && !isBusy) onRequest(fresh)
  }
  return (
    <form className="request words-form" onSubmit={submit} noValidate>
      {unread !== null && (
        <p id={`${id}-unread`} className="reason">
          {unread}
        </p>
      )}
      <label htmlFor={id}>What should change?</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        value={words}
        maxLength={FEEDBACK_CHARS_MAX}
        aria-invalid={wrong !== null}
        aria-describedby={described === '' ? undefined : described}
        onChange={(event) => {
          onWords(event.target.value)
          setWrong(null)
        }}
        onKeyDown={(event) => event.key === 'Escape' && onOpen(false)}
      />
      {wrong !== null && (
        <p id={`${id}-wrong`} className="wrong" role="alert">
          {wrong}
        </p>
      )}
      {drafts.length > 0 && (
        <ul className="request-comments" aria-label="Comments that are sent">
          {drafts.map((draft) => (
            <li key={placeOf(draft)}>
              <code>
                {shownName(draft.path)}:{draft.line}
              </code>{' '}
              {draft.text}
            </li>
          ))}
        </ul>
      )}
      <label className="toggle">
        <input type="checkbox" checked={fresh} onChange={(event) => setFresh(event.target.checked)} /> Start
        over instead of building on this delivery
      </label>
      <div className="options">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {isBusy ? 'Sending…' : `Request changes for ${itemLabel(item)}`}
        </button>
        <button type="button" onClick={() => onOpen(false)}>
          Cancel
        </button>
      </div>
    </form>
  )
}
