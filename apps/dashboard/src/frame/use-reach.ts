// Reaching the reader while the page is behind others: a browser notification for each new entry of the queue.
import { useCallback, useEffect, useRef } from 'react'
import type { Workspace } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import type { Entry } from '../queue/queue.model.ts'
import { useHost } from '../webview/host-context.tsx'
import { useStoredSwitch } from '../webview/use-stored-switch.ts'
import type { Reach } from './reach.ts'

/** Whether the reader wants to be notified, and the switch of it, which stays the same function. */
export function useNotify(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useStoredSwitch('notify', false)
  const latest = useRef(setOn)
  latest.current = setOn
  const change = useCallback((next: boolean) => latest.current(next), [])
  return [on, change]
}

interface ReachProps {
  readonly live: Live
  readonly workspace: Workspace
  readonly queue: readonly Entry[]
  readonly on: boolean
}

/** What stood in the queue when the page was opened is not new. An editor has messages of its own. */
export function useReach({ live, workspace, queue, on }: ReachProps): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  const reach = useRef<Promise<Reach> | null>(null)
  const host = useHost()
  const isOn = on && host === null && mayNotify()
  useEffect(() => {
    if (!isOn) return
    // Most pages never need it, so it is fetched only where it is wanted.
    const opened = import('./reach.ts').then(({ openReach }) => openReach(live))
    reach.current = opened
    return () => {
      reach.current = null
      void opened.then((each) => each.end())
    }
  }, [isOn, live])
  const { key, decisions } = workspace
  useEffect(() => {
    const before = known.current
    known.current = new Set(queue.map((entry) => entry.key))
    const opened = reach.current
    if (before === null || opened === null) return
    const fresh = document.hidden ? queue.filter((entry) => !before.has(entry.key)) : []
    const settled = [...before].filter((tag) => known.current?.has(tag) === false)
    if (fresh.length + settled.length === 0) return
    void Promise.all([opened, import('./reach.model.ts')]).then(([each, { noticeOf }]) => {
      for (const tag of settled) each.settle(tag)
      for (const entry of fresh) each.tell(noticeOf(entry, key === 'owner' && !decisions.code))
    })
  }, [queue, key, decisions])
}

export function mayNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}
