// The look back on a run that is over: where it left its plan, and what it taught.
import type { Answer } from '@treadle/contracts/client'
import type { DivergenceClass, LearnedNote, Retrospective } from '@treadle/contracts/retrospective'
import type { Run } from '@treadle/contracts/run'
import type { Tone } from '@treadle/contracts/words/state'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'
import { TYPE_WORDS } from '../parts/lesson-types.model.ts'
import { hrefOf } from '../parts/route.model.ts'

const HOW: Record<LearnedNote['how'], string> = {
  recorded: 'new',
  seen_again: 'seen again',
  superseding: 'replaces an older one',
  known_better: 'known already, and better',
  confirmed: 'confirmed',
  adjusted: 'adjusted',
  not_worth: 'not kept',
}

export function LookingBack({ run, live }: { run: Run; live: Live }) {
  const [told, setTold] = useState<Answer<'showRetrospective'> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async () => {
    setProblem(await problemOf(live.client.showRetrospective({ params: { id: run.id } }).then(setTold)))
  }
  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open && told === null) void read()
      }}
    >
      <summary>Retrospective</summary>
      <div className="run-body">
        {problem !== null && <p className="muted">{problem}</p>}
        {problem === null && told === null && <p className="muted">Reading it…</p>}
        {told !== null && <Told told={told} />}
      </div>
    </details>
  )
}

function Told({ told }: { told: Retrospective }) {
  const { divergences, learned, metrics, tests, diff } = told
  return (
    <>
      <p className="facts muted">
        <span>{told.outcome}</span>
        <span>{Math.round(metrics.first_pass_success * 100)} % passed at the first attempt</span>
        {tests !== null && (
          <span>
            {tests.passed} of {tests.total} tests
          </span>
        )}
        <span>{diff.files.length === 1 ? '1 file' : `${diff.files.length} files`} changed</span>
      </p>
      <h4>Where it differed from the plan</h4>
      {divergences.length === 0 && <p className="muted">Nowhere.</p>}
      <ul className="causes">
        {divergences.map(({ type, what, class: kind, why }) => (
          <li key={`${type}${what}`}>
            <span className="badge" data-tone={toneOf(kind)}>
              {kind.replace(/^\w+:/, '').replaceAll('_', ' ').toLowerCase()}
            </span>{' '}
            {what}
            {why !== '' && <p className="muted">{why}</p>}
          </li>
        ))}
      </ul>
      <h4>Lessons</h4>
      {learned.length === 0 && <p className="muted">Nothing new.</p>}
      <ul className="causes">
        {learned.map(({ lessonId, type, how, text, why }) => (
          <li key={`${lessonId}${type}${text}`}>
            <span className="badge" data-tone={how === 'not_worth' ? 'plain' : 'good'}>
              {HOW[how]}
            </span>{' '}
            {TYPE_WORDS[type]}: {text}
            {why !== '' && <p className="muted">{why}</p>}
          </li>
        ))}
      </ul>
      {learned.length > 0 && (
        <p>
          <a href={hrefOf({ is: 'lessons' })}>See all lessons</a>
        </p>
      )}
    </>
  )
}

function toneOf(kind: DivergenceClass): Tone {
  if (kind.startsWith('GOOD')) return 'good'
  return kind.startsWith('BAD') ? 'bad' : 'plain'
}
