// What a dragged item can be dropped on besides a place in its column: a priority, or an agent.
import type { Agent } from '@treadle/contracts/agent'
import { agentNumber } from '@treadle/contracts/ids'
import { type ReactNode, useState } from 'react'
import { orderAgents } from '../parts/agents.model.ts'
import type { BulkAction } from './bulk.model.ts'

const PRIORITIES = [0, 1, 2, 3, null] as const

interface DropBarProps {
  readonly agents: readonly Agent[]
  readonly onDrop: (action: BulkAction) => void
}

export function DropBar({ agents, onDrop }: DropBarProps) {
  const running = orderAgents(agents).filter(
    ({ id, wanted }) => wanted === 'running' && agentNumber(id) !== null,
  )
  return (
    <div className="card drop-bar" aria-hidden="true">
      <span className="muted">Priority</span>
      {PRIORITIES.map((to) => (
        <Target key={to ?? 'none'} onDrop={() => onDrop({ is: 'priority', to })}>
          {to ?? 'None'}
        </Target>
      ))}
      {running.length > 0 && <span className="muted">Assign to</span>}
      {running.map(({ id }) => (
        <Target key={id} onDrop={() => onDrop({ is: 'assign', to: id })}>
          {id}
        </Target>
      ))}
    </div>
  )
}

function Target({ onDrop, children }: { onDrop: () => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the same is on the bar of the selection
    <span
      className="drop-target"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        onDrop()
      }}
    >
      {children}
    </span>
  )
}
