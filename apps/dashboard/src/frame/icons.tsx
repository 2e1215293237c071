// The small drawings of the frame. They say nothing to a screen reader: each stands beside its word.
import type { PlaceName } from './screens.model.ts'

const PATHS: Record<PlaceName | 'stop' | 'search', string> = {
  now: 'M13 3 5 13h6l-1 8 8-11h-6z',
  work: 'M4 5h4v14H4zM10 5h4v9h-4zM16 5h4v11h-4z',
  review: 'M4 5h16v11H9l-5 4zM8 10l3 3 5-5',
  insights: 'M4 20V10M10 20V4M16 20v-8M22 20H2',
  gear: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9h6v6H9z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
}

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon-drawing" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
