import type { FixNote, GroupNote, PhaseRecord } from '@treadle/contracts/run'
import { duration } from '@treadle/contracts/words/time'
import { lazy, Suspense, useState } from 'react'
import type { Live } from '../live/live.ts'
import { type Attempt, toneOfAttempt } from './item.model.ts'

// With its highlighter it is the largest part of the page, and most readers never open a diff.
const DiffView = lazy(() => import('./diff-view.tsx').then((module) => ({ default: module.DiffView })))

const TONE_WORDS = {
  good: 'passed',
  bad: 'failed',
  busy: 'not tested yet',
  plain: '',
  attention: '',
} as const

export function AttemptCard({ attempt, live, open }: { attempt: Attempt; live: Live; open: boolean }) {
  const { number, work, test } = attempt
  const tone = toneOfAttempt(attempt)
  const tookMs = (work?.durationMs ?? 0) + (test?.durationMs ?? 0)
  return (
    <li className="attempt" data-tone={tone}>
      <details open={open}>
        <summary>
          <strong>Attempt {number}</strong>{' '}
          <span className="badge" data-tone={tone}>
            {TONE_WORDS[tone]}
          </span>
          <span className="muted"> {duration(tookMs)}</span>
        </summary>
        <div className="attempt-body">
          {work !== null && isNews(work) && <p className="words">{work.summary}</p>}
          {work?.fixes.map((fix) => (
            <Fix key={`${fix.engine}${fix.group?.id}`} fix={fix} />
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
        </div>
      </details>
    </li>
  )
}

/** What a fix has said is not said again by the phase. */
function isNews({ summary, fixes }: PhaseRecord): boolean {
  return summary !== '' && fixes.every(({ said }) => said !== summary)
}

function Fix({ fix }: { fix: FixNote }) {
  return (
    <div>
      <p>
        <strong>{fix.engine}</strong> {fix.novel ? 'tried something new' : 'followed a known fix'}
        {fix.group !== null && ` for “${fix.group.cause}”`}
      </p>
      {fix.said !== '' && <p className="words">{fix.said}</p>}
    </div>
  )
}

function Failures({ groups }: { groups: readonly GroupNote[] }) {
  return (
    <div>
      <h5>What failed, by likely cause</h5>
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
  /** Where the whole of it is kept; what is in the history may be cut. */
  readonly whole: string | null
  readonly files: readonly string[]
  readonly live: Live
}

function Changes({ diff, whole, files, live }: ChangesProps) {
  const [shown, setShown] = useState<string | null>(null)
  const show = async () => {
    if (whole === null) return setShown(diff)
    const kept = await live.client.evidence({ params: { sha256: whole } }).catch(() => null)
    setShown(kept === null || kept.truncated ? diff : kept.text)
  }
  if (shown === null) {
    return (
      <button type="button" onClick={() => void show()}>
        Show the change ({files.length === 1 ? files[0] : `${files.length} files`})
      </button>
    )
  }
  return (
    <Suspense fallback={<p className="muted">Preparing the view…</p>}>
      <DiffView diff={shown} />
    </Suspense>
  )
}
