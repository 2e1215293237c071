// Keys for the whole page, and the dialog that lists them. They can be turned off: a voice or a reader may press them unmeant.
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { Dialog } from '../parts/dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { useStoredSwitch } from '../webview/use-stored-switch.ts'
import { Icon } from './icons.tsx'
import { decideKey, opensPalette } from './keys.model.ts'
import { routeTo } from './screens.model.ts'

const GOING_MS = 1_500

interface KeysProps {
  readonly snapshot: Snapshot
  readonly notify: boolean
  readonly onNotify: (on: boolean) => void
}

const Palette = lazy(() => import('./palette.tsx').then((loaded) => ({ default: loaded.Palette })))

const KeyList = lazy(() => import('./key-list.tsx').then((loaded) => ({ default: loaded.KeyList })))
const NotifySwitch = lazy(() =>
  import('./notify-switch.tsx').then((loaded) => ({ default: loaded.NotifySwitch })),
)
const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

export function Keys({ snapshot, notify, onNotify }: KeysProps) {
  const [on, setOn] = useStoredSwitch('keys', true)
  const [open, setOpen] = useState<'keys' | 'palette' | null>(null)
  useKeys(on, () => setOpen('keys'))
  usePaletteKey(() => setOpen('palette'))
  const close = () => setOpen(null)
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen('palette')}
      >
        <Icon name="search" /> <span className="unseen">Search and commands</span> <kbd>{PALETTE_KEY}</kbd>
      </button>
      <button
        type="button"
        className="icon keys-button"
        aria-label="Keyboard shortcuts"
        onClick={() => setOpen('keys')}
      >
        <kbd>?</kbd>
      </button>
      {open === 'palette' && (
        <Suspense fallback={null}>
          <Palette
            snapshot={snapshot}
            onClose={() => setOpen((now) => (now === 'palette' ? null : now))}
            onKeys={() => setOpen('keys')}
          />
        </Suspense>
      )}
      {open === 'keys' && (
        <Dialog title="Keyboard shortcuts" closeWords="Close" onClose={close}>
          <Suspense fallback={null}>
            <KeyList paletteKey={PALETTE_KEY} />
          </Suspense>
          <label className="toggle">
            <input type="checkbox" checked={on} onChange={() => setOn(!on)} /> Use single-key shortcuts
          </label>
          <Suspense fallback={null}>
            <NotifySwitch on={notify} onChange={onNotify} />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

function usePaletteKey(onPalette: () => void): void {
  const open = useRef(onPalette)
  open.current = onPalette
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!opensPalette(event) || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      open.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
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
