import type { GateResult } from '@treadle/contracts/gate'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../parts/acting.tsx'
import { gateLine } from './item.model.ts'

const DETAILS_SHOWN = 20

export function GateList({ gates, live }: { gates: readonly GateResult[]; live: Live }) {
  return (
    <ul className="gates">
      {gates.map((gate) => (
        <Gate key={gate.gate} gate={gate} live={live} />
      ))}
    </ul>
  )
}

function Gate({ gate, live }: { gate: GateResult; live: Live }) {
  const { name, tone, words, output, details } = gateLine(gate)
  return (
    <li>
      <span className="badge" data-tone={tone}>
        {words}
      </span>{' '}
      {name}
      {details.slice(0, DETAILS_SHOWN).map((detail) => (
        <pre key={detail} className="evidence">
          {detail}
        </pre>
      ))}
      {details.length > DETAILS_SHOWN && <p className="muted">and {details.length - DETAILS_SHOWN} more</p>}
      {output !== null && <Output sha256={output} live={live} name={name} />}
    </li>
  )
}

function Output({ sha256, live, name }: { sha256: string; live: Live; name: string }) {
  const [text, setText] = useState<string | null>(null)
  const show = async () => {
    const problem = await problemOf(
      live.client.evidence({ params: { sha256 } }).then((kept) => setText(kept.text || '(no output)')),
    )
    if (problem !== null) setText(problem)
  }
  if (text !== null)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
      <pre className="evidence" tabIndex={0}>
        {text}
      </pre>
    )
  return (
    <button type="button" className="link" onClick={() => void show()}>
      Output<span className="unseen"> of {name}</span>
    </button>
  )
}
