// Orphans: left over from an earlier daemon, to be recovered or deleted.
import type { Client } from '@treadle/contracts/client'
import type { Orphan } from '@treadle/contracts/orphan'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { asTyped, FormDialog, useForm } from '../parts/form-dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { isRecoverable, orphanFacts } from './maintenance.model.ts'

const ask = (client: Client) => client.listOrphans().then(revealAll)

export function Orphans({ live, last }: { live: Live; last: number }) {
  const { answer, problem } = useAnswer(live, ask, last)
  const [deleting, setDeleting] = useState<Orphan | null>(null)
  return (
    <section aria-labelledby="orphans">
      <div className="section-head">
        <h2 id="orphans">Orphans {answer && <span className="count">{answer.items.length}</span>}</h2>
        <p className="muted">left over from an earlier daemon</p>
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && <p className="empty">None. This daemon manages every agent.</p>}
      {answer !== null && answer.items.length > 0 && (
        <ul className="card order-list">
          {answer.items.map((orphan) => (
            <OrphanRow key={orphan.agentId} orphan={orphan} onDelete={() => setDeleting(orphan)} />
          ))}
        </ul>
      )}
      {deleting !== null && <DeleteDialog live={live} orphan={deleting} onClose={() => setDeleting(null)} />}
    </section>
  )
}

function OrphanRow({ orphan, onDelete }: { orphan: Orphan; onDelete: () => void }) {
  const { agentId } = orphan
  return (
    <li className="order-row">
      <div>
        <p className="order-title">{agentId}</p>
        <p className="muted">{orphanFacts(orphan).join('; ')}</p>
      </div>
      <div className="order-buttons">
        {isRecoverable(orphan) && (
          <ActionButton
            words="Recover"
            busyWords="Recovering…"
            label={`Recover ${agentId}`}
            action={{
              key: `recover-orphan:${agentId}`,
              done: `${agentId} runs again.`,
              failed: `${agentId} could not be recovered.`,
              work: (client) => client.settleOrphan({ params: { id: agentId, act: 'recover' }, body: {} }),
            }}
          />
        )}
        <button type="button" className="danger" aria-label={`Delete ${agentId}…`} onClick={onDelete}>
          Delete…
        </button>
      </div>
    </li>
  )
}

interface DeleteProps {
  readonly live: Live
  readonly orphan: Orphan
  readonly onClose: () => void
}

function DeleteDialog({ live, orphan, onClose }: DeleteProps) {
  const { agentId, process } = orphan
  const form = useForm({
    live,
    read: asTyped,
    send: (client) =>
      client.settleOrphan({ params: { id: agentId, act: 'delete' }, body: { confirm: true } }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title={`Delete what is left of ${agentId}?`}
      tone="bad"
      words="Delete it"
      busyWords="Deleting…"
      onClose={onClose}
      {...form}
    >
      <p>
        {process === null ? '' : `Process ${process.pid} is killed. `}Its session file goes, and what it holds
        is released.
      </p>
      <ul className="impact" aria-label="What is left of it">
        {orphanFacts(orphan).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </FormDialog>
  )
}
