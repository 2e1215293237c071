// One decision of a conflict: the two sides with the result between them.
import { type ConflictParts, PLACE_CHARS_MAX, type PlaceChoice } from '@treadle/contracts/conflict-parts'
import type { ReactNode } from 'react'
import { revealed, unseenIn } from '../live/unseen-characters.model.ts'
import { BECAUSE_WORDS, resultOf, type Spot, versionWords } from './resolution.model.ts'

interface DecideProps {
  readonly parts: ConflictParts
  readonly choice: PlaceChoice | undefined
  readonly onDecide: (choice: PlaceChoice | null, keepEditing?: boolean) => void
}

interface PlaceProps extends DecideProps {
  readonly spot: Extract<Spot, { is: 'place' }>
  readonly editing: boolean
  readonly onEdit: () => void
}

export function PlacePanes({ spot, parts, choice, editing, onDecide, onEdit }: PlaceProps) {
  const { place, before, after } = spot
  const target = revealed(parts.target.name)
  const around = (text: string | null) => <Lines before={before} text={text} after={after} />
  const isBoth = (first: 'target' | 'branch') => choice?.is === 'both' && choice.first === first
  return (
    <>
      <fieldset className="resolve-takes" aria-label="What to take">
        <Take
          words={`Take ${target}`}
          isTaken={choice?.is === 'target'}
          onTake={() => onDecide({ is: 'target' })}
        />
        <Take
          words="Take delivery"
          isTaken={choice?.is === 'branch'}
          onTake={() => onDecide({ is: 'branch' })}
        />
        <Take
          words={`Both, ${target} first`}
          isTaken={isBoth('target')}
          onTake={() => onDecide({ is: 'both', first: 'target' })}
        />
        <Take
          words="Both, delivery first"
          isTaken={isBoth('branch')}
          onTake={() => onDecide({ is: 'both', first: 'branch' })}
        />
        <Take words="Edit" isTaken={choice?.is === 'text'} onTake={onEdit} />
        {choice !== undefined && (
          <button type="button" className="quiet" onClick={() => onDecide(null)}>
            Undo
          </button>
        )}
      </fieldset>
      <div className="resolve-panes">
        <Pane title={target} isTaken={choice?.is === 'target'}>
          {around(place.target)}
        </Pane>
        <Pane title="Result" isResult>
          {choice?.is === 'text' && editing ? (
            <EditField text={choice.text} onType={(text) => onDecide({ is: 'text', text }, true)} />
          ) : (
            around(resultOf(place, choice))
          )}
        </Pane>
        <Pane title="Delivery" isTaken={choice?.is === 'branch'}>
          {around(place.branch)}
        </Pane>
      </div>
      {place.base !== null && (
        <details className="resolve-base">
          <summary>Before both changes</summary>
          <pre>{revealed(place.base) || 'Nothing was here.'}</pre>
        </details>
      )}
    </>
  )
}

export function WholePanes({
  spot,
  parts,
  choice,
  onDecide,
}: DecideProps & { spot: Extract<Spot, { is: 'whole' }> }) {
  const target = revealed(parts.target.name)
  const { whole } = spot
  const taken = choice?.is === 'target' ? whole.target : whole.branch
  const end = taken === null ? 'The file will not be there.' : versionWords(taken)
  return (
    <>
      <p>{BECAUSE_WORDS[whole.because]} Take it from one side.</p>
      <fieldset className="resolve-takes" aria-label="What to take">
        <Take
          words={`Take ${target}`}
          isTaken={choice?.is === 'target'}
          onTake={() => onDecide({ is: 'target' })}
        />
        <Take
          words="Take delivery"
          isTaken={choice?.is === 'branch'}
          onTake={() => onDecide({ is: 'branch' })}
        />
      </fieldset>
      <div className="resolve-panes">
        <Pane title={target} isTaken={choice?.is === 'target'}>
          <p className="resolve-version">{versionWords(whole.target)}</p>
        </Pane>
        <Pane title="Result" isResult>
          <p className="resolve-version">{choice === undefined ? <Open /> : end}</p>
        </Pane>
        <Pane title="Delivery" isTaken={choice?.is === 'branch'}>
          <p className="resolve-version">{versionWords(whole.branch)}</p>
        </Pane>
      </div>
    </>
  )
}

function Take({ words, isTaken, onTake }: { words: string; isTaken: boolean; onTake: () => void }) {
  return (
    <button type="button" aria-pressed={isTaken} onClick={onTake}>
      {words}
    </button>
  )
}

interface PaneProps {
  readonly title: string
  readonly isTaken?: boolean
  readonly isResult?: boolean
  readonly children: ReactNode
}

function Pane({ title, isTaken = false, isResult = false, children }: PaneProps) {
  return (
    <section className="resolve-pane" data-taken={isTaken} data-result={isResult} aria-label={title}>
      <h5>{title}</h5>
      {children}
    </section>
  )
}

const Open = () => <span className="resolve-open">Not decided yet</span>

/** Null: not decided. */
function Lines({ before, text, after }: { before: string; text: string | null; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its pane is scrolled by the keyboard, too
    <pre tabIndex={0}>
      <span className="resolve-around">{revealed(before)}</span>
      {text === null ? <Open /> : <span className="resolve-lines">{revealed(text)}</span>}
      {text === '' && <span className="resolve-open">No lines</span>}
      {(text === null || text === '' || !text.endsWith('\n')) && '\n'}
      <span className="resolve-around">{revealed(after)}</span>
    </pre>
  )
}

function EditField({ text, onType }: { text: string; onType: (text: string) => void }) {
  const unseen = unseenIn(text)
  return (
    <>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: whoever asks to edit wants to type
        autoFocus
        aria-label="Text of the result"
        rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
        maxLength={PLACE_CHARS_MAX}
        spellCheck={false}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {unseen > 0 && (
        <p className="wrong">
          {unseen === 1 ? 'One character here cannot be seen.' : `${unseen} characters here cannot be seen.`}
        </p>
      )}
    </>
  )
}
