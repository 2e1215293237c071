// Work that no branch has any more: what there is, and how it comes back.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { KeptWork } from '@treadle/contracts/order'
import { timeAgo } from '@treadle/contracts/words/time'
import { useCallback, useId, useState } from 'react'
import { hrefOf } from '../frame/route.model.ts'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { keptFiles, keptWords, shortRef } from './upkeep.model.ts'

const SHOWN = 50
const SHOWN_MAX = 500

export function Kept({ live, now }: { live: Live; now: number }) {
  const id = useId()
  const [all, setAll] = useState(false)
  const [limit, setLimit] = useState(SHOWN)
  const [looks, setLooks] = useState(0)
  const [chosen, setChosen] = useState<KeptWork | null>(null)
  const ask = useCallback(
    (client: Client) => client.listKept({ query: { limit, all: all ? 'true' : 'false' } }).then(revealAll),
    [limit, all],
  )
  // Each is held against the target, which takes git a while: asked when the screen opens, not with every event.
  const { answer, problem } = useAsked(live, ask, looks)
  return (
    <section aria-labelledby="kept">
      <div className="section-head">
        <h2 id="kept">Kept work {answer && <span className="count">{answer.items.length}</span>}</h2>
        <p className="muted">
          {answer === null && problem === null ? 'Looking…' : 'not on a branch, and not lost'}
        </p>
        <label className="toggle push" htmlFor={id}>
          <input id={id} type="checkbox" checked={all} onChange={() => setAll(!all)} /> What changed nothing
          too
        </label>
        <button type="button" onClick={() => setLooks(looks + 1)}>
          Look again
        </button>
      </div>
      {problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      {answer?.items.length === 0 && (
        <p className="empty">Nothing is kept that is not on a branch or merged already.</p>
      )}
      {answer !== null && answer.items.length > 0 && (
        <KeptTable items={answer.items} now={now} onRestore={setChosen} />
      )}
      {answer !== null && answer.items.length === limit && limit < SHOWN_MAX && (
        <button type="button" className="quiet" onClick={() => setLimit(SHOWN_MAX)}>
          Show more
        </button>
      )}
      {chosen !== null && <RestoreDialog live={live} kept={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

interface TableProps {
  readonly items: readonly KeptWork[]
  readonly now: number
  readonly onRestore: (kept: KeptWork) => void
}

function KeptTable({ items, now, onRestore }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
    <div className="card table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Kept</th>
            <th scope="col">Item</th>
            <th scope="col">Agent</th>
            <th scope="col">What</th>
            <th scope="col">Files</th>
            <th scope="col">Bring back</th>
          </tr>
        </thead>
        <tbody>
          {items.map((kept) => (
            <tr key={kept.ref}>
              <td>
                <time dateTime={kept.at} title={new Date(kept.at).toLocaleString()}>
                  {timeAgo(kept.at, now)}
                </time>
              </td>
              <td>
                {kept.item !== null && (
                  <a href={hrefOf({ is: 'item', item: kept.item })}>{itemLabel(kept.item)}</a>
                )}
              </td>
              <td>{kept.agentId ?? ''}</td>
              <td title={kept.ref}>{keptWords(kept)}</td>
              <td className="said">
                <code>{keptFiles(kept)}</code>
              </td>
              <td>
                <button
                  type="button"
                  aria-label={`Restore ${shortRef(kept.ref)}…`}
                  onClick={() => onRestore(kept)}
                >
                  Restore…
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
