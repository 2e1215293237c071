// The look back on a talk about an idea, a specification or a build: what it leaves to be wished for, read when it is opened.
import type { Client } from '@treadle/contracts/client'
import type { PlanningRetrospective } from '@treadle/contracts/planning-retrospective'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'

interface PlanningLookProps {
  readonly live: Live
  readonly read: (client: Client) => Promise<PlanningRetrospective>
}

export function PlanningLook({ live, read }: PlanningLookProps) {
  const [told, setTold] = useState<PlanningRetrospective | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const open = async () => setProblem(await problemOf(read(live.client).then(setTold)))
  return (
    <details
      className="card padded"
      onToggle={(event) => {
        if (event.currentTarget.open) void open()
      }}
    >
      <summary>Retrospective</summary>
      {problem !== null && <p className="muted">{problem}</p>}
      {told?.gaps.length === 0 && <p className="muted">There is nothing to improve.</p>}
      <ul className="causes">
        {told?.gaps.map(({ kind, about, what }) => (
          <li key={`${kind}${about}${what}`} dir="auto">
            <span className="badge">{kind.replaceAll('_', ' ')}</span> {what}
          </li>
        ))}
      </ul>
    </details>
  )
}
