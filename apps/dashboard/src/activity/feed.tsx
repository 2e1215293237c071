// The feed beside the crew: the newest events, in words.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { Item } from '@treadle/contracts/item'
import { memo, useId, useMemo } from 'react'
import { rankOf } from '../live/live.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { useStoredSwitch } from '../webview/use-stored-switch.ts'

interface FeedProps {
  events: readonly StoredEvent[]
  items: readonly Item[]
  now: number
}

export function Feed({ events, items, now }: FeedProps) {
  const id = useId()
  const [steps, setSteps] = useStoredSwitch('every-step', false)
  const titles = useMemo(() => new Map(items.map((item) => [keyOf(item), item.title])), [items])
  const shown = steps ? events : events.filter((event) => rankOf(event) === 'milestone')
  return (
    <section className="feed" aria-labelledby="feed">
      <div className="section-head">
        <h2 id="feed">Feed</h2>
        <label className="toggle" htmlFor={id}>
          <input id={id} type="checkbox" checked={steps} onChange={() => setSteps(!steps)} /> Every step
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div className="card log" role="log" aria-live="polite" aria-labelledby="feed" tabIndex={0}>
        {shown.length === 0 && <p className="empty-log muted">Nothing has happened yet.</p>}
        <ol>
          {shown.map((event) => (
            <Entry
              key={event.cursor}
              event={event}
              title={event.item ? (titles.get(keyOf(event.item)) ?? null) : null}
              now={now}
            />
          ))}
        </ol>
      </div>
    </section>
  )
}

interface EntryProps {
  readonly event: StoredEvent
  readonly title: string | null
  readonly now: number
}

const Entry = memo(function Entry({ event, title, now }: EntryProps) {
  const { text, detail, tone } = sentence(event)
  const second = detail ?? title
  return (
    <li className="entry" data-tone={tone} data-rank={rankOf(event)}>
      <p className="text">{text}</p>
      {second && (
        <p className="detail" title={second}>
          {second}
        </p>
      )}
      <TimeAgo at={event.at} now={now} />
    </li>
  )
})

function keyOf({ projectNumber, number }: { projectNumber: number; number: number }): string {
  return `${projectNumber}/${number}`
}
