// Whether packages, build and tests can be run: what is done to find out, or what is missing, with its last lines.
import { foundWords, mendWords, stepWords } from '@treadle/contracts/words/readiness'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Workspace } from '../live/live.model.ts'
import { ActionButton } from '../parts/actions.tsx'

interface NoteProps {
  readonly workspace: Workspace
  readonly now: number
}

export function ReadinessNote({ workspace: { readiness, config }, now }: NoteProps) {
  const { found, checking, at } = readiness
  if (config.tests.readiness === 'off') return null
  return (
    <>
      {checking !== null && (
        <p className="banner readiness" data-tone="busy" role="status">
          Before items are offered: {stepWords(checking)}
        </p>
      )}
      {found?.is === 'not_ready' && (
        <div className="banner readiness" data-tone="bad" role="alert">
          <p>
            No item is offered: {found.trouble.text} {mendWords(found.trouble)}.
          </p>
          <pre>{found.trouble.lines}</pre>
          <LookAgain />
        </div>
      )}
      {(found?.is === 'ready' || found?.is === 'untested') && (
        <p className="muted readiness" title={foundWords(found)}>
          Tests{at !== null && `, ${timeAgo(at, now)}`}:{' '}
          {foundWords(found)
            .split('`')
            .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
        </p>
      )}
    </>
  )
}

function LookAgain() {
  return (
    <ActionButton
      words="Refresh"
      busyWords="Looking…"
      action={{
        key: 'look-again',
        done: 'Packages, build and tests are looked at again.',
        failed: 'It could not be looked at again.',
        work: (client) => client.checkReadiness(),
      }}
    />
  )
}
