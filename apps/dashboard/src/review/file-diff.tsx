// The change of one file: in one column or two, coloured, with marks on the words that differ and comments on lines.
import type { CommentSide, LineComment, TracedComment } from '@treadle/contracts/delivery'
import { type KeyboardEvent, memo, type ReactNode, useMemo, useState } from 'react'
import { Decoration, Diff, getChangeKey, Hunk, markEdits, tokenize } from 'react-diff-view'
import 'react-diff-view/style/index.css'
import { LINES_COLOURED, languageOf } from '../parts/diff-view.model.ts'
import { refractor } from '../parts/highlighter.ts'
import { type HunkLine, LINES_DRAWN, type ReadFile, sizeWords } from './change.model.ts'
import { CommentForm, DraftNote, EarlierNote } from './line-notes.tsx'
import { commentKey, placeOf } from './marks.model.ts'
import '../parts/diff-view.css'

export type DiffColumns = 'unified' | 'split'

interface FileDiffProps {
  readonly file: ReadFile
  readonly columns: DiffColumns
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly isViewed: boolean
  readonly drafts: readonly LineComment[]
  readonly earlier: readonly TracedComment[]
  /** False where nothing is to be decided: then lines take no comments. */
  readonly mayComment: boolean
  readonly onToggle: (path: string) => void
  readonly onViewed: (path: string) => void
  readonly onDraft: (draft: LineComment) => void
  readonly onDrop: (draft: LineComment) => void
}

export const FileDiff = memo(function FileDiff(props: FileDiffProps) {
  const { file, isOpen, isCurrent, isViewed, onToggle, onViewed } = props
  return (
    <section
      className="review-file card"
      aria-label={file.name}
      data-path={file.path}
      data-current={isCurrent}
      tabIndex={-1}
    >
      <header className="review-file-head">
        <button
          type="button"
          className="review-file-name"
          aria-expanded={isOpen}
          onClick={() => onToggle(file.path)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {file.name}
        </button>
        {file.notes.map((note) => (
          <span key={note} className="badge" data-tone={note === 'cut' ? 'bad' : 'plain'}>
            {note}
          </span>
        ))}
        <span className="review-size">{sizeWords(file)}</span>
        <label className="review-viewed">
          <input type="checkbox" checked={isViewed} onChange={() => onViewed(file.path)} /> Viewed
          <span className="unseen"> {file.name}</span>
        </label>
      </header>
      {isOpen && <FileBody {...props} />}
    </section>
  )
})

function FileBody(props: FileDiffProps) {
  const { file } = props
  const { hunks, lines, isCut, added } = file
  if (hunks.length === 0) {
    const why = added === null ? 'A binary file: its content is not shown.' : 'No lines changed.'
    return <p className="review-note muted">{isCut ? 'Too long: nothing of it is shown here.' : why}</p>
  }
  if (lines > LINES_DRAWN) {
    return (
      <p className="review-note muted">
        {lines} changed lines are too many to draw. Read them in a terminal or an editor.
      </p>
    )
  }
  return (
    <>
      <Lines {...props} />
      {isCut && (
        <p className="review-note" data-tone="bad">
          The rest of this file is not shown here.
        </p>
      )}
    </>
  )
}

const DIFF_TYPES = { added: 'add', deleted: 'delete', changed: 'modify' } as const
const ARROWS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface OpenPlace {
  readonly line: number
  readonly side: CommentSide
}

function Lines({ file, columns, drafts, earlier, mayComment, onDraft, onDrop }: FileDiffProps) {
  const [place, setPlace] = useState<OpenPlace | null>(null)
  const { hunks, path, lines, is } = file
  const viewed = hunks as Parameters<typeof tokenize>[0]
  const tokens = useMemo(() => tokensOf(viewed, path, lines), [viewed, path, lines])
  const widgets: Record<string, ReactNode> = {}
  const add = (at: OpenPlace, note: ReactNode) => {
    const key = keyOf(hunks, at)
    if (key !== null)
      widgets[key] = (
        <>
          {widgets[key]}
          {note}
        </>
      )
  }
  for (const comment of earlier) {
    const at = comment.side === 'old' ? comment.line : comment.lineNow
    if (at !== null)
      add({ line: at, side: comment.side }, <EarlierNote key={commentKey(comment)} comment={comment} />)
  }
  for (const draft of drafts) {
    if (place !== null && placeOf({ ...place, path }) === placeOf(draft)) continue
    const note = <DraftNote draft={draft} onEdit={() => setPlace(draft)} onDrop={() => onDrop(draft)} />
    add(draft, note)
  }
  if (place !== null) {
    const known = drafts.find((draft) => placeOf(draft) === placeOf({ ...place, path }))
    add(
      place,
      <CommentForm
        line={place.line}
        initial={known?.text ?? ''}
        onCancel={() => setPlace(null)}
        onDone={(text) => {
          onDraft({ path, ...place, text })
          setPlace(null)
        }}
      />,
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go between the buttons inside
    <div className="diff-scroll" onKeyDown={moveBetweenLines}>
      <Diff
        viewType={columns}
        diffType={DIFF_TYPES[is]}
        hunks={viewed}
        tokens={tokens}
        widgets={widgets}
        renderGutter={({ change, side, renderDefault }) => {
          const at = placeAt(change as HunkLine, side)
          if (!mayComment || at === null) return renderDefault()
          return (
            <button
              type="button"
              className="line-button"
              data-line={at.line}
              tabIndex={-1}
              aria-label={`Comment on ${at.side === 'old' ? 'removed ' : ''}line ${at.line}`}
              onClick={() => setPlace(at)}
            >
              {renderDefault()}
            </button>
          )
        }}
      >
        {(drawn) =>
          drawn.flatMap((hunk) => [
            <Decoration key={`gap ${hunk.oldStart} ${hunk.newStart}`}>
              <div className="hunk-gap">{hunk.content}</div>
            </Decoration>,
            <Hunk key={`${hunk.oldStart} ${hunk.newStart}`} hunk={hunk} />,
          ])
        }
      </Diff>
    </div>
  )
}

/** A line has one button, where its number on its own side stands. */
function placeAt(change: HunkLine, side: 'old' | 'new'): OpenPlace | null {
  if (change.type === 'delete') return side === 'old' ? { line: change.lineNumber, side } : null
  if (side === 'old') return null
  return { line: change.type === 'insert' ? change.lineNumber : change.newLineNumber, side }
}

function keyOf(hunks: ReadFile['hunks'], at: OpenPlace): string | null {
  for (const { changes } of hunks)
    for (const change of changes) {
      const here = placeAt(change, at.side)
      if (here !== null && here.line === at.line) return getChangeKey(change)
    }
  return null
}

function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  const by = ARROWS[event.key] ?? 0
  const at = event.target
  if (by === 0 || !(at instanceof HTMLElement) || !at.matches('.line-button')) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.line-button')]
  buttons[buttons.indexOf(at) + by]?.focus()
}

/** To mark words in a line this long would take longer than to read it. */
const MARKED_CHARS_MAX = 1_000

function tokensOf(hunks: Parameters<typeof tokenize>[0], path: string, lines: number) {
  if (lines > LINES_COLOURED) return null
  const isLong = hunks.some(({ changes }) => changes.some(({ content }) => content.length > MARKED_CHARS_MAX))
  const enhancers = isLong ? [] : [markEdits(hunks, { type: 'block' })]
  const language = languageOf(path)
  try {
    return language === null || isLong
      ? tokenize(hunks, { highlight: false, enhancers })
      : tokenize(hunks, { highlight: true, refractor, language, enhancers })
  } catch {
    return null
  }
}
