// An attempt of a run: what it changed, what the checks said, what it cost.
import { DIFF_CHARS_MAX, type FixNote, type GroupNote, type PhaseRecord } from '@treadle/contracts/run'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { lazy, Suspense, useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealed } from '../live/unseen-characters.model.ts'
import { Fold } from '../parts/fold.tsx'
import { Output } from '../parts/output.tsx'
import { Explanation } from './explanation.tsx'
import { Rounds, Steps } from './goal-rounds.tsx'
import { type Attempt, isToldBy, saidParts, standingOfAttempt } from './item.model.ts'
import type { AttemptEvents } from './run-events.model.ts'
import '../parts/diff-view.css'

// The diff view with its highlighter is the largest part of the page, and most readers never open a diff.
const DiffView = lazy(() => import('../parts/diff-view.tsx').then((module) => ({ default: module.DiffView })))

interface AttemptProps {
  readonly attempt: Attempt
  readonly runId: string
  /** The attempt's part of the run's events; null while they are not read. */
  readonly events: AttemptEvents | null
  readonly live: Live
  readonly open: boolean
  /** The run has ended. */
  readonly over: boolean
}

export function AttemptCard({ attempt, runId, events, live, open, over }: AttemptProps) {
  const { number, work, test, others } = attempt
  const { tone, words } = standingOfAttempt(attempt, over)
  const tookMs = (work?.durationMs ?? 0) + (test?.durationMs ?? 0)
  return (
    <li className="attempt" data-tone={tone}>
      <Fold
        initiallyOpen={open}
        summary={
          <>
            <strong>Attempt {number}</strong>{' '}
            <span className="badge" data-tone={tone}>
              {words}
            </span>
            <span className="muted">
              {' '}
              {duration(tookMs)}
              {events !== null && events.usd !== null && ` · ${usd(events.usd)}`}
            </span>
          </>
        }
      >
        <div className="attempt-body">
          {work !== null && isNews(work) && <Said text={work.summary} diff={work.diff} />}
          {events !== null && <Inside events={events} />}
          {work?.fixes.map((fix) => (
            <Fix key={`${fix.engine}${fix.group?.id}`} fix={fix} diff={work.diff} live={live} />
          ))}
          {test !== null && test.groups.length > 0 && <Failures groups={test.groups} />}
          {work !== null && work.diff !== '' && (
            <Changes diff={work.diff} whole={work.diffOutput} files={work.changes} live={live} />
          )}
          {work !== null && work.applied.length > 0 && (
            <p className="muted">
              Shown from memory:{' '}
              {work.applied
                .map(({ type, topic }) => `${type}${topic === null ? '' : ` on ${topic}`}`)
                .join(', ')}
            </p>
          )}
          {others.map(({ phase, outcome, summary, startedAt }) => (
            <p key={`${phase}${startedAt}`} className="muted">
              {phase}: {outcome.replaceAll('_', ' ')}
              {summary !== '' && `, ${summary}`}
            </p>
          ))}
          {work !== null && <Explanation runId={runId} attempt={number} live={live} />}
        </div>
      </Fold>
    </li>
  )
}

/** An attempt from within: rounds of a goal, steps, lessons that were kept back. */
export function Inside({ events: { rounds, steps, withheld } }: { events: AttemptEvents }) {
  return (
    <>
      {rounds.length > 0 && <Rounds rounds={rounds} />}
      {steps.length > 0 && (
        <details>
          <summary>{steps.length === 1 ? '1 step' : `${steps.length} steps`} of the engine</summary>
          <Steps steps={steps} />
        </details>
      )}
      {withheld.length > 0 && (
        <p className="muted">
          Kept back on trial:{' '}
          {withheld.map(({ type, topic }) => topic ?? type.replaceAll('_', ' ')).join(', ')}
        </p>
      )}
    </>
  )
}

/** Words of an engine, letter by letter; what it marks as code is shown as code, but for the change, which has a view of its own. */
function Said({ text, diff }: { text: string; diff: string }) {
  const parts = saidParts(text).filter((part) => part.is !== 'code' || !isToldBy(part.text, diff))
  return parts.map((part) =>
    part.is === 'code' ? (
      <pre key={part.text} className="output">
        {revealed(part.text)}
      </pre>
    ) : (
      <p key={part.text} className="words">
        {part.text}
      </p>
    ),
  )
}

/** False for a summary that only repeats its fixes. */
function isNews({ summary, fixes }: PhaseRecord): boolean {
  return summary !== '' && fixes.every(({ said }) => said !== summary)
}

function Fix({ fix, diff, live }: { fix: FixNote; diff: string; live: Live }) {
  return (
    <div>
      <p>
        <strong>{fix.engine}</strong> {fix.novel ? 'tried something new' : 'followed a known fix'}
        {fix.group !== null && ` for “${fix.group.cause}”`}
      </p>
      <Said text={fix.said} diff={diff} />
      {fix.prompt !== null && (
        <Output
          sha256={fix.prompt}
          live={live}
          words="What it was told"
          name={fix.group?.cause ?? 'the whole item'}
        />
      )}
    </div>
  )
}

function Failures({ groups }: { groups: readonly GroupNote[] }) {
  return (
    <div>
      <h4>What failed, by likely cause</h4>
      <ul className="causes">
        {groups.map(({ id, cause, signature, tests }) => (
          <li key={id}>
            <p>{cause === '' ? signature : cause}</p>
            <p className="muted">{tests.join(', ')}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ChangesProps {
  readonly diff: string
  /** The hash of the whole diff, where the history holds a cut one. */
  readonly whole: string | null
  readonly files: readonly string[]
  readonly live: Live
}

function Changes({ diff, whole, files, live }: ChangesProps) {
  const [shown, setShown] = useState<{ readonly text: string; readonly cut: boolean } | null>(null)
  const show = async () => {
    const kept =
      whole === null ? null : await live.client.evidence({ params: { sha256: whole } }).catch(() => null)
    if (kept !== null && !kept.truncated) setShown({ text: kept.text, cut: false })
    else setShown({ text: diff, cut: whole !== null || diff.length >= DIFF_CHARS_MAX })
  }
  if (shown === null) {
    return (
      <button type="button" className="show-change" onClick={() => void show()}>
        Show the change ({files.length === 1 ? revealed(files[0] ?? '') : `${files.length} files`})
      </button>
    )
  }
  return (
    <Suspense fallback={<p className="muted">Preparing the view…</p>}>
      {shown.cut && (
        <p className="muted">
          Only the beginning of the change can be shown here. The whole of it is on the branch of the agent.
        </p>
      )}
      <DiffView diff={shown.text} />
    </Suspense>
  )
}
