// An explanation of why an attempt went as it did, and, where the loop gave up, the report for whoever takes over.
import type { Answer, Client } from '@treadle/contracts/client'
import type { Escalation } from '@treadle/contracts/escalation'
import type { Run } from '@treadle/contracts/run'
import { useCallback, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Copyable } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { Prose } from '../parts/prose.tsx'
import { explainedText, stepsToTake } from './item.model.ts'

export function Explanation({ runId, attempt, live }: { runId: string; attempt: number; live: Live }) {
  const [open, setOpen] = useState(false)
  const [told, setTold] = useState<Answer<'explainRun'> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const toggle = async () => {
    setOpen(!open)
    // The explanation is asked for each time it is opened: the tests may have run since.
    if (open) return
    setProblem(
      await problemOf(live.client.explainRun({ params: { id: runId }, query: { attempt } }).then(setTold)),
    )
  }
  return (
    <div className="explanation">
      <button type="button" className="link" aria-expanded={open} onClick={() => void toggle()}>
        {open ? 'Hide the explanation' : 'Explain'}
        <span className="unseen"> of attempt {attempt}</span>
      </button>
      {open && problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      {open && problem === null && told === null && <p className="muted">Reading it…</p>}
      {open && problem === null && told !== null && (
        <section className="card padded explained" aria-label={`Explanation of attempt ${attempt}`}>
          <Prose>{explainedText(told.text)}</Prose>
        </section>
      )}
    </div>
  )
}

export function EscalationReport({ run, live, again }: { run: Run; live: Live; again: unknown }) {
  const ask = useCallback((client: Client) => client.explainRun({ params: { id: run.id } }), [run.id])
  const { answer, problem } = useAnswer(live, ask, again)
  const report = answer?.escalation ?? null
  return (
    <section aria-labelledby="escalation">
      <h3 id="escalation">What was tried, and what is left to you</h3>
      <div className="card padded report">
        <Problem text={problem} />
        {report === null && problem === null && <p className="muted">Reading it…</p>}
        {report !== null && <Report report={report} live={live} />}
      </div>
    </section>
  )
}

function Report({ report, live }: { report: Escalation; live: Live }) {
  const { attempts, remaining, older, areas, nextSteps, why } = report
  const old = remaining.filter((cause) => cause.old)
  const own = remaining.filter((cause) => !cause.old)
  // Where nothing new fails, what the item was to mend still does: that is its own.
  const shown = own.length > 0 ? own : old
  const folded = own.length > 0 ? old : []
  const last = attempts.at(-1)
  return (
    <>
      <p className="words">{why}</p>
      <h4>What still fails</h4>
      {shown.length === 0 && <p className="muted">No failing test of this item is known.</p>}
      <Causes causes={shown} />
      <OlderFailures causes={folded} others={older} />
      {stepsToTake(nextSteps).map(({ words, command }) => (
        <div key={command} className="step-to-take">
          <p>{words}</p>
          <Copyable label="the command">{command}</Copyable>
        </div>
      ))}
      {last !== undefined && <Explanation runId={report.run} attempt={last.attempt} live={live} />}
      {areas.length > 0 && (
        <>
          <h4>Where to look</h4>
          <ul className="areas">
            {areas.map(({ place, why }) => (
              <li key={place}>
                <code>{place}</code> <span className="muted">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>{attempts.length === 1 ? 'The one attempt' : `The ${attempts.length} attempts`}</summary>
        <ul className="causes">
          {attempts.map(({ attempt, engine, cause, novel, said, changes, result }) => (
            <li key={`${attempt}${cause}`}>
              <p>
                <strong>Attempt {attempt}</strong>, {engine}, {novel ? 'something new' : 'a known fix'}
                {cause !== null && ` for “${cause}”`}: {result}
              </p>
              {said !== '' && <p className="words">{said}</p>}
              <p className="muted">{changes.length === 0 ? 'changed nothing' : changes.join(', ')}</p>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

const TESTS_SHOWN = 10

/** Failures that are not this item's doing, folded away. */
function OlderFailures({ causes, others }: { causes: Escalation['remaining']; others: number }) {
  const count = others + causes.reduce((sum, { tests }) => sum + Math.max(1, tests.length), 0)
  if (count === 0) return null
  return (
    <details>
      <summary>{count === 1 ? '1 older failure' : `${count} older failures`}</summary>
      <Causes causes={causes} />
      {others > 0 && (
        <p className="muted">
          {others === 1 ? 'One test' : `${others} tests`} of the suite failed before this item was begun.
        </p>
      )}
    </details>
  )
}

function Causes({ causes }: { causes: Escalation['remaining'] }) {
  return (
    <ul className="causes">
      {causes.map(({ signature, cause, tests, message }) => (
        <li key={signature}>
          <p>{cause}</p>
          <p className="muted">{tests.slice(0, TESTS_SHOWN).join(', ')}</p>
          {tests.length > TESTS_SHOWN && <p className="muted">and {tests.length - TESTS_SHOWN} more</p>}
          {message !== '' && <pre className="evidence">{message}</pre>}
        </li>
      ))}
    </ul>
  )
}
