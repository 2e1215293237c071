// The command palette: go to a place, find an item, do something, all by typing.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { type PageAction, useActions } from '../parts/actions.tsx'
import { oneMore } from '../parts/agents.model.ts'
import { hrefOf } from '../parts/route.model.ts'
import { type CommandName, find, type PaletteEntry } from './palette.model.ts'
import './palette.css'

interface PaletteProps {
  readonly snapshot: Snapshot
  readonly onClose: () => void
  readonly onKeys: () => void
}

export function Palette({ snapshot, onClose, onKeys }: PaletteProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const command = useCommand(snapshot)
  const found = find(typed, snapshot.items)
  const chosen = found[Math.min(at, found.length - 1)]
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])
  const pick = (what: PaletteEntry | undefined) => {
    if (what === undefined) return
    dialog.current?.close()
    if (what.is === 'go') location.hash = hrefOf(what.route)
    else if (what.name === 'keys') onKeys()
    else command(what.name)
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setAt((Math.min(at, found.length - 1) + by + found.length) % (found.length || 1))
    else if (event.key === 'Enter') pick(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Command palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to a place, find an item, or do something"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search items, places and actions"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div className="found" role="listbox" id={id} aria-label="Results">
        {found.map((each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys; an option is never focused
          <div
            key={each.key}
            id={`${id}-${each.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={each === chosen}
            onClick={() => pick(each)}
          >
            <span dir="auto">{each.words}</span>
            <span className="muted">{each.hint}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted no-match">No matches.</p>}
    </dialog>
  )
}

/** Does a command; one that stops everyone only presses the button that asks about it. */
function useCommand({ agents, workspace }: Snapshot): (name: CommandName) => void {
  const { act } = useActions()
  return (name) => {
    if (name === 'stop_all')
      document.querySelector<HTMLButtonElement>('.rail button[aria-label="Emergency stop all"]')?.click()
    const action = actionFor(name, oneMore(agents, workspace.config.agents.maxConcurrent))
    if (action !== null) void act(action)
  }
}

function actionFor(name: CommandName, count: number | null): PageAction | null {
  switch (name) {
    case 'pause_all':
      return {
        key: 'pause-all',
        done: 'Everyone pauses at the next checkpoint.',
        failed: 'Not everyone could be paused.',
        work: (client) => client.giveOrder({ body: { order: { is: 'pause_all' } } }),
      }
    case 'resume_all':
      return {
        key: 'resume-all',
        done: 'Everyone goes on.',
        failed: 'Not everyone could go on.',
        work: (client) => client.giveOrder({ body: { order: { is: 'resume_all' } } }),
      }
    case 'add_agent':
      if (count === null) return null
      return {
        key: 'add-agent',
        done: 'An agent was added.',
        failed: 'No agent could be added.',
        work: (client) => client.startAgents({ body: { count } }),
      }
    case 'stop_all':
    case 'keys':
      return null
  }
}
