// Work that no branch has any more: what there is, and how it comes back.
import type { Client } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { KeptWork } from '@treadle/contracts/order'
import { useCallback, useId, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { keptFiles, keptWords, shortRef } from './maintenance.model.ts'
import { RestoreDialog } from './restore-dialog.tsx'

const SHOWN = 50
const SHOWN_MAX = 500

export function KeptWorkList({ live, now }: { live: Live; now: number }) {
  const id = useId()
  const [all, setAll] = useState(false)
  const [limit, setLimit] = useState(SHOWN)
  const [looks, setLooks] = useState(0)
  const [chosen, setChosen] = useState<KeptWork | null>(null)
  const ask = useCallback(
    (client: Client) => client.listKept({ query: { limit, all: all ? 'true' : 'false' } }).then(revealAll),
    [limit, all],
  )
  // Git compares every kept commit with the target, which takes a while: asked for when the screen opens, not with every event.
  const { answer, problem } = useAnswer(live, ask, looks)
  const columns = useMemo(() => keptColumns(now, setChosen), [now])
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
          Refresh
        </button>
      </div>
      <Problem text={problem} />
      {answer !== null && (
        <DataTable
          label="Kept work"
          columns={columns}
          rows={answer.items}
          keyOf={({ ref }) => ref}
          empty="Nothing is kept that is not on a branch or merged already."
        />
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

function keptColumns(now: number, onRestore: (kept: KeptWork) => void): readonly TableColumn<KeptWork>[] {
  return [
    { id: 'when', head: 'Kept', cell: ({ at }) => <TimeAgo at={at} now={now} /> },
    {
      id: 'item',
      head: 'Item',
      cell: ({ item }) => item && <a href={hrefOf({ is: 'item', item })}>{itemLabel(item)}</a>,
    },
    { id: 'agent', head: 'Agent', cell: ({ agentId }) => agentId },
    { id: 'what', head: 'What', attributes: ({ ref }) => ({ title: ref }), cell: keptWords },
    {
      id: 'files',
      head: 'Files',
      attributes: () => ({ className: 'said' }),
      cell: (kept) => <code>{keptFiles(kept)}</code>,
    },
    {
      id: 'restore',
      head: 'Bring back',
      cell: (kept) => (
        <button type="button" aria-label={`Restore ${shortRef(kept.ref)}…`} onClick={() => onRestore(kept)}>
          Restore…
        </button>
      ),
    },
  ]
}
