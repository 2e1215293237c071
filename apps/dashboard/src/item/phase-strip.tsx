// A run at a glance: how long it built, checked and improved, drawn to scale.
import type { PhaseRecord } from '@treadle/contracts/run'
import { duration } from '@treadle/contracts/words/time'
import { phaseStrip } from './item.model.ts'

export function PhaseStrip({ history }: { history: readonly PhaseRecord[] }) {
  const pieces = phaseStrip(history)
  if (pieces.length === 0) return null
  return (
    <div className="strip" role="img" aria-label={pieces.map(({ words }) => words).join(', ')}>
      {pieces.map(({ key, phase, tone, share, durationMs }) => (
        <span
          key={key}
          data-tone={tone}
          style={{ flexGrow: share }}
          title={`${phase}, ${duration(durationMs)}`}
        >
          {phase}
        </span>
      ))}
    </div>
  )
}
