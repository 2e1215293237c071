// The output of a check, opened where it is spoken of; a long one is shown by its end first.
import type { Answer } from '@treadle/contracts/client'
import { bytesWords } from '@treadle/contracts/words/bytes'
import { memo, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { revealed } from '../live/unseen-characters.model.ts'
import { chunksOf, endOf, startOf } from './output.model.ts'

type Kept = Answer<'evidence'>

interface OutputProps {
  readonly sha256: string
  readonly live: Live
  /** The name of what printed the output, for a screen reader. */
  readonly name: string
  readonly words?: string
}

export function Output({ sha256, live, name, words = 'Output' }: OutputProps) {
  const [kept, setKept] = useState<Kept | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const toggle = async () => {
    setOpen(!open)
    if (open || kept !== null) return
    setProblem(await problemOf(live.client.evidence({ params: { sha256 } }).then(setKept)))
  }
  return (
    <div className="output">
      <button type="button" className="link" aria-expanded={open} onClick={() => void toggle()}>
        {words}
        <span className="unseen"> of {name}</span>
      </button>
      {open && problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      {open && problem === null && kept === null && <p className="muted">Reading it…</p>}
      {open && kept !== null && <Text kept={kept} name={name} />}
    </div>
  )
}

function Text({ kept: { text: given, bytes, truncated, sha256 }, name }: { kept: Kept; name: string }) {
  const [all, setAll] = useState(false)
  const text = useMemo(() => revealed(given), [given])
  const { shown, hiddenLines, cut } = useMemo(() => endOf(text), [text])
  if (text === '') return <p className="muted">It printed nothing.</p>
  const isPart = hiddenLines > 0 || cut
  return (
    <>
      {truncated && (
        <p className="muted">
          Only the end of it is here: {bytesWords(bytes)} of it are kept in the workspace as{' '}
          <code>
            .treadle/evidence/{sha256.slice(0, 2)}/{sha256}
          </code>
        </p>
      )}
      {isPart && !all && (
        <p className="muted">
          {hiddenLines > 0
            ? `The last lines; ${hiddenLines} stand before them. `
            : 'The end of a long line. '}
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show all<span className="unseen"> of the output of {name}</span>
          </button>
        </p>
      )}
      <Pieces text={isPart && all ? text : shown} label={`Output of ${name}`} />
    </>
  )
}

/** A text that is no output: read from its beginning, and the rest when it is asked for. */
export function PlainLines({ text, name }: { text: string; name: string }) {
  const [all, setAll] = useState(false)
  const { shown, hiddenLines, cut } = useMemo(() => startOf(text), [text])
  const isPart = hiddenLines > 0 || cut
  return (
    <>
      <Pieces text={isPart && all ? text : shown} label={`Lines of ${name}`} />
      {isPart && !all && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          {hiddenLines > 0 ? `Show the other ${hiddenLines} lines` : 'Show the rest of the line'}
          <span className="unseen"> of {name}</span>
        </button>
      )}
    </>
  )
}

const Pieces = memo(function Pieces({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="evidence" tabIndex={0} aria-label={label}>
      {chunksOf(text).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which never change places
        <pre key={index} className={index === 0 ? undefined : 'chunk'}>
          {chunk}
        </pre>
      ))}
    </section>
  )
})
