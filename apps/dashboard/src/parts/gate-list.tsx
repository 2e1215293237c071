// Gates of a run, each with its result, its time and its output.
import type { GateResult } from '@treadle/contracts/gate'
import type { Live } from '../live/live.ts'
import { gateLine } from './gate-line.model.ts'
import { Output } from './output.tsx'

const DETAILS_SHOWN = 20

interface GatesProps {
  readonly gates: readonly GateResult[]
  readonly live: Live
  /** The state that the gates were run on, for a screen reader: "before the change". */
  readonly on?: string
}

export function GateList({ gates, live, on = '' }: GatesProps) {
  return (
    <ul className="gates">
      {gates.map((gate) => (
        <Gate key={gate.gate} gate={gate} live={live} on={on} />
      ))}
    </ul>
  )
}

function Gate({ gate, live, on }: { gate: GateResult; live: Live; on: string }) {
  const { name, tone, words, command, took, output, cut, details } = gateLine(gate)
  return (
    <li>
      <p>
        <span className="badge" data-tone={tone}>
          {words}
        </span>{' '}
        {name}
        {took !== null && <span className="muted"> {took}</span>}
      </p>
      {command !== null && <code className="muted ran">{command}</code>}
      {details.slice(0, DETAILS_SHOWN).map((detail) => (
        <pre key={detail} className="evidence">
          {detail}
        </pre>
      ))}
      {details.length > DETAILS_SHOWN && <p className="muted">and {details.length - DETAILS_SHOWN} more</p>}
      {cut !== null && <p className="muted">{cut}</p>}
      {output !== null && <Output sha256={output} live={live} name={on === '' ? name : `${name} ${on}`} />}
    </li>
  )
}
