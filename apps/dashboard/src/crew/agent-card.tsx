// An agent of the crew: its work, its health, its buttons and its menu.
import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import { agentNumber, itemLabel } from '@treadle/contracts/ids'
import { useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { ActionButton, useActions } from '../parts/actions.tsx'
import { ReassignDialog, RestartDialog } from '../parts/agent-orders.tsx'
import { statusWords } from '../parts/agents.model.ts'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { OrderDialog } from '../parts/order-dialog.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { AgentTile } from '../session/agent-tile.tsx'
import {
  canStop,
  elapsedOf,
  healthWords,
  ideatingWords,
  isTroubled,
  type Progress,
  progressOf,
  type Switch,
  switchOf,
  type Work,
  workOf,
} from './crew.model.ts'

interface CardProps {
  readonly agent: Agent
  readonly live: Live
  readonly snapshot: Snapshot
  /** Newest first. */
  readonly events: readonly StoredEvent[]
  readonly now: number
}

export function AgentCard({ agent, live, snapshot, events, now }: CardProps) {
  const [menu, setMenu] = useState(false)
  const [asked, setAsked] = useState<'reassign' | 'restart' | 'reset' | null>(null)
  const work = workOf(agent, snapshot.items, snapshot.reviews)
  const progress = work === null ? null : progressOf(work.item, work.review)
  const ideating = ideatingWords(agent, events)
  const { act } = useActions()
  const pauseNow = () =>
    act({
      key: `switch:${agent.id}`,
      done: `${agent.id} is paused.`,
      failed: `${agent.id} could not be paused.`,
      work: (client) => client.wantAgent({ params: { id: agent.id, order: 'pause' }, body: { now: true } }),
    })
  const entries: MenuEntry[] = [
    ...(agent.item === null ? [] : [{ words: 'Reassign current item…', onPick: () => setAsked('reassign') }]),
    {
      words: 'See its activity',
      onPick: () => location.assign(hrefOf({ is: 'activity', agentId: agent.id })),
    },
    ...(switchOf(agent) === 'pause' ? [{ words: 'Pause at once', onPick: () => void pauseNow() }] : []),
    { words: 'Restart…', onPick: () => setAsked('restart') },
    { words: 'Reset its state…', onPick: () => setAsked('reset'), tone: 'bad' },
  ]
  const close = () => setAsked(null)
  return (
    <li
      className="card agent"
      onContextMenu={(event) => {
        event.preventDefault()
        setMenu(true)
      }}
    >
      <div className="agent-head">
        <h3>{agent.id}</h3>
        <span className="badge" data-status={agent.status}>
          {statusWords(agent.status)}
        </span>
        <Menu label={`More for ${agent.id}`} entries={entries} open={menu} onOpen={setMenu}>
          ⋯
        </Menu>
      </div>
      <InHand work={work} />
      <AgentTile
        agent={agent}
        item={work?.item ?? null}
        events={events}
        elapsed={elapsedOf(work?.item ?? null, now)}
        live={live}
      />
      {ideating !== null && <p className="progress">{ideating}</p>}
      {progress && <Bar progress={progress} of={agent.id} />}
      <Facts agent={agent} />
      <p className="health-words" data-health={agent.health}>
        {healthWords(agent, now).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </p>
      {agent.lastError && isTroubled(agent) && (
        <p className="last-error" title={agent.lastError}>
          <strong>{agent.status === 'crashed' ? 'Crashed' : 'Last error'}</strong> {agent.lastError}
        </p>
      )}
      <Controls agent={agent} />
      {asked === 'reassign' && work && (
        <ReassignDialog from={agent.id} item={work.ref} live={live} snapshot={snapshot} onClose={close} />
      )}
      {asked === 'restart' && <RestartDialog agent={agent} onClose={close} />}
      {asked === 'reset' && (
        <OrderDialog
          live={live}
          items={snapshot.items}
          order={{ is: 'reset', agentId: agent.id }}
          title={`Reset ${agent.id}?`}
          words="Reset it"
          done={`${agent.id} was reset.`}
          failed={`${agent.id} could not be reset.`}
          onClose={close}
        />
      )}
    </li>
  )
}

function InHand({ work }: { work: Work | null }) {
  if (work === null) return <p className="work muted">No item</p>
  const title = work.item?.title ?? work.review?.issueTitle ?? ''
  return (
    <p className="work" title={title}>
      <a href={hrefOf({ is: 'item', item: work.ref })}>
        <span className="number">{itemLabel(work.ref)}</span> {title}
      </a>
    </p>
  )
}

function Bar({ progress: { text, percent }, of }: { progress: Progress; of: string }) {
  return (
    <div className="progress">
      <p>{text}</p>
      <div
        className="bar"
        role="progressbar"
        aria-label={`Progress of ${of}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

function Facts({ agent }: { agent: Agent }) {
  return (
    <dl>
      <div>
        <dt>Now</dt>
        <dd>{agent.phase ?? '–'}</dd>
      </div>
      <div>
        <dt>Done</dt>
        <dd>{agent.tasksCompleted}</dd>
      </div>
    </dl>
  )
}

const SWITCH_WORDS: Record<Switch, { readonly words: string; readonly done: string; readonly verb: string }> =
  {
    pause: { words: 'Pause', done: 'pauses at its next checkpoint', verb: 'paused' },
    resume: { words: 'Resume', done: 'goes on', verb: 'resumed' },
    start: { words: 'Start', done: 'starts', verb: 'started' },
  }

function Controls({ agent }: { agent: Agent }) {
  const { id } = agent
  const order = switchOf(agent)
  const { words, done, verb } = SWITCH_WORDS[order]
  return (
    <div className="controls">
      <ActionButton
        words={words}
        label={`${words} ${id}`}
        action={{
          key: `switch:${id}`,
          done: `${id} ${done}.`,
          failed: `${id} could not be ${verb}.`,
          work: (client) => client.wantAgent({ params: { id, order }, body: {} }),
        }}
      />
      {canStop(agent) && (
        <ActionButton
          words="Stop"
          label={`Stop ${id}`}
          action={{
            key: `stop:${id}`,
            done: `${id} stops.`,
            failed: `${id} could not be stopped.`,
            work: (client) => client.wantAgent({ params: { id, order: 'stop' }, body: {} }),
          }}
        />
      )}
      {agentNumber(id) === null && <span className="muted">reads deliveries</span>}
    </div>
  )
}
