// The audit log: every order, who gave it, and what came of it.
import type { Client } from '@treadle/contracts/client'
import type { AuditEntry } from '@treadle/contracts/order'
import { useEffect, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { Problem } from '../parts/problem.tsx'
import { mergeAudit, orderWords, outcomeTone, shortRef } from './maintenance.model.ts'

const PAGE = 25

const newest = (client: Client) => client.audit({ query: { limit: PAGE } }).then(revealAll)

export function AuditLog({ live, last }: { live: Live; last: number }) {
  const { answer, problem } = useAnswer(live, newest, last)
  const [entries, setEntries] = useState<readonly AuditEntry[]>([])
  const [isWhole, setWhole] = useState<boolean | null>(null)
  const [older, setOlder] = useState<string | null>(null)
  useEffect(() => {
    if (answer === null) return
    setEntries((known) => mergeAudit(known, answer.items))
    // The first page tells whether there are more; after that, only the pages that were asked for do.
    setWhole((known) => known ?? answer.items.length < PAGE)
  }, [answer])
  const more = async () => {
    const before = entries.at(-1)?.cursor
    const asked = live.client.audit({ query: { limit: PAGE, before } }).then(({ items }) => {
      setEntries((known) => mergeAudit(known, revealAll(items)))
      setWhole(items.length < PAGE)
    })
    setOlder(await problemOf(asked))
  }
  return (
    <section aria-labelledby="audit">
      <div className="section-head">
        <h2 id="audit" tabIndex={-1}>
          Audit log
        </h2>
        <p className="muted">Every order, newest first.</p>
      </div>
      <Problem text={problem ?? older} />
      {answer !== null && (
        <DataTable
          label="Audit log"
          columns={AUDIT_COLUMNS}
          rows={entries}
          keyOf={({ id }) => id}
          empty="No orders yet."
        />
      )}
      {entries.length > 0 && isWhole === false && (
        <button type="button" className="quiet" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  )
}

const AUDIT_COLUMNS: readonly TableColumn<AuditEntry>[] = [
  {
    id: 'when',
    head: 'When',
    cell: ({ at }) => <time dateTime={at}>{new Date(at).toLocaleString()}</time>,
  },
  { id: 'who', head: 'Who', cell: ({ by }) => by },
  { id: 'order', head: 'Order', cell: ({ order }) => orderWords(order) },
  {
    id: 'about',
    head: 'About',
    attributes: ({ impact }) => ({ className: 'about', title: impact }),
    cell: ({ target }) => shortRef(target ?? ''),
  },
  {
    id: 'outcome',
    head: 'Outcome',
    attributes: (entry) => ({ className: 'said outcome', 'data-tone': outcomeTone(entry) }),
    cell: ({ outcome }) => outcome,
  },
]
