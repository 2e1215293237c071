// What stands above a session: what it is, how it stands, and who is at it.
import type { ReactNode } from 'react'

interface SessionHeadProps {
  readonly id: string
  readonly title: string
  readonly badge: string
  readonly facts: readonly string[]
  /** What can be done about it. */
  readonly children?: ReactNode
}

export function SessionHead({ id, title, badge, facts, children }: SessionHeadProps) {
  return (
    <div className="section-head session-head">
      <h3 id={id}>{title}</h3>
      <p className="facts">
        <span>
          <span className="badge" data-tone={badge === 'Live' ? 'busy' : 'plain'}>
            {badge}
          </span>
        </span>
        {facts.map((fact) => (
          <span key={fact} className="muted">
            {fact}
          </span>
        ))}
      </p>
      {children}
    </div>
  )
}
