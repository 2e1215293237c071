// One conflict: the files as git sees them, how to resolve it, and what to do with it.
import type { Answer, Client } from '@treadle/contracts/client'
import type { Conflict, ConflictStatus, ConflictView } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useActions } from '../parts/actions.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, QUEUE } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { AbortDialog } from './abort-dialog.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ConflictFiles } from './conflict-files.tsx'
import { filesWords, STATUS } from './conflicts.model.ts'

const ResolvePanes = lazy(() =>
  import('./resolve-panes.tsx').then((module) => ({ default: module.ResolvePanes })),
)

interface DetailProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly now: number
  readonly id: number
}

export function ConflictDetail({ live, snapshot, now, id }: DetailProps) {
  const [looks, setLooks] = useState(0)
  const waits = snapshot.conflicts.some((conflict) => conflict.id === id)
  const show = useCallback((client: Client) => client.showConflict({ params: { id } }).then(revealAll), [id])
  const look = useCallback((client: Client) => client.conflictView({ params: { id } }), [id])
  const [status, setStatus] = useState<ConflictStatus>('pending')
  // A conflict that is being merged is followed to its end; one that waits is read when somebody asks, not with every event.
  const shown = useAnswer(live, show, status === 'resolving' ? snapshot.at : `${looks} ${waits}`)
  const sides = useAnswer(live, look, `${looks} ${waits}`)
  const known = shown.answer?.conflict.status
  useEffect(() => {
    if (known !== undefined) setStatus(known)
  }, [known])
  return (
    <section className="conflict-screen" aria-labelledby="conflict">
      <p>
        <a href={hrefOf(QUEUE)}>Back to the queue</a>
      </p>
      {shown.problem !== null && (
        <>
          <h2 id="conflict" tabIndex={-1}>
            Conflict {id}
          </h2>
          <p className="wrong" role="alert">
            {shown.problem}
          </p>
        </>
      )}
      {shown.answer === null && shown.problem === null && (
        <h2 id="conflict" tabIndex={-1}>
          Reading conflict {id}…
        </h2>
      )}
      {shown.answer !== null && shown.problem === null && (
        <>
          <Head conflict={shown.answer.conflict} now={now} />
          {waits && (
            <ConflictActions
              conflict={shown.answer.conflict}
              live={live}
              snapshot={snapshot}
              onLook={() => setLooks(looks + 1)}
            />
          )}
          {waits && (
            <Resolve
              conflict={shown.answer.conflict}
              live={live}
              snapshot={snapshot}
              again={`${looks} ${waits}`}
              onLook={() => setLooks(looks + 1)}
            />
          )}
          <Sides view={sides.answer} problem={sides.problem} shown={shown.answer} waits={waits} />
        </>
      )}
    </section>
  )
}

function Head({ conflict, now }: { conflict: Conflict; now: number }) {
  const { projectNumber, issueNumber, issueTitle, branchName, conflictingFiles, status, why } = conflict
  const ref = { projectNumber, number: issueNumber }
  return (
    <div className="conflict">
      <h2 id="conflict" tabIndex={-1}>
        Conflict of {itemLabel(ref)} {issueTitle}
      </h2>
      <p className="facts">
        <span className="badge" data-tone={STATUS[status].tone}>
          {STATUS[status].words}
        </span>
        <span>project {projectNumber}</span>
        <span>{filesWords(conflictingFiles.length)}</span>
        <span>
          on <code>{branchName}</code>
        </span>
        <TimeAgo at={conflict.createdAt} now={now} />
        <span>
          <a href={hrefOf({ is: 'item', item: ref })}>Open the item</a>
        </span>
      </p>
      <p className="reason">{why}</p>
      {status === 'resolving' && (
        <p className="banner" data-tone="busy" role="status">
          <strong>Testing, then merging.</strong> All checks run on the result. It is merged only if they
          pass; nothing has changed on the target yet.
        </p>
      )}
      {status === 'resolved' && <p>It is over: {conflict.how ?? 'it was resolved'}.</p>}
    </div>
  )
}

interface ResolveProps extends ConflictActionsProps {
  readonly again: string
}

/** What is decided on the page; a new look keeps the decisions that are about the same lines. */
function Resolve({ conflict, live, snapshot, again, onLook }: ResolveProps) {
  const { id } = conflict
  const [asking, setAsking] = useState(false)
  const ask = useCallback((client: Client) => client.conflictParts({ params: { id } }), [id])
  const { answer, problem } = useAnswer(live, ask, again)
  return (
    <>
      <Problem text={problem} />
      {answer !== null && (
        <Suspense fallback={<p className="muted">Preparing the panes…</p>}>
          <ResolvePanes parts={answer} conflict={conflict} onAsk={() => setAsking(true)} onSent={onLook} />
        </Suspense>
      )}
      {asking && (
        <AskDialog
          conflict={conflict}
          live={live}
          agents={snapshot.agents}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface ConflictActionsProps {
  readonly conflict: Conflict
  readonly live: Live
  readonly snapshot: Snapshot
  readonly onLook: () => void
}

function ConflictActions({ conflict, live, snapshot, onLook }: ConflictActionsProps) {
  const { busy, act } = useActions()
  const [aborting, setAborting] = useState(false)
  const { id, projectNumber, issueNumber } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  const key = `resolve:${id}`
  const resolve = async () => {
    if (busy.has(key)) return
    await act({
      key,
      done: `The merge of ${label} continues.`,
      failed: `${label} is not resolved.`,
      work: (client) => client.resolveConflict({ params: { id }, body: {} }),
    })
    onLook()
  }
  return (
    <div className="conflict-actions">
      <button type="button" aria-disabled={busy.has(key)} onClick={() => void resolve()}>
        {busy.has(key) ? 'Looking whether it merges…' : 'Mark resolved'}
      </button>
      <button type="button" onClick={onLook}>
        Refresh
      </button>
      <button type="button" className="danger push" onClick={() => setAborting(true)}>
        Abort and reassign…
      </button>
      {aborting && (
        <AbortDialog
          conflict={conflict}
          live={live}
          agents={snapshot.agents}
          onClose={() => setAborting(false)}
        />
      )}
    </div>
  )
}

interface SidesProps {
  readonly view: ConflictView | null
  readonly problem: string | null
  readonly shown: Answer<'showConflict'>
  readonly waits: boolean
}

/** The two sides and the commands that resolve them; nothing once the conflict is over. */
function Sides({ view, problem, shown: { conflict, commands }, waits }: SidesProps) {
  if (!waits) return null
  return (
    <>
      <Problem text={problem} />
      {view === null && problem === null && <p className="muted">Comparing the two…</p>}
      {view !== null && problem === null && <ConflictFiles view={view} conflict={conflict} />}
      <section aria-labelledby="by-hand">
        <h3 id="by-hand">Resolve it by hand</h3>
        <p className="muted">
          In a shell in your repository. Your own checkout is not touched: the branch is checked out beside
          it.
        </p>
        <Copyable label="the commands">{commands.join('\n')}</Copyable>
      </section>
    </>
  )
}
