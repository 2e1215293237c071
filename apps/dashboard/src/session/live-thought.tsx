// The session of a thought: what a model writes while somebody waits for it, who writes it, and how to stop it.
import type { OpenThought, ThoughtKind } from '@treadle/contracts/thought'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { useEffect, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { ActionButton } from '../parts/actions.tsx'
import { Problem } from '../parts/problem.tsx'
import { useThoughtHistory } from './run-history.ts'
import { SessionHead } from './session-head.tsx'
import { SessionLog } from './session-log.tsx'
import './session.css'

const SECOND_MS = 1_000

const TITLES: Partial<Record<ThoughtKind, string>> = {
  idea_reply: 'Reply',
  idea_signals: 'Sorting what was said',
  spec_write: 'Writing the specification',
}

export function LiveThought({ thought, live }: { thought: OpenThought; live: Live }) {
  const { id, kind, engine, agentId, status, claimedAt, createdAt, costUSD } = thought
  const headId = useId()
  const { events, problem } = useThoughtHistory(live, id)
  const now = useSeconds()
  const isClaimed = status === 'claimed'
  const sinceMs = Math.max(0, now - Date.parse(isClaimed ? (claimedAt ?? createdAt) : createdAt))
  const facts = [
    ...(isClaimed && agentId !== null ? [`${engine} in ${agentId}`] : [engine]),
    // Whole seconds: tenths would flicker.
    duration(Math.max(SECOND_MS, Math.floor(sinceMs / SECOND_MS) * SECOND_MS)).replace(/\.0 s$/, ' s'),
    ...(costUSD === null ? [] : [usd(costUSD)]),
  ]
  return (
    // What is added every moment is not read out: the whole of it is, once it is there.
    <section className="card session thought" aria-live="off" aria-labelledby={headId}>
      <SessionHead
        id={headId}
        title={TITLES[kind] ?? 'Thinking'}
        badge={isClaimed ? 'Live' : 'Waiting'}
        facts={facts}
      >
        <ActionButton
          className="push"
          words="Stop"
          busyWords="Stopping…"
          label={`Stop: ${TITLES[kind] ?? 'Thinking'}`}
          action={{
            key: `stop:${id}`,
            done: 'It was stopped.',
            failed: 'It could not be stopped.',
            work: (client) => client.withdrawThought({ params: { id }, body: {} }),
          }}
        />
      </SessionHead>
      <Problem text={problem} />
      <SessionLog
        events={events}
        name="What is written"
        empty={isClaimed ? `${engine} is thinking about it…` : waitingWords(live)}
      />
    </section>
  )
}

function waitingWords(live: Live): string {
  const agents = live.get().snapshot?.agents ?? []
  return agents.some(({ wanted }) => wanted === 'running')
    ? 'It begins as soon as an agent is free.'
    : 'No agent is running, so nobody answers yet. Start one under Now, or with: treadle agent start agent-1'
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
