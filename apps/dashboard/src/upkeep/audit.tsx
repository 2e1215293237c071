// Who ordered what, and what came of it.
import type { Client } from '@treadle/contracts/client'
import type { AuditEntry } from '@treadle/contracts/order'
import { useEffect, useState } from 'react'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { problemOf } from '../parts/acting.tsx'
import { mergeAudit, orderWords, outcomeTone, shortRef } from './upkeep.model.ts'

const PAGE = 25

const newest = (client: Client) => client.audit({ query: { limit: PAGE } }).then(revealAll)

export function Audit({ live, last }: { live: Live; last: number }) {
  const { answer, problem } = useAsked(live, newest, last)
  const [entries, setEntries] = useState<readonly AuditEntry[]>([])
  const [isWhole, setWhole] = useState<boolean | null>(null)
  const [older, setOlder] = useState<string | null>(null)
  useEffect(() => {
    if (answer === null) return
    setEntries((known) => mergeAudit(known, answer.items))
    // Only the first page can tell before somebody asks for more.
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
  const said = problem ?? older
  return (
    <section aria-labelledby="audit">
      <div className="section-head">
        <h2 id="audit">Audit log</h2>
        <p className="muted">every order that was given, newest first</p>
      </div>
      {said !== null && (
        <p className="wrong" role="alert">
          {said}
        </p>
      )}
      {answer !== null && entries.length === 0 && <p className="empty">No order was given yet.</p>}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {entries.length > 0 && isWhole === false && (
        <button type="button" className="quiet" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  )
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
    <div className="card table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">Order</th>
            <th scope="col">About</th>
            <th scope="col">What came of it</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <time dateTime={entry.at}>{new Date(entry.at).toLocaleString()}</time>
              </td>
              <td>{entry.by}</td>
              <td>{orderWords(entry.order)}</td>
              <td className="about" title={entry.impact}>
                {shortRef(entry.target ?? '')}
              </td>
              <td className="said outcome" data-tone={outcomeTone(entry)}>
                {entry.outcome}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
