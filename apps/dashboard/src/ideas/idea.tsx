// One idea: the talk beside what was understood of it, its phase, what is still missing, and its documents.
import type { Client } from '@treadle/contracts/client'
import type { IdeaView, Slug } from '@treadle/contracts/idea'
import { useCallback } from 'react'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, IDEAS } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { modeWords, phaseBadge, stepsOf } from './idea.model.ts'
import { IdeaCards } from './idea-cards.tsx'
import type { IdeasProps } from './ideas.tsx'
import { NextStep } from './next-step.tsx'
import { Talk } from './talk.tsx'
import './ideas.css'

/** As much of a talk as is read at once. */
const MESSAGES_MAX = 1_000

export function IdeaScreen({ live, slug, last, events, now }: IdeasProps & { readonly slug: Slug }) {
  const ask = useCallback(
    async (client: Client) => {
      const params = { id: slug }
      const [idea, said, specifications] = await Promise.all([
        client.showIdea({ params }),
        client.ideaMessages({ params, query: { limit: MESSAGES_MAX } }),
        client.listSpecifications(),
      ])
      const specification = specifications.items.find((each) => each.slug === slug) ?? null
      return revealAll({ idea, messages: said.items, specification })
    },
    [slug],
  )
  const { answer, problem } = useAnswer(live, ask, `${lastTold(events, slug)} ${last}`)
  return (
    <section className="idea-screen" aria-labelledby="idea">
      <div>
        <p>
          <a href={hrefOf(IDEAS)}>← Ideas</a>
        </p>
        <h2 id="idea" tabIndex={-1} dir="auto">
          {answer?.idea.title ?? slug}
        </h2>
        {answer !== null && <Facts idea={answer.idea} now={now} />}
      </div>
      <Problem text={problem} />
      {answer === null && problem === null && <p className="muted">Reading the idea…</p>}
      {answer !== null && (
        <>
          <Steps idea={answer.idea} />
          <div className="idea-columns">
            <Talk idea={answer.idea} messages={answer.messages} now={now} />
            <div className="idea-aside">
              <NextStep idea={answer.idea} specification={answer.specification} live={live} />
              <IdeaCards idea={answer.idea} live={live} />
            </div>
          </div>
        </>
      )}
    </section>
  )
}

function Facts({ idea, now }: { idea: IdeaView; now: number }) {
  const { words, tone } = phaseBadge(idea)
  return (
    <>
      <p className="facts muted">
        <span>
          <span className="badge" data-tone={tone}>
            {words}
          </span>
        </span>
        <span>{modeWords(idea)}</span>
        <span>
          changed <TimeAgo at={idea.updatedAt} now={now} />
        </span>
        {idea.folder !== null && (
          <span className="idea-folder">
            <code>{idea.folder}</code>
          </span>
        )}
      </p>
      {idea.modeWhy !== null && <p className="muted">{idea.modeWhy}</p>}
    </>
  )
}

function Steps({ idea: { phase, missing } }: { idea: IdeaView }) {
  return (
    <section className="card padded idea-phase" aria-label="Phase">
      <ol className="idea-steps">
        {stepsOf(phase).map(({ phase: each, words, is }) => (
          <li key={each} data-is={is} aria-current={is === 'now' ? 'step' : undefined}>
            {words}
            {is === 'done' && <span className="unseen"> (done)</span>}
          </li>
        ))}
      </ol>
      {missing.length > 0 && (
        <div className="idea-missing">
          <p className="muted">Still missing here:</p>
          <ul>
            {missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
