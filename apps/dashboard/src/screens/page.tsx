// The one page: what is everyone doing, and what do they need from me.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { timeAgo } from '@treadle/contracts/words/time'
import { useEffect, useState } from 'react'
import { type Connection, connectionOf, type LiveState, type Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { type Action, approvalWords, groupItems } from './board.model.ts'
import { Board, NeedsYou } from './board.tsx'
import { CostTracker, HoldBanner } from './costs.tsx'
import { Crew } from './crew.tsx'
import { Feed } from './feed.tsx'
import { Wheel } from './wheel.tsx'

const TICK_MS = 5_000

export function Page({ live, state, snapshot }: { live: Live; state: LiveState; snapshot: Snapshot }) {
  const now = useNow()
  const connection = connectionOf(state)
  const { workspace, agents, items, costs } = snapshot
  const groups = groupItems(items, workspace.config.merge.approval)
  const needing = groups.find(({ id }) => id === 'needs_you')
  const waiting = needing?.items.length ?? 0
  const [said, setSaid] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const onActed = (item: Item, action: Action, problem: string | null) => {
    setSaid(problem === null ? `${itemLabel(item)} ${DONE_WORDS[action]}.` : '')
    setRefusal(problem === null ? null : `${itemLabel(item)} could not be ${PAST_WORDS[action]}. ${problem}`)
    requestAnimationFrame(rescueFocus)
  }
  const shared = { workspace, live, onActed }
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}Treadle · ${folderOf(workspace.root)}`
  }, [waiting, workspace.root])
  return (
    <>
      <header className="top">
        <h1 className="brand">
          <Wheel /> Treadle
        </h1>
        <p className="where">
          <code title={workspace.root}>{workspace.root}</code>
          <span className="muted">
            on <code>{workspace.target}</code>
          </span>
        </p>
        <p className="mode">{approvalWords(workspace.config.merge.approval)}</p>
        <p className="connection" role="status" data-connection={connection}>
          <span className="dot" aria-hidden="true" />
          {CONNECTION_WORDS[connection]}
        </p>
        <CostTracker costs={costs} items={items} />
      </header>
      <main>
        <Banners connection={connection} state={state} snapshot={snapshot} now={now} />
        <div className="columns">
          <div className="left">
            <p className="unseen" role="status">
              {said}
            </p>
            {needing && <NeedsYou group={needing} {...shared} />}
            <Crew agents={agents} items={items} now={now} />
            <Board
              groups={groups.filter((group) => group !== needing)}
              empty={items.length === 0}
              {...shared}
            />
          </div>
          <Feed events={state.events} items={items} now={now} />
        </div>
        {refusal && <Refusal text={refusal} onDismiss={() => setRefusal(null)} />}
      </main>
    </>
  )
}

const DONE_WORDS: Record<Action, string> = { approve: 'was approved', reopen: 'is back in the queue' }
const PAST_WORDS: Record<Action, string> = { approve: 'approved', reopen: 'reopened' }

/** Not beside the button: an order is mostly refused because the item has moved on, and its row with it. */
function Refusal({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <div className="banner refusal" data-tone="bad" role="alert">
      <p>{text}</p>
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  )
}

const CONNECTION_WORDS: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
}

interface BannersProps {
  connection: Connection
  state: LiveState
  snapshot: Snapshot
  now: number
}

function Banners({ connection, state, snapshot, now }: BannersProps) {
  return (
    <div className="banners">
      {connection === 'offline' && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>The daemon does not answer.</strong> What you see was read{' '}
          {timeAgo(new Date(snapshot.at).toISOString(), now)}. Start it with <code>treadle up</code>; this
          page comes back by itself.
        </p>
      )}
      {connection === 'reconnecting' && (
        <p className="banner" data-tone="attention" role="alert">
          <strong>The live connection is interrupted.</strong> Until it is back, this page asks every 5
          seconds.
        </p>
      )}
      {state.trouble?.is === 'failing' && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>{state.trouble.message}</strong> {state.trouble.hint}
        </p>
      )}
      {snapshot.workspace.errors.map((error) => (
        <p className="banner" data-tone="bad" role="alert" key={error}>
          <strong>Settings:</strong> {error}
        </p>
      ))}
      <HoldBanner hold={snapshot.costs.daily.hold} />
      {snapshot.workspace.warnings.map((warning) => (
        <p className="banner" data-tone="attention" key={warning}>
          <strong>Settings:</strong> {warning}
        </p>
      ))}
    </div>
  )
}

/** A pressed button goes with its row; without this a keyboard reader would be thrown to the top of the page. */
function rescueFocus(): void {
  if (document.activeElement !== document.body) return
  const heading = document.getElementById('needs_you') ?? document.getElementById('board')
  heading?.focus({ preventScroll: true })
}

function folderOf(root: string): string {
  return root.split(/[\\/]/).findLast((part) => part !== '') ?? root
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
