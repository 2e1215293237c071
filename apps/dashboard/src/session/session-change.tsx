// The change beside a session, as it grows.
import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { countDiff } from './session.model.ts'

const DiffView = lazy(() => import('../parts/diff-view.tsx').then((module) => ({ default: module.DiffView })))

interface SessionChangeProps {
  readonly diff: string
  readonly isCut: boolean
  /** The words where nothing is changed. */
  readonly empty: string
}

export function SessionChange({ diff: given, isCut, empty }: SessionChangeProps) {
  // A large change is drawn when there is time; words and calls do not wait for it.
  const diff = useDeferredValue(given)
  const { files, added, removed } = useMemo(() => countDiff(diff), [diff])
  return (
    <section className="session-change" aria-label="Changes so far">
      <p className="facts">
        <strong>Changes</strong>
        <span>{files === 1 ? '1 file' : `${files} files`}</span>
        <span className="added">+{added}</span>
        <span className="removed">−{removed}</span>
      </p>
      {diff === '' && <p className="muted">{empty}</p>}
      {isCut && <p className="muted">Only the beginning of a large change is shown.</p>}
      {diff !== '' && (
        <Suspense fallback={<p className="muted">Loading the diff…</p>}>
          <DiffView diff={diff} />
        </Suspense>
      )}
    </section>
  )
}
