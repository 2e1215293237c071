// Keys for the whole page, and the dialog that lists them. They can be turned off: a voice or a reader may press them unmeant.
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { REVIEW_KEYS } from '../review/review-keys.model.ts'
import { useStoredSwitch } from '../webview/use-stored-switch.ts'
import { decideKey } from './keys.model.ts'
import { routeTo, SCREENS } from './screens.model.ts'

const GOING_MS = 1_500

export function Keys() {
  const [on, setOn] = useStoredSwitch('keys', true)
  const [open, setOpen] = useState(false)
  useKeys(on, () => setOpen(true))
  return (
    <>
      <button
        type="button"
        className="icon keys-button"
        aria-label="Keyboard shortcuts"
        onClick={() => setOpen(true)}
      >
        <kbd>?</kbd>
      </button>
      {open && (
        <Dialog title="Keyboard shortcuts" closeWords="Close" onClose={() => setOpen(false)}>
          <KeyList />
          <label className="toggle">
            <input type="checkbox" checked={on} onChange={() => setOn(!on)} /> Keys without Ctrl or Alt do
            something
          </label>
        </Dialog>
      )}
    </>
  )
}

function KeyList() {
  return (
    <dl className="keys">
      {SCREENS.map(({ key, words }) => (
        <div key={key}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
      <div>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>Inbox: next, the one before</dd>
      </div>
      <div>
        <dt>
          <kbd>1</kbd> … <kbd>9</kbd>
        </dt>
        <dd>Inbox: answer with that option</dd>
      </div>
      {REVIEW_KEYS.map(({ key, words }) => (
        <div key={`review ${key}`}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>Review: {words}</dd>
        </div>
      ))}
      <div>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
      </div>
      <div>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close a dialog or a menu</dd>
      </div>
    </dl>
  )
}

function useKeys(on: boolean, onHelp: () => void): void {
  const going = useRef<ReturnType<typeof setTimeout> | null>(null)
  const help = useRef(onHelp)
  help.current = onHelp
  useEffect(() => {
    if (!on) return
    const onKey = (event: KeyboardEvent) => {
      const choice = decideKey({
        key: event.key,
        modified: event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented,
        elsewhere: isElsewhere(event.target),
        going: going.current !== null,
      })
      if (going.current !== null) clearTimeout(going.current)
      going.current = null
      if (choice.is === 'nothing') return
      event.preventDefault()
      if (choice.is === 'help') help.current()
      else if (choice.is === 'go') location.hash = hrefOf(routeTo(choice.to))
      else
        going.current = setTimeout(() => {
          going.current = null
        }, GOING_MS)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [on])
}

function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') !== null
  )
}
