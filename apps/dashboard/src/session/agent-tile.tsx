// What an agent does now: its last call, the last line it said, and what that has taken so far.
import type { Agent } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { useCallback } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { tileCost, tileNow } from './agent-tile.model.ts'
import './agent-tile.css'

interface AgentTileProps {
  readonly agent: Agent
  /** The item in its hands; null: none. */
  readonly item: Item | null
  /** The newest events of the feed, newest first. */
  readonly events: readonly StoredEvent[]
  /** For how long it has been at work; null if that is not known. */
  readonly elapsed: string | null
  readonly live: Live
}

export function AgentTile({ agent, item, events, elapsed, live }: AgentTileProps) {
  const runId = item?.runId ?? null
  const { call, line, used } = tileNow(agent.id, runId, events)
  const ask = useCallback(
    async (client: Client) => (runId === null ? null : client.showRun({ params: { id: runId } })),
    [runId],
  )
  const { answer: run } = useAnswer(live, ask, used)
  if (runId === null) return null
  const cost = run === null || run.id !== runId ? null : tileCost(run)
  return (
    <div className="agent-tile">
      {call !== null && (
        <p className="agent-tile-call" title={`${call.tool} ${call.input}`}>
          <span className="unseen">{call.isRunning ? 'Running' : 'Last call'}: </span>
          <strong>{call.tool}</strong> <code>{call.input}</code>
          {call.isRunning && <span aria-hidden="true"> …</span>}
        </p>
      )}
      {line !== null && (
        <p className="agent-tile-line muted" dir="auto" title={line}>
          {line}
        </p>
      )}
      <p className="facts muted">
        {elapsed !== null && <span>{elapsed}</span>}
        {cost !== null && cost.tokens > 0 && <span>{cost.tokens.toLocaleString('en')} tokens</span>}
        {cost !== null && cost.usd !== null && <span>{usd(cost.usd)}</span>}
      </p>
    </div>
  )
}
