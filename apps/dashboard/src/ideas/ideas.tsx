// The list of ideas: where each stands, and how to begin one.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import type { IdeaView } from '@treadle/contracts/idea'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Command } from '../parts/command.tsx'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { StartIdea } from '../parts/start-idea.tsx'
import { TimeAgo } from '../parts/time-ago.tsx'
import { showItems, WorkViews } from '../parts/work-views.tsx'
import { modeWords, phaseBadge } from './idea.model.ts'
import './ideas.css'

export interface IdeasProps {
  readonly live: Live
  /** The time of the last reading of the page. */
  readonly last: number
  readonly events: readonly StoredEvent[]
  readonly now: number
}

const read = (client: Client) => client.listIdeas().then(revealAll)

export function Ideas({ live, last, events, now }: IdeasProps) {
  const [starting, setStarting] = useState(false)
  const { answer, problem } = useAnswer(live, read, `${lastTold(events, null)} ${last}`)
  return (
    <section className="ideas" aria-labelledby="ideas">
      <div className="section-head">
        <h2 id="ideas" tabIndex={-1}>
          Ideas
        </h2>
        {answer === null && problem === null && <p className="muted">Reading the ideas…</p>}
        <button type="button" className="primary push" onClick={() => setStarting(true)}>
          New idea
        </button>
      </div>
      <div className="view-line">
        <WorkViews view="ideas" onItems={showItems} />
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <div className="empty">
          <p>
            There are no ideas yet. Start with one sentence: a short talk makes a brief of it, and the brief
            becomes a specification with tasks. You can also start in a terminal:
          </p>
          <Command>{'treadle idea "An offline-first shopping list"'}</Command>
        </div>
      )}
      <ul className="idea-list">
        {answer?.items.map((idea) => (
          <IdeaRow key={idea.slug} idea={idea} now={now} />
        ))}
      </ul>
      {starting && <StartIdea live={live} onClose={() => setStarting(false)} />}
    </section>
  )
}

function IdeaRow({ idea, now }: { idea: IdeaView; now: number }) {
  const { words, tone } = phaseBadge(idea)
  return (
    <li className="card padded idea-row">
      <div>
        <h3>
          <a className="clamp" href={hrefOf({ is: 'ideas', idea: idea.slug })} dir="auto">
            {idea.title}
          </a>
        </h3>
        <p className="facts muted">
          <span>
            <span className="badge" data-tone={tone}>
              {words}
            </span>
          </span>
          {idea.waiting && <span>Waiting for an answer</span>}
          <span>{modeWords(idea)}</span>
          <TimeAgo at={idea.updatedAt} now={now} />
        </p>
      </div>
      <ShareBar label="Confidence" share={idea.confidence} />
    </li>
  )
}
