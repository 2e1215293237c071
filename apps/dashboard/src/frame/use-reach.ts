// Reaching the reader while the page is behind others: a browser notification for each new entry of the queue.
import { useCallback, useEffect, useRef } from 'react'
import { hrefOf } from '../parts/route.model.ts'
import { type Entry, lineOf } from '../queue/queue.model.ts'
import { useHost } from '../webview/host-context.tsx'
import { useStoredSwitch } from '../webview/use-stored-switch.ts'

/** Whether the reader wants to be notified, and the switch of it, which stays the same function. */
export function useNotify(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useStoredSwitch('notify', false)
  const latest = useRef(setOn)
  latest.current = setOn
  const change = useCallback((next: boolean) => latest.current(next), [])
  return [on, change]
}

/** What stood in the queue when the page was opened is not new. An editor has messages of its own. */
export function useReach(queue: readonly Entry[], on: boolean): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  const host = useHost()
  useEffect(() => {
    const before = known.current
    known.current = new Set(queue.map(({ key }) => key))
    if (!on || host !== null || before === null || !document.hidden || !mayNotify()) return
    for (const entry of queue) if (!before.has(entry.key)) tell(entry)
  }, [queue, on, host])
}

export function mayNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}

const WORDS_MAX = 200

function tell(entry: Entry): void {
  const { kind, title, route } = lineOf(entry)
  const shown = new Notification(`${kind}: needs you`, { body: title.slice(0, WORDS_MAX), tag: entry.key })
  shown.onclick = () => {
    window.focus()
    location.hash = hrefOf(route)
    shown.close()
  }
}
