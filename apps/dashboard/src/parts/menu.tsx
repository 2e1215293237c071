// A menu behind a button, and behind a right click on what it belongs to. Arrow keys move, Escape closes.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export interface MenuEntry {
  readonly words: string
  readonly onPick: () => void
  readonly tone?: 'bad'
}

interface MenuProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly children: ReactNode
  /** True opens the menu from elsewhere. */
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

export function Menu({ label, entries, children, open, onOpen }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (!open) return
    setAt(0)
    const away = (event: PointerEvent) => {
      const target = event.target as Node
      if (!list.current?.contains(target) && !button.current?.contains(target)) onOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open, onOpen])
  useEffect(() => {
    if (open) list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]')[at]?.focus()
  }, [open, at])
  const close = () => {
    onOpen(false)
    button.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (step === 'close') close()
    else setAt((now) => nextIndex(step, now, entries.length))
  }
  return (
    <div className="menu">
      <button
        ref={button}
        type="button"
        className="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          className="menu-list card"
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKey}
        >
          {entries.map(({ words, onPick, tone }) => (
            <button
              key={words}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-tone={tone}
              onClick={() => {
                close()
                onPick()
              }}
            >
              {words}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

type Step = 'next' | 'before' | 'first' | 'last' | 'close'
const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: 'next',
  ArrowUp: 'before',
  Home: 'first',
  End: 'last',
  Escape: 'close',
  Tab: 'close',
}

function nextIndex(step: Exclude<Step, 'close'>, now: number, count: number): number {
  if (step === 'first') return 0
  if (step === 'last') return count - 1
  return (now + (step === 'next' ? 1 : count - 1)) % count
}
