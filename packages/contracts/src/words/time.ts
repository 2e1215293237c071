// Time as people say it.
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function timeAgo(at: string, now: number): string {
  const ms = now - Date.parse(at)
  // The daemon's clock may be a little ahead of the browser's.
  if (ms < 5 * SECOND) return 'just now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  const days = Math.floor(ms / DAY)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** The time of day, the same for every reader; the day is left to what stands around it. */
export function timeOfDay(at: string): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`
}

export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}
