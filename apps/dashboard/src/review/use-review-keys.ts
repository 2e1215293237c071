// The keys of a review, as long as one is on the screen.
import { useContext, useEffect, useRef } from 'react'
import { PortContext } from '../webview/host-context.tsx'
import { storedSwitch } from '../webview/use-stored-switch.ts'
import { decideReviewKey, type ReviewKey } from './review-keys.model.ts'

const GOING_MS = 1_500

export function useReviewKeys(onKey: (key: ReviewKey) => void): void {
  const act = useRef(onKey)
  act.current = onKey
  const port = useContext(PortContext)
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      if (storedSwitch(port, 'keys') === false) return
      const going = event.timeStamp - wentAt < GOING_MS
      wentAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const choice = decideReviewKey({
        key: event.key,
        modified: event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented,
        elsewhere: isElsewhere(event.target),
        going,
        repeated: event.repeat,
      })
      if (choice === null) return
      event.preventDefault()
      act.current(choice)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [port])
}

function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"]') !==
      null
  )
}
