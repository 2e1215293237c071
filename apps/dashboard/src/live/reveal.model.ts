// Titles, names and reasons are shown in many places: what cannot be seen in them is made visible before they get there.
import { revealed } from './unseen-characters.model.ts'

/** The same value, with every text in it as `revealed` shows it; the same object where nothing had to be changed. */
export function revealAll<T>(value: T): T {
  if (typeof value === 'string') return revealed(value) as T
  if (typeof value !== 'object' || value === null) return value
  let changed = false
  const entries = Object.entries(value).map(([key, part]: [string, unknown]) => {
    const shown = revealAll(part)
    changed ||= shown !== part
    return [key, shown] as const
  })
  if (!changed) return value
  return (Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)) as T
}
