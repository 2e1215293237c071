// A part that opens below its button; Escape and a press elsewhere close it.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import './popover.css'

interface PopoverProps {
  /** What is always seen, and opens the rest. */
  readonly summary: ReactNode
  readonly className: string
  readonly children: ReactNode
}

export function Popover({ summary, className, children }: PopoverProps) {
  const part = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const away = (event: PointerEvent) => {
      const inside = part.current?.contains(event.target as Node) || isInDialog(event.target)
      if (part.current?.open && !inside) part.current.open = false
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [])
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !part.current?.open || isInDialog(event.target)) return
    part.current.open = false
    part.current.querySelector('summary')?.focus()
  }
  return (
    <details ref={part} className={`popover ${className}`} onKeyDown={onKey}>
      <summary>{summary}</summary>
      <div className="card popover-body">{children}</div>
    </details>
  )
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}
