// The button that ends the agents and the daemon, and its dialog.
import { itemLabel } from '@treadle/contracts/ids'
import { useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { orderAgents, statusWords } from '../parts/agents.model.ts'
import { Command } from '../parts/command.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { asTyped, FormDialog, useForm } from '../parts/form-dialog.tsx'

export function Shutdown({ live, snapshot }: { live: Live; snapshot: Snapshot }) {
  const [stage, setStage] = useState<'closed' | 'asked' | 'down'>('closed')
  const close = () => setStage('closed')
  return (
    <>
      <button type="button" className="danger" onClick={() => setStage('asked')}>
        Shut down…
      </button>
      {stage === 'asked' && (
        <ShutdownDialog live={live} snapshot={snapshot} onClose={close} onDown={() => setStage('down')} />
      )}
      {stage === 'down' && (
        <Dialog title="Treadle is shut down" onClose={close} closeWords="Close">
          <p>The agents and the daemon end now. To start them again, run in your repository</p>
          <Command>treadle up</Command>
          <p>
            This page comes back by itself. If the daemon comes back at another address, open the link that it
            prints.
          </p>
        </Dialog>
      )}
    </>
  )
}

interface ShutdownProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly onClose: () => void
  readonly onDown: () => void
}

function ShutdownDialog({ live, snapshot, onClose, onDown }: ShutdownProps) {
  const running = orderAgents(snapshot.agents).filter(
    ({ wanted, status }) => wanted !== 'stopped' || status !== 'stopped',
  )
  const form = useForm({
    live,
    read: asTyped,
    send: (client) => client.shutdown({ body: {} }),
    onSent: onDown,
  })
  return (
    <FormDialog
      title="Shut Treadle down?"
      tone="bad"
      words="Shut down"
      busyWords="Shutting down…"
      onClose={onClose}
      {...form}
    >
      <p>
        {running.length === 0
          ? 'No agent is running. The daemon ends, and this page with it.'
          : 'These agents finish cleanly, then the daemon stops. They keep their items and continue after the next start.'}
      </p>
      {running.length > 0 && (
        <ul className="impact" aria-label="Agents affected">
          {running.map(({ id, status, item }) => (
            <li key={id}>
              <strong>{id}</strong> {statusWords(status).toLowerCase()}
              {item !== null && ` on ${itemLabel(item)}`}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
