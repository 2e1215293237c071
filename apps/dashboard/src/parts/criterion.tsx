// An acceptance criterion and whether it is met.
import type { Criterion } from '@treadle/contracts/item'
import { criterionOf, noteWords } from './gate-line.model.ts'

interface CriterionProps {
  readonly status: Criterion['status']
  readonly text: string
  /** The item has ended, and nobody looks at the criterion any more. */
  readonly over: boolean
  readonly note?: string | null
}

export function CriterionLine({ status, text, over, note = null }: CriterionProps) {
  const { tone, words } = criterionOf(status, over)
  return (
    <li>
      <span className="badge" data-tone={tone}>
        {words}
      </span>{' '}
      {text}
      {note !== null && <p className="muted">{noteWords(note)}</p>}
    </li>
  )
}
