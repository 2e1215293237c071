// The files of a conflict, seen from one of three sides, with a button for the editor.
import type { Conflict, ConflictFile, ConflictView } from '@treadle/contracts/conflict'
import { lazy, Suspense, useState } from 'react'
import { revealed } from '../live/unseen-characters.model.ts'
import { Choice } from '../parts/choice.tsx'
import { type Host, useHost } from '../webview/host-context.tsx'
import { diffOf, filesWords, KIND_WORDS, type Side, sideWords } from './conflicts.model.ts'

// The diff view with its highlighter is the largest part of the page, and is fetched once for all that show diffs.
const DiffView = lazy(() => import('../parts/diff-view.tsx').then((module) => ({ default: module.DiffView })))

const SIDES: readonly Side[] = ['merged', 'onBranch', 'onTarget']

export function ConflictFiles({ view, conflict }: { view: ConflictView; conflict: Conflict }) {
  const host = useHost()
  const [side, setSide] = useState<Side>('merged')
  if (view.files.length === 0) {
    return (
      <p className="banner" data-tone="good">
        <strong>It merges now.</strong> {view.branch.name} no longer conflicts with {view.target.name}. Mark
        it resolved, and the merge goes on, checks included.
      </p>
    )
  }
  const absent = view.files.filter((file) => file[side] === '')
  return (
    <section aria-labelledby="conflict-files">
      <div className="section-head">
        <h3 id="conflict-files">{filesWords(view.files.length + view.more)} in conflict</h3>
        <p className="muted">
          <code>{view.branch.name}</code> against <code>{view.target.name}</code>, both from{' '}
          <code>{view.base.slice(0, 8)}</code>
        </p>
      </div>
      <ul className="card conflict-files">
        {view.files.map((file) => (
          <li key={file.path}>
            <code>{revealed(file.path)}</code>
            <span className="muted">{KIND_WORDS[file.kind]}</span>
            {file.cut && <span className="muted">too long to be shown whole</span>}
            {host !== null && <OpenInEditor host={host} view={view} conflict={conflict} file={file} />}
          </li>
        ))}
        {view.more > 0 && <li className="muted">and {filesWords(view.more)} more, not shown here</li>}
      </ul>
      {absent.length > 0 && (
        <p className="muted">
          Nothing to show here for {absent.map(({ path }) => revealed(path)).join(', ')}: look at what each
          side changed.
        </p>
      )}
      <Suspense fallback={<p className="muted">Preparing the view…</p>}>
        <DiffView diff={diffOf(view, side)} head={<Sides view={view} side={side} onChoose={setSide} />} />
      </Suspense>
    </section>
  )
}

interface SidesProps {
  readonly view: ConflictView
  readonly side: Side
  readonly onChoose: (side: Side) => void
}

function Sides({ view, side, onChoose }: SidesProps) {
  return (
    <Choice
      label="Which change is shown"
      options={SIDES.map((value) => ({ value, words: sideWords(value, view) }))}
      value={side}
      onChoose={onChoose}
    />
  )
}

interface OpenProps {
  readonly host: Host
  readonly view: ConflictView
  readonly conflict: Conflict
  readonly file: ConflictFile
}

/** A button for the editor's merge editor; where that does not open, the commands below resolve it. */
function OpenInEditor({ host, view: { base, target, branch }, conflict, file }: OpenProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const open = async () => {
    if (busy) return
    setBusy(true)
    const outcome = await host.command({
      is: 'open_merge_editor',
      conflictId: conflict.id,
      file: file.path,
      base,
      target: target.name,
      branch: branch.name,
    })
    setBusy(false)
    setFailed(outcome.is === 'failed' ? outcome.why : null)
    if (outcome.is === 'failed') document.getElementById('by-hand')?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      <button
        type="button"
        aria-disabled={busy}
        aria-label={`Open in VS Code Merge Editor: ${file.path}`}
        onClick={() => void open()}
      >
        {busy ? 'Opening…' : 'Open in VS Code Merge Editor'}
      </button>
      {failed !== null && (
        <p className="wrong" role="alert">
          The merge editor did not open: {failed} Use the git commands under “Resolve it by hand” instead.
        </p>
      )}
    </>
  )
}
