// A change as a person reads it: file by file, in one column or two, coloured by language.
import { useState } from 'react'
import { Diff, Hunk, parseDiff, tokenize } from 'react-diff-view'
import 'react-diff-view/style/index.css'
import { refractor } from 'refractor/core'
import css from 'refractor/css'
import go from 'refractor/go'
import java from 'refractor/java'
import json from 'refractor/json'
import python from 'refractor/python'
import rust from 'refractor/rust'
import tsx from 'refractor/tsx'
import yaml from 'refractor/yaml'
import { languageOf, pathOf } from './diff-view.model.ts'

for (const language of [css, go, java, json, python, rust, tsx, yaml]) refractor.register(language)

type File = ReturnType<typeof parseDiff>[number]

export function DiffView({ diff }: { diff: string }) {
  const [view, setView] = useState<'unified' | 'split'>('unified')
  const files = parsed(diff)
  if (files === null) return <pre className="evidence">{diff}</pre>
  return (
    <div className="diffs">
      <fieldset className="diff-head" aria-label="How the change is shown">
        {(['unified', 'split'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={view === each} onClick={() => setView(each)}>
            {each === 'unified' ? 'One column' : 'Two columns'}
          </button>
        ))}
      </fieldset>
      {files.map((file) => (
        <FileDiff key={`${file.oldPath}${file.newPath}`} file={file} view={view} />
      ))}
    </div>
  )
}

function FileDiff({ file, view }: { file: File; view: 'unified' | 'split' }) {
  return (
    <section className="diff-file card" aria-label={pathOf(file)}>
      <h6>{pathOf(file)}</h6>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div className="diff-scroll" tabIndex={0}>
        {file.hunks.length === 0 ? (
          <p className="muted">{file.isBinary ? 'Not a text.' : 'No lines changed.'}</p>
        ) : (
          <Diff viewType={view} diffType={file.type} hunks={file.hunks} tokens={tokensOf(file)}>
            {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
          </Diff>
        )}
      </div>
    </section>
  )
}

/** Null: it is cut, or in no form that we know; then it is shown as it is. */
function parsed(diff: string): File[] | null {
  try {
    const files = parseDiff(diff)
    return files.length === 0 ? null : files
  } catch {
    return null
  }
}

function tokensOf(file: File) {
  const language = languageOf(pathOf(file))
  if (language === null) return null
  try {
    return tokenize(file.hunks, { highlight: true, refractor: adapted, language })
  } catch {
    return null
  }
}

/** The viewer was made for an older highlighter, which answered with the children alone. */
const adapted = {
  highlight: (code: string, language: string) => refractor.highlight(code, language).children,
}
