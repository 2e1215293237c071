// The entries of a session, one below the other: words, calls of tools with their output, and what happened around them.
import { duration } from '@treadle/contracts/words/time'
import { memo } from 'react'
import { CALL_TONES, type CallEntry, type SaidEntry, type SessionEntry } from './session.model.ts'

export const SessionEntryRow = memo(function SessionEntryRow({ entry }: { entry: SessionEntry }) {
  switch (entry.is) {
    case 'said':
      return <Said entry={entry} />
    case 'call':
      return <Call entry={entry} />
    case 'mark':
      return (
        <li className="session-mark" data-tone={entry.tone}>
          <Clock at={entry.at} />
          <p>
            {entry.text}
            {entry.detail !== null && <span className="muted"> {entry.detail}</span>}
          </p>
        </li>
      )
  }
})

function Said({ entry: { at, text, leftOut } }: { entry: SaidEntry }) {
  return (
    <li className="session-said">
      <Clock at={at} />
      <div>
        <p className="as-said" dir="auto">
          {text}
        </p>
        {leftOut > 0 && (
          <p className="muted">{leftOut.toLocaleString('en')} more characters were not kept.</p>
        )}
      </div>
    </li>
  )
}

function Call({ entry: { at, tool, input, output, state, durationMs } }: { entry: CallEntry }) {
  return (
    <li className="session-call">
      <Clock at={at} />
      <div>
        <p className="facts">
          <strong>{tool}</strong>
          <span>
            <span className="badge" data-tone={CALL_TONES[state]}>
              {state}
            </span>
          </span>
          {durationMs !== null && <span className="muted">{duration(durationMs)}</span>}
        </p>
        {input !== '' && <pre className="session-input">{input}</pre>}
        {output !== '' && <Output text={output} />}
      </div>
    </li>
  )
}

const LINES_SHOWN = 8

/** The end of an output is what matters; the rest is a click away. */
function Output({ text }: { text: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  const hidden = lines.length - LINES_SHOWN
  if (hidden <= 0 && text.length < 2_000) return <pre className="session-output">{lines.join('\n')}</pre>
  return (
    <>
      <details>
        <summary>Whole output, {lines.length === 1 ? '1 line' : `${lines.length} lines`}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre className="session-output whole" tabIndex={0}>
          {text}
        </pre>
      </details>
      <pre className="session-output">{lines.slice(-LINES_SHOWN).join('\n').slice(-2_000)}</pre>
    </>
  )
}

function Clock({ at }: { at: string }) {
  const time = new Date(at)
  return (
    <time className="session-time" dateTime={at} title={time.toLocaleString()}>
      {time.toLocaleTimeString('en', { hour12: false })}
    </time>
  )
}
