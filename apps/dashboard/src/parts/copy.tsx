// A text to be carried elsewhere, with a button that does it.
import { useEffect, useRef, useState } from 'react'

const SAID_MS = 2_000

/** `label` is what a screen reader is told is copied: "the command". */
export function Copyable({ label, children: text }: { label: string; children: string }) {
  const [came, setCame] = useState<'copied' | 'failed' | null>(null)
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    if (came === null) return
    const timer = setTimeout(() => setCame(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [came])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCame('copied')
    } catch {
      // A page that may not copy marks the text, and the keyboard does the rest.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
      setCame('failed')
    }
  }
  return (
    <div className="copyable">
      <pre className="command">
        <code ref={shown}>{text}</code>
      </pre>
      <button type="button" onClick={() => void copy()}>
        {came === 'copied' ? 'Copied' : 'Copy'}
        <span className="unseen"> {label}</span>
      </button>
      {/* The status is always there, so that nothing moves when it speaks. */}
      <span className="muted" role="status">
        {came === 'failed' && 'It is marked: copy it with the keyboard.'}
        {came === 'copied' && <b className="unseen">Copied</b>}
      </span>
    </div>
  )
}
