// One entry of a conversation: who said what, and when.
import type { Tone } from '@treadle/contracts/words/state'
import { Prose } from '../parts/prose.tsx'
import { TimeAgo } from '../parts/time-ago.tsx'

interface SaidEntryProps {
  readonly by: string
  readonly at: string
  readonly now: number
  /** What kind of words they are; null where that is plain. */
  readonly kind?: string | null
  /** What they answer. */
  readonly about?: string | null
  readonly mark?: { readonly words: string; readonly tone: Tone } | null
  readonly text: string
  /** Markdown; otherwise the text stands as it was written. */
  readonly isProse: boolean
  readonly isOwn?: boolean
}

export function SaidEntry(props: SaidEntryProps) {
  const { by, at, now, kind = null, about = null, mark = null, text, isProse, isOwn } = props
  return (
    <li className="thread-entry" data-own={isOwn}>
      <p className="facts muted">
        <strong>{by}</strong>
        {kind !== null && <span>{kind}</span>}
        <TimeAgo at={at} now={now} />
        {mark !== null && (
          <span>
            <span className="badge" data-tone={mark.tone}>
              {mark.words}
            </span>
          </span>
        )}
      </p>
      {about !== null && <p className="muted thread-about">To: {about}</p>}
      {isProse ? (
        <div dir="auto">
          <Prose>{text}</Prose>
        </div>
      ) : (
        <p className="as-said" dir="auto">
          {text}
        </p>
      )}
    </li>
  )
}
