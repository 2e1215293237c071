// A change as a person reads it: file by file, in one column or two, coloured by language.
import { memo, type ReactNode, useMemo, useState } from 'react'
import { Diff, Hunk, parseDiff, tokenize } from 'react-diff-view'
import 'react-diff-view/style/index.css'
import { revealed, unseenIn } from '../live/unseen-characters.model.ts'
import { type DiffPart, diffParts, LINES_COLOURED, LINES_DRAWN, languageOf } from './diff-view.model.ts'
import { refractor } from './highlighter.ts'
import { PlainLines } from './output.tsx'
import './diff-view.css'

type File = ReturnType<typeof parseDiff>[number]
type View = 'unified' | 'split'

/** `head` stands before what chooses the columns. */
export function DiffView({ diff: given, head }: { diff: string; head?: ReactNode }) {
  const [view, setView] = useState<View>('unified')
  const diff = useMemo(() => revealed(given), [given])
  const parts = useMemo(() => diffParts(diff), [diff])
  const unseen = useMemo(() => unseenIn(given), [given])
  return (
    <div className="diffs">
      <div className="diff-tools">
        {head}
        {parts !== null && (
          <fieldset className="diff-head" aria-label="How the change is shown">
            {(['unified', 'split'] as const).map((each) => (
              <button key={each} type="button" aria-pressed={view === each} onClick={() => setView(each)}>
                {each === 'unified' ? 'One column' : 'Two columns'}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {unseen > 0 && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>
            {unseen === 1 ? 'One character' : `${unseen} characters`} in this change cannot be seen or turn
            the direction of text.
          </strong>{' '}
          They can make code look like other code, and are shown as marks like [U+202E].
        </p>
      )}
      {parts === null && <PlainLines text={diff} name="the change" />}
      {parts?.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files of one diff, which never change places
        <FileDiff key={index} part={part} view={view} />
      ))}
    </div>
  )
}

/** The diff is drawn once, while the page around it is drawn anew every few seconds. */
const FileDiff = memo(function FileDiff({ part, view }: { part: DiffPart; view: View }) {
  const { path, lines, text } = part
  const [open, setOpen] = useState(part.open)
  return (
    <section className="diff-file card" aria-label={path}>
      <p className="diff-path">
        {path} <span className="muted">{lines === 1 ? '1 line' : `${lines} lines`}</span>
      </p>
      {!open && (
        <button type="button" className="quiet" onClick={() => setOpen(true)}>
          Show the change of {path}
        </button>
      )}
      {open && lines > LINES_DRAWN && <PlainLines text={text} name={path} />}
      {open && lines <= LINES_DRAWN && <Drawn part={part} view={view} />}
    </section>
  )
})

function Drawn({ part: { text, path, lines }, view }: { part: DiffPart; view: View }) {
  const file = useMemo(() => parsed(text), [text])
  const tokens = useMemo(
    () => (file === null || lines > LINES_COLOURED ? null : tokensOf(file, path)),
    [file, path, lines],
  )
  if (file === null) return <PlainLines text={text} name={path} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div className="diff-scroll" tabIndex={0}>
      {file.hunks.length === 0 ? (
        <p className="muted">{file.isBinary ? 'Not a text.' : 'No lines changed.'}</p>
      ) : (
        <Diff viewType={view} diffType={file.type} hunks={file.hunks} tokens={tokens}>
          {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
        </Diff>
      )}
    </div>
  )
}

/** A diff of one file, taken apart; null if it is cut or has no known form, and is then shown as it is. */
function parsed(text: string): File | null {
  try {
    return parseDiff(text)[0] ?? null
  } catch {
    return null
  }
}

function tokensOf(file: File, path: string) {
  const language = languageOf(path)
  if (language === null) return null
  try {
    return tokenize(file.hunks, { highlight: true, refractor, language })
  } catch {
    return null
  }
}
