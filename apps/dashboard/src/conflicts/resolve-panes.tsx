// A conflict resolved on the page: target, result and delivery side by side, one place after the other.
import type { Conflict } from '@treadle/contracts/conflict'
import type { ConflictParts, PlaceChoice } from '@treadle/contracts/conflict-parts'
import { itemLabel } from '@treadle/contracts/ids'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { revealed } from '../live/unseen-characters.model.ts'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { PlacePanes, WholePanes } from './place-panes.tsx'
import {
  choiceFor,
  type Decisions,
  decidedCount,
  decidedWords,
  editable,
  heldUpBy,
  nextOpen,
  type Spot,
  settlementOf,
  spotsOf,
  stepTo,
} from './resolution.model.ts'
import { keyMeans, type ResolveKey } from './resolve-keys.model.ts'
import './resolve-panes.css'

interface ResolveProps {
  readonly parts: ConflictParts
  readonly conflict: Conflict
  readonly onAsk: () => void
  /** Something was sent: look at it anew. */
  readonly onSent: () => void
}

export function ResolvePanes({ parts, conflict, onAsk, onSent }: ResolveProps) {
  const spots = useMemo(() => spotsOf(parts), [parts])
  const { decisions, at, editing, decide, go, edit, onKey, place } = useResolution(spots)
  const spot = spots[at]
  const heldUp = heldUpBy(parts, spots, decisions)
  if (parts.files.length === 0) return null
  return (
    <section className="resolve" aria-labelledby="resolve" onKeyDown={onKey}>
      <div className="section-head">
        <h3 id="resolve">Resolve it here</h3>
        <p className="muted">
          <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> {revealed(parts.target.name)},{' '}
          <kbd>2</kbd> delivery, <kbd>3</kbd> both, <kbd>e</kbd> edit
        </p>
      </div>
      <FileList parts={parts} spots={spots} decisions={decisions} at={at} onGo={go} />
      {spot !== undefined && (
        <section className="card resolve-place" ref={place} tabIndex={-1} aria-labelledby="resolve-at">
          <div className="resolve-head">
            <h4 id="resolve-at">
              <code>{revealed(spot.path)}</code>{' '}
              <span className="muted">
                {spot.is === 'place' ? `place ${spot.number} of ${spot.of}` : 'whole file'}
              </span>
            </h4>
            <div className="resolve-steps">
              <button type="button" aria-disabled={at === 0} onClick={() => go(stepTo(spots, at, -1))}>
                Previous
              </button>
              <button
                type="button"
                aria-disabled={at === spots.length - 1}
                onClick={() => go(stepTo(spots, at, 1))}
              >
                Next
              </button>
            </div>
          </div>
          {spot.is === 'place' ? (
            <PlacePanes
              key={spot.key}
              spot={spot}
              parts={parts}
              choice={decisions.get(spot.key)}
              editing={editing}
              onDecide={decide}
              onEdit={edit}
            />
          ) : (
            <WholePanes spot={spot} parts={parts} choice={decisions.get(spot.key)} onDecide={decide} />
          )}
        </section>
      )}
      <Foot {...{ parts, conflict, spots, decisions, heldUp, onAsk, onSent }} onGo={go} at={at} />
    </section>
  )
}

function useResolution(spots: readonly Spot[]) {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const [wanted, setAt] = useState(0)
  const [editing, setEditing] = useState(false)
  const place = useRef<HTMLElement>(null)
  const at = Math.min(wanted, Math.max(0, spots.length - 1))
  const spot = spots[at]
  const decide = (choice: PlaceChoice | null, keepEditing = false) => {
    if (spot === undefined) return
    setEditing(keepEditing)
    const next = new Map(decisions)
    if (choice === null) next.delete(spot.key)
    else next.set(spot.key, choice)
    setDecisions(next)
  }
  const go = (to: number) => {
    setEditing(false)
    setAt(to)
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }
  const edit = () => {
    if (spot?.is !== 'place') return
    decide({ is: 'text', text: editable(spot.place, decisions.get(spot.key)) }, true)
  }
  const perform = (means: ResolveKey) => {
    if (means.is === 'step') return go(stepTo(spots, at, means.by))
    if (means.is === 'edit') return edit()
    const choice = spot === undefined ? null : choiceFor(spot, means.choice)
    if (choice !== null) decide(choice)
  }
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    const isModified = event.ctrlKey || event.altKey || event.metaKey
    if (isTyping && event.key === 'Escape') {
      setEditing(false)
      place.current?.focus()
    }
    const means = isTyping || isModified ? null : keyMeans(event.key)
    if (means === null) return
    event.preventDefault()
    perform(means)
  }
  return { decisions, at, editing, decide, go, edit, onKey, place }
}

interface FileListProps {
  readonly parts: ConflictParts
  readonly spots: readonly Spot[]
  readonly decisions: Decisions
  readonly at: number
  readonly onGo: (at: number) => void
}

function FileList({ parts, spots, decisions, at, onGo }: FileListProps) {
  return (
    <ul className="resolve-files" aria-label="Files in conflict">
      {parts.files.map(({ file, path, is }) => {
        const own = spots.filter((spot) => spot.file === file)
        const done = own.length > 0 && decidedCount(own, decisions) === own.length
        if (is === 'by_hand')
          return (
            <li key={file} className="resolve-by-hand">
              <code>{revealed(path)}</code> <span className="muted">not on this page</span>
            </li>
          )
        return (
          <li key={file}>
            <button
              type="button"
              aria-current={spots[at]?.file === file}
              onClick={() => onGo(spots.findIndex((spot) => spot.file === file))}
            >
              <code>{revealed(path)}</code>{' '}
              <span data-done={done}>
                {decidedCount(own, decisions)}/{own.length}
                <span className="unseen"> decided</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

type FootProps = Omit<FileListProps, 'onGo'> &
  ResolveProps & { readonly heldUp: string | null; readonly onGo: (at: number) => void }

function Foot({ parts, conflict, spots, decisions, heldUp, at, onGo, onAsk, onSent }: FootProps) {
  const { busy, mayDecide, act } = useActions()
  const label = itemLabel({ projectNumber: conflict.projectNumber, number: conflict.issueNumber })
  const key = `settle:${conflict.id}`
  const isBusy = busy.has(key)
  const open = nextOpen(spots, decisions, at)
  const send = async () => {
    const settlement = settlementOf(parts, decisions)
    if (isBusy || !mayDecide || settlement === null) return
    await act({
      key,
      done: `${label} is resolved. Its checks run before it is merged.`,
      failed: `${label} was not resolved.`,
      work: (client) => client.settleConflict({ params: { id: conflict.id }, body: settlement }),
    })
    onSent()
  }
  return (
    <div className="resolve-foot">
      <p role="status">
        <strong>{decidedWords(spots, decisions)}</strong>
        {open === null && heldUp !== null && ` ${heldUp}`}
      </p>
      {open !== null && (
        <button type="button" onClick={() => onGo(open)}>
          Next undecided
        </button>
      )}
      <button type="button" className="push" onClick={onAsk}>
        Ask an agent…
      </button>
      <button
        type="button"
        className="primary"
        aria-disabled={isBusy || heldUp !== null || !mayDecide}
        title={mayDecide ? (heldUp ?? undefined) : OWNERS_ALONE}
        onClick={() => void send()}
      >
        {isBusy ? 'Committing…' : 'Test and merge'}
      </button>
    </div>
  )
}
