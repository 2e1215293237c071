// Orders to the whole crew, the queue and the phases; each says what it will hit before it is confirmed.
import { agentNumber } from '@treadle/contracts/ids'
import type { Order, OrderGiven } from '@treadle/contracts/order'
import { type ReactNode, useId, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { EmergencyStop } from '../parts/agent-orders.tsx'
import { orderAgents } from '../parts/agents.model.ts'
import { OrderDialog } from '../parts/order-dialog.tsx'
import { orderWords, phasesOf } from './maintenance.model.ts'
import { Shutdown } from './shutdown.tsx'
import { TryChannels } from './try-channels.tsx'

/** An order that is being asked about. */
interface OrderQuestion {
  readonly order: Order
  readonly title: string
  /** The words on the button that confirms. */
  readonly words: string
  readonly failed: string
}

interface CrewOrdersProps {
  readonly live: Live
  readonly snapshot: Snapshot
}

export function CrewOrders({ live, snapshot }: CrewOrdersProps) {
  const [asked, setAsked] = useState<OrderQuestion | null>(null)
  const [given, setGiven] = useState<OrderGiven | null>(null)
  return (
    <section aria-labelledby="maintenance">
      <div className="section-head">
        <h2 id="maintenance" tabIndex={-1}>
          Maintenance
        </h2>
        <p className="muted">each shows what it affects before anything happens</p>
      </div>
      <p className="given" role="status">
        {given !== null && (
          <>
            <strong>{orderWords(given.order)}</strong>: {given.outcome}.
          </>
        )}
      </p>
      <div className="order-groups">
        <Group words="Queue, agents and channels">
          <QueueOrders onAsk={setAsked} last={given} />
          <ResetOrder snapshot={snapshot} onAsk={setAsked} />
          <OrderRow
            title="Notification channels"
            says="Sends a message over each that is on, to see whether it arrives."
          >
            <TryChannels />
          </OrderRow>
        </Group>
        <Group words="Phases">
          <PhaseOrders snapshot={snapshot} onAsk={setAsked} />
        </Group>
        <Group words="Pause and stop">
          <StopOrders live={live} snapshot={snapshot} onAsk={setAsked} />
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
      <ul className="card order-list" aria-labelledby={id}>
        {children}
      </ul>
    </div>
  )
}

interface OrderRowProps {
  readonly title: string
  readonly says: ReactNode
  readonly children: ReactNode
}

function OrderRow({ title, says, children }: OrderRowProps) {
  return (
    <li className="order-row">
      <div>
        <p className="order-title">{title}</p>
        <p className="muted">{says}</p>
      </div>
      <div className="order-buttons">{children}</div>
    </li>
  )
}

type Ask = (asked: OrderQuestion) => void

function QueueOrders({ onAsk, last }: { onAsk: Ask; last: OrderGiven | null }) {
  const purge = last?.order === 'purge' && last.impact.items.length > 0 ? last.id : null
  return (
    <>
      <OrderRow title="Recover stuck claims" says="Releases claims that are too old or whose holder is gone.">
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
      </OrderRow>
      <OrderRow
        title="Purge the queue"
        says="Withdraws every waiting item. Nothing is closed elsewhere, and it can be undone."
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
              title: 'Withdraw every waiting item?',
              words: 'Purge the queue',
              failed: 'The queue could not be purged.',
            })
          }
        >
          Purge…
        </button>
      </OrderRow>
    </>
  )
}

function ResetOrder({ snapshot, onAsk }: { snapshot: Snapshot; onAsk: Ask }) {
  const field = useId()
  const [chosen, setChosen] = useState('')
  const agents = orderAgents(snapshot.agents)
  const id = agents.some((agent) => agent.id === chosen) ? chosen : agents[0]?.id
  return (
    <OrderRow title="Reset an agent" says="Clears its session file, counters and errors; costs stay.">
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
    </OrderRow>
  )
}

function PhaseOrders({ snapshot, onAsk }: { snapshot: Snapshot; onAsk: Ask }) {
  return phasesOf(snapshot.workspace.config).map(({ phase, words, flag, isOff }) => (
    <OrderRow
      key={phase}
      title={`Phase ${phase}: ${words}`}
      says={
        isOff ? (
          <>
            Off. To turn it on again, set <code>flags.{flag}</code> in treadle.json.
          </>
        ) : (
          <>
            A rollback sets <code>flags.{flag}</code> to false and stops every agent cleanly.
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
    </OrderRow>
  ))
}

function StopOrders({ live, snapshot, onAsk }: CrewOrdersProps & { onAsk: Ask }) {
  const isIdle = !snapshot.agents.some(({ id, wanted }) => wanted !== 'stopped' && agentNumber(id) !== null)
  return (
    <>
      <OrderRow
        title="Pause everyone at once"
        says="Right away, in the middle of their work; what they started pauses too. Resume all continues."
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
      </OrderRow>
      <OrderRow title="Stop everyone" says="They finish cleanly, and their items go back to the queue.">
        <button
          type="button"
          className="danger"
          onClick={() =>
            onAsk({
              order: { is: 'stop_all' },
              title: 'Stop every agent?',
              words: 'Stop them',
              failed: 'Not everyone could be stopped.',
            })
          }
        >
          Stop all…
        </button>
      </OrderRow>
      <OrderRow
        title="Emergency stop"
        says="Kills every agent at once; their claims are released, their work is kept."
      >
        <EmergencyStop live={live} items={snapshot.items} />
      </OrderRow>
      <OrderRow
        title="Shut down"
        says={
          isIdle
            ? 'Ends the daemon. This page has nothing to show until it is started again.'
            : 'Ends the agents and the daemon. What they hold stays theirs, for the next start.'
        }
      >
        <Shutdown live={live} snapshot={snapshot} />
      </OrderRow>
    </>
  )
}
