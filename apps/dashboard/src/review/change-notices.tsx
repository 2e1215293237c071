// What a reader has to know of a change before its lines: what is not shown, and what cannot be seen.
import type { DeliveryChange } from '@treadle/contracts/delivery'
import type { Totals } from './change.model.ts'

interface ChangeNoticesProps {
  readonly change: DeliveryChange
  readonly totals: Totals
  readonly isKnownCut: boolean
  /** Null where nothing is to be decided. */
  readonly onKnownCut: ((known: boolean) => void) | null
}

const NAMES_SHOWN = 5

export function ChangeNotices({ change, totals, isKnownCut, onKnownCut }: ChangeNoticesProps) {
  const { cut, unseen } = totals
  const { base, since, files } = change
  return (
    <>
      {base === null && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>The change cannot be shown.</strong> This delivery, or what it began with, is not in the
          repository any more.
        </p>
      )}
      {base !== null && files.length === 0 && (
        <p className="empty">
          {since === null ? 'It changes no file.' : `Nothing changed since delivery ${since.cycle}.`}
        </p>
      )}
      {since !== null && !since.isAlone && (
        <p className="banner" data-tone="attention">
          <strong>What others merged in between is shown as well:</strong> it could not be left out.
        </p>
      )}
      {unseen > 0 && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>
            {unseen === 1 ? 'One character' : `${unseen} characters`} in this change cannot be seen or turn
            the direction of text.
          </strong>{' '}
          They can make code look like other code, and are shown as marks like [U+202E].
        </p>
      )}
      {cut.length > 0 && (
        <div className="banner" data-tone="bad" role="alert">
          <p>
            <strong>This change is too long to be shown whole.</strong> Cut:{' '}
            {cut.slice(0, NAMES_SHOWN).join(', ')}
            {cut.length > NAMES_SHOWN && ` and ${cut.length - NAMES_SHOWN} more`}.
          </p>
          {onKnownCut !== null && (
            <label className="toggle">
              <input
                type="checkbox"
                checked={isKnownCut}
                onChange={(event) => onKnownCut(event.target.checked)}
              />{' '}
              I have read what is not shown here
            </label>
          )}
        </div>
      )}
    </>
  )
}
