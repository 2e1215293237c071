import { timeAgo } from '@treadle/contracts/words/time'

/** A time as "5 minutes ago", with date and hour for whoever points at it. */
export function TimeAgo({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {timeAgo(at, now)}
    </time>
  )
}
