// What the crew knows, where each lesson came from, and whether it helps.
import type { Answer, Client } from '@treadle/contracts/client'
import { timeAgo } from '@treadle/contracts/words/time'
import { useId, useState } from 'react'
import { Command } from '../frame/notices.tsx'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { headOf, TYPE_WORDS, trialWords, upliftWords, VERDICT } from './lessons.model.ts'

type Known = Answer<'listLessons'>['items'][number]

const active = (client: Client) => client.listLessons({ query: { limit: 200 } })
const every = (client: Client) => client.listLessons({ query: { limit: 200, all: 'true' } })

export function Lessons({ live, last, now }: { live: Live; last: number; now: number }) {
  const id = useId()
  const [all, setAll] = useState(false)
  const { answer, problem } = useAsked(live, all ? every : active, last)
  return (
    <section aria-labelledby="lessons">
      <div className="section-head">
        <h2 id="lessons" tabIndex={-1}>
          Lessons
        </h2>
        <p className="muted">{answer === null ? 'Reading them…' : `${answer.items.length} known`}</p>
        <label className="toggle push" htmlFor={id}>
          <input id={id} type="checkbox" checked={all} onChange={() => setAll(!all)} /> Retired and superseded
          too
        </label>
      </div>
      {problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      {answer?.items.length === 0 && (
        <div className="empty">
          <p>Nothing is known yet. The crew learns from every run; you can also teach it:</p>
          <Command>{'treadle lessons add "Dates are kept in UTC" --type pattern'}</Command>
        </div>
      )}
      <ul className="lessons">
        {answer?.items.map((known) => (
          <LessonCard key={known.lesson.id} known={known} now={now} />
        ))}
      </ul>
    </section>
  )
}

function LessonCard({ known: { lesson, trial }, now }: { known: Known; now: number }) {
  const { words, tone } = VERDICT[lesson.verdict]
  const { runId, attempt, commit } = lesson.provenance
  return (
    <li className="card padded lesson" data-over={lesson.supersededAt !== null}>
      <p className="facts">
        <span className="badge" data-tone={tone}>
          {words}
        </span>
        <span>{TYPE_WORDS[lesson.type]}</span>
        {lesson.glob && (
          <span>
            <code>{lesson.glob}</code>
          </span>
        )}
        <span>{timeAgo(lesson.updatedAt, now)}</span>
      </p>
      <p className="lesson-head clamp" title={headOf(lesson)}>
        {headOf(lesson)}
      </p>
      <dl className="lesson-facts">
        <div>
          <dt>Effect</dt>
          <dd>{upliftWords(trial)}</dd>
        </div>
        <div>
          <dt>Trial</dt>
          <dd>{trialWords(trial)}</dd>
        </div>
        <div>
          <dt>Confidence</dt>
          <dd>{lesson.confidence.toFixed(2)}</dd>
        </div>
        <div>
          <dt>Seen</dt>
          <dd>
            {lesson.occurrences}×{lesson.seenIn.length > 0 && ` in ${lesson.seenIn.join(', ')}`}
          </dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>
            {lesson.discoveredBy}
            {runId !== null && (
              <>
                , run <code>{runId.slice(0, 8)}</code>
              </>
            )}
            {attempt !== null && `, attempt ${attempt}`}
            {commit !== null && (
              <>
                , <code>{commit.slice(0, 8)}</code>
              </>
            )}
          </dd>
        </div>
      </dl>
      {lesson.why && <p className="muted">{lesson.why}</p>}
    </li>
  )
}
