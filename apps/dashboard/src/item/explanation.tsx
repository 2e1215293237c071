// An explanation of why an attempt went as it did, and, where the loop gave up, the report for whoever takes over.
import type { Answer, Client } from '@treadle/contracts/client'
import type { Escalation } from '@treadle/contracts/escalation'
import type { Run } from '@treadle/contracts/run'
import { useCallback, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { Prose } from '../parts/prose.tsx'
import { explainedText } from './item.model.ts'

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
        {report !== null && <Report report={report} />}
      </div>
    </section>
  )
}

function Report({ report }: { report: Escalation }) {
  const { attempts, remaining, older, areas, nextSteps } = report
  const old = remaining.filter((cause) => cause.old)
  return (
    <>
      <h4>Next steps</h4>
      <ol className="steps">
        {nextSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <h4>What still fails</h4>
      {remaining.length === 0 && <p className="muted">Nothing was found.</p>}
      <Causes causes={remaining.filter(({ old }) => !old)} />
      {old.length > 0 && (
        <details open={old.length === remaining.length && old.length <= OLD_SHOWN}>
          <summary>
            {old.length === 1 ? 'One cause was' : `${old.length} causes were`} there before the first attempt
          </summary>
          <Causes causes={old} />
        </details>
      )}
      {older > 0 && (
        <p className="muted">
          {older === 1 ? 'One other test' : `${older} other tests`} of the suite failed before this item
          already.
        </p>
      )}
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
const OLD_SHOWN = 3

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
