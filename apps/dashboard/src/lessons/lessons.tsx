// The lessons screen: what the crew knows, where each lesson came from, and whether it helps.
import type { Answer, Client } from '@treadle/contracts/client'
import type { Lesson } from '@treadle/contracts/lesson'
import { timeAgo } from '@treadle/contracts/words/time'
import { useCallback, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Command } from '../parts/command.tsx'
import { TYPE_WORDS } from '../parts/lesson-types.model.ts'
import { Problem } from '../parts/problem.tsx'
import { SupersedeDialog, TeachDialog } from './lesson-dialogs.tsx'
import { headOf, trialWords, upliftWords, VERDICT } from './lessons.model.ts'

type KnownLesson = Answer<'listLessons'>['items'][number]

export function Lessons({ live, last, now }: { live: Live; last: number; now: number }) {
  const id = useId()
  const [all, setAll] = useState(false)
  const [text, setText] = useState('')
  const [teaching, setTeaching] = useState(false)
  const [over, setOver] = useState<Lesson | null>(null)
  const ask = useCallback(
    (client: Client) => {
      const words = text.trim() === '' ? {} : { text: text.trim() }
      return client
        .listLessons({ query: { limit: 200, ...(all ? { all: 'true' } : {}), ...words } })
        .then(revealAll)
    },
    [all, text],
  )
  const { answer, problem } = useAnswer(live, ask, last)
  return (
    <section aria-labelledby="lessons">
      <div className="section-head">
        <h2 id="lessons" tabIndex={-1}>
          Lessons
        </h2>
        <p className="muted">{answer === null ? 'Loading…' : `${answer.items.length} known`}</p>
        <label className="toggle push" htmlFor={id}>
          <input id={id} type="checkbox" checked={all} onChange={() => setAll(!all)} /> Retired and superseded
          too
        </label>
        <button type="button" className="primary" onClick={() => setTeaching(true)}>
          Teach a lesson
        </button>
      </div>
      <div className="fields lesson-find">
        <label htmlFor={`${id}-find`}>Search lessons</label>
        <input
          id={`${id}-find`}
          type="text"
          maxLength={500}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && text !== '' && <p className="empty">No lessons match.</p>}
      {answer?.items.length === 0 && text === '' && (
        <div className="empty">
          <p>No lessons yet. The crew learns from every run; you can also teach it, here or with</p>
          <Command>{'treadle lessons add "Dates are kept in UTC" --type pattern'}</Command>
        </div>
      )}
      <ul className="lessons">
        {answer?.items.map((known) => (
          <LessonCard key={known.lesson.id} known={known} now={now} onOver={setOver} />
        ))}
      </ul>
      {teaching && <TeachDialog live={live} onClose={() => setTeaching(false)} />}
      {over !== null && <SupersedeDialog live={live} lesson={over} onClose={() => setOver(null)} />}
    </section>
  )
}

interface CardProps {
  readonly known: KnownLesson
  readonly now: number
  readonly onOver: (lesson: Lesson) => void
}

function LessonCard({ known: { lesson, trial }, now, onOver }: CardProps) {
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
      {lesson.supersededAt === null && (
        <div className="options">
          <button
            type="button"
            aria-label={`No longer true…: ${headOf(lesson)}`}
            onClick={() => onOver(lesson)}
          >
            No longer true…
          </button>
        </div>
      )}
    </li>
  )
}
