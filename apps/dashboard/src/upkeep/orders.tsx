import { agentNumber } from '@treadle/contracts/ids'
import type { Order, OrderGiven } from '@treadle/contracts/order'
import { type ReactNode, useId, useState } from 'react'
import { orderAgents } from '../crew/crew.model.ts'
import { EmergencyStop } from '../crew/crew-controls.tsx'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { OrderDialog } from '../parts/order-dialog.tsx'
import { TryChannels } from './channels.tsx'
import { Shutdown } from './shutdown.tsx'
import { orderWords, phasesOf } from './upkeep.model.ts'

/** An order that is being asked about. */
interface Asked {
  readonly order: Order
  readonly title: string
  /** On the button that confirms. */
  readonly words: string
  readonly failed: string
}

interface OrdersProps {
  readonly live: Live
  readonly snapshot: Snapshot
}

export function Orders({ live, snapshot }: OrdersProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [given, setGiven] = useState<OrderGiven | null>(null)
  return (
    <section aria-labelledby="upkeep">
      <div className="section-head">
        <h2 id="upkeep" tabIndex={-1}>
          Upkeep
        </h2>
        <p className="muted">each says what it will hit before anything happens</p>
      </div>
      <p className="given" role="status">
        {given !== null && (
          <>
            <strong>{orderWords(given.order)}</strong>: {given.outcome}.
          </>
        )}
      </p>
      <div className="deed-groups">
        <Group words="Queue, agents and channels">
          <QueueDeeds onAsk={setAsked} last={given} />
          <ResetDeed snapshot={snapshot} onAsk={setAsked} />
          <Deed
            title="Notification channels"
            says="Sends a message over each that is on, to see whether it arrives."
          >
            <TryChannels />
          </Deed>
        </Group>
        <Group words="Phases">
          <PhaseDeeds snapshot={snapshot} onAsk={setAsked} />
        </Group>
        <Group words="Pause and stop">
          <CrewDeeds live={live} snapshot={snapshot} onAsk={setAsked} />
        </Group>
      </div>
      {asked !== null && (
        <OrderDialog
          live={live}
          items={snapshot.items}
          order={asked.order}
          title={asked.title}
          words={asked.words}
          done={`${orderWords(asked.order.is)} was done.`}
          failed={asked.failed}
          onGiven={setGiven}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

function Group({ words, children }: { words: string; children: ReactNode }) {
  const id = useId()
  return (
    <div>
      <h3 id={id}>{words}</h3>
      <ul className="card deeds" aria-labelledby={id}>
        {children}
      </ul>
    </div>
  )
}

interface DeedProps {
  readonly title: string
  readonly says: ReactNode
  readonly children: ReactNode
}

function Deed({ title, says, children }: DeedProps) {
  return (
    <li className="deed">
      <div>
        <p className="deed-title">{title}</p>
        <p className="muted">{says}</p>
      </div>
      <div className="deed-does">{children}</div>
    </li>
  )
}

type Ask = (asked: Asked) => void

function QueueDeeds({ onAsk, last }: { onAsk: Ask; last: OrderGiven | null }) {
  const purge = last?.order === 'purge' && last.impact.items.length > 0 ? last.id : null
  return (
    <>
      <Deed title="Recover stuck claims" says="Releases claims that are too old or whose holder is gone.">
        <button
          type="button"
          onClick={() =>
            onAsk({
              order: { is: 'recover' },
              title: 'Release what is stuck?',
              words: 'Release it',
              failed: 'Not everything could be released.',
            })
          }
        >
          Recover…
        </button>
      </Deed>
      <Deed
        title="Purge the queue"
        says="Withdraws everything that waits. Nothing is closed elsewhere, and it can be undone."
      >
        <button
          type="button"
          onClick={() =>
            onAsk({
              order: { is: 'undo_purge', purge },
              title: purge === null ? 'Undo the last purge?' : 'Undo this purge?',
              words: 'Put it back',
              failed: 'The purge could not be undone.',
            })
          }
        >
          Undo a purge…
        </button>
        <button
          type="button"
          className="danger"
          onClick={() =>
            onAsk({
              order: { is: 'purge' },
              title: 'Withdraw everything that waits?',
              words: 'Purge the queue',
              failed: 'The queue could not be purged.',
            })
          }
        >
          Purge…
        </button>
      </Deed>
    </>
  )
}

function ResetDeed({ snapshot, onAsk }: { snapshot: Snapshot; onAsk: Ask }) {
  const field = useId()
  const [chosen, setChosen] = useState('')
  const agents = orderAgents(snapshot.agents)
  const id = agents.some((agent) => agent.id === chosen) ? chosen : agents[0]?.id
  return (
    <Deed title="Reset an agent" says="Its session file, counters and errors are made anew; costs stay.">
      <label className="unseen" htmlFor={field}>
        Which agent
      </label>
      <select
        id={field}
        value={id ?? ''}
        disabled={agents.length === 0}
        onChange={(event) => setChosen(event.target.value)}
      >
        {agents.length === 0 && <option value="">no agent</option>}
        {agents.map((agent) => (
          <option key={agent.id}>{agent.id}</option>
        ))}
      </select>
      <button
        type="button"
        className="danger"
        disabled={id === undefined}
        onClick={() =>
          id !== undefined &&
          onAsk({
            order: { is: 'reset', agentId: id },
            title: `Reset ${id}?`,
            words: 'Reset it',
            failed: `${id} could not be reset.`,
          })
        }
      >
        Reset…
      </button>
    </Deed>
  )
}

function PhaseDeeds({ snapshot, onAsk }: { snapshot: Snapshot; onAsk: Ask }) {
  return phasesOf(snapshot.workspace.config).map(({ phase, words, flag, isOff }) => (
    <Deed
      key={phase}
      title={`Phase ${phase}: ${words}`}
      says={
        isOff ? (
          <>
            Off. To turn it on again, set <code>flags.{flag}</code> in treadle.json.
          </>
        ) : (
          <>
            A rollback sets <code>flags.{flag}</code> to false and stops every agent in good order.
          </>
        )
      }
    >
      {isOff ? (
        <span className="badge" data-tone="plain">
          Off
        </span>
      ) : (
        <button
          type="button"
          className="danger"
          aria-label={`Roll back phase ${phase}…`}
          onClick={() =>
            onAsk({
              order: { is: 'rollback', phase },
              title: `Roll back phase ${phase}?`,
              words: 'Roll it back',
              failed: `Phase ${phase} could not be rolled back.`,
            })
          }
        >
          Roll back…
        </button>
      )}
    </Deed>
  ))
}

function CrewDeeds({ live, snapshot, onAsk }: OrdersProps & { onAsk: Ask }) {
  const isIdle = !snapshot.agents.some(({ id, wanted }) => wanted !== 'stopped' && agentNumber(id) !== null)
  return (
    <>
      <Deed
        title="Pause everyone at once"
        says="In the middle of what they do; what they started stands still with them. Resume all lets them go on."
      >
        <button
          type="button"
          onClick={() =>
            onAsk({
              order: { is: 'pause_all', now: true },
              title: 'Pause every agent at once?',
              words: 'Pause them',
              failed: 'Not everyone could be paused.',
            })
          }
        >
          Pause all at once…
        </button>
      </Deed>
      <Deed
        title="Stop everyone"
        says="In good order: they come to an end, and what they hold goes back to the queue."
      >
        <button
          type="button"
          className="danger"
          onClick={() =>
            onAsk({
              order: { is: 'stop_all' },
              title: 'Stop every agent in good order?',
              words: 'Stop them',
              failed: 'Not everyone could be stopped.',
            })
          }
        >
          Stop all…
        </button>
      </Deed>
      <Deed
        title="Emergency stop"
        says="Kills every agent at once; their claims are released, their work is kept."
      >
        <EmergencyStop live={live} items={snapshot.items} />
      </Deed>
      <Deed
        title="Shut down"
        says={
          isIdle
            ? 'Ends the daemon. This page has nothing to show until it is started again.'
            : 'Ends the agents and the daemon. What they hold stays theirs, for the next start.'
        }
      >
        <Shutdown live={live} snapshot={snapshot} />
      </Deed>
    </>
  )
}
