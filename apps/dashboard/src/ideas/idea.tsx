// One idea: the talk beside what was understood of it, its phase, what is still missing, and its documents.
import type { Client } from '@treadle/contracts/client'
import type { IdeaView, Slug } from '@treadle/contracts/idea'
import type { ThoughtKind } from '@treadle/contracts/thought'
import { useCallback } from 'react'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { PlanningLook } from '../parts/planning-look.tsx'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, IDEAS } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { LiveThought } from '../session/live-thought.tsx'
import { modeWords, phaseBadge, stepsOf } from './idea.model.ts'
import { IdeaCards } from './idea-cards.tsx'
import type { IdeasProps } from './ideas.tsx'
import { NextStep } from './next-step.tsx'
import { Talk } from './talk.tsx'
import './ideas.css'

/** Thoughts that belong into the talk itself; others are about what is made of it. */
const IN_TALK: readonly ThoughtKind[] = ['idea_reply', 'idea_signals']

/** As much of a talk as is read at once. */
const MESSAGES_MAX = 1_000

export function IdeaScreen({ live, slug, last, events, now }: IdeasProps & { readonly slug: Slug }) {
  const ask = useCallback(
    async (client: Client) => {
      const params = { id: slug }
      const [idea, open, said, specifications] = await Promise.all([
        client.showIdea({ params }),
        client.openThoughts({ query: { subject: slug } }),
        client.ideaMessages({ params, query: { limit: MESSAGES_MAX } }),
        client.listSpecifications(),
      ])
      const specification = specifications.items.find((each) => each.slug === slug) ?? null
      return revealAll({ idea, thoughts: open.items, messages: said.items, specification })
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
        {answer !== null && (
          <Facts
            idea={answer.idea}
            // Where the talk says why itself, it is not said twice.
            isWhySaid={answer.messages.some(({ content }) => content.includes(answer.idea.modeWhy ?? ''))}
            now={now}
          />
        )}
      </div>
      <Problem text={problem} />
      {answer === null && problem === null && <p className="muted">Reading the idea…</p>}
      {answer !== null && (
        <>
          <Steps idea={answer.idea} />
          <div className="idea-columns">
            <Talk
              idea={answer.idea}
              messages={answer.messages}
              thoughts={answer.thoughts.filter(({ kind }) => IN_TALK.includes(kind))}
              live={live}
              now={now}
            />
            <div className="idea-aside">
              {answer.thoughts
                .filter(({ kind }) => !IN_TALK.includes(kind))
                .map((thought) => (
                  <LiveThought key={thought.id} thought={thought} live={live} />
                ))}
              <NextStep idea={answer.idea} specification={answer.specification} live={live} />
              <IdeaCards idea={answer.idea} live={live} />
              {answer.idea.status === 'complete' && (
                <PlanningLook
                  live={live}
                  read={(client) => client.ideaRetrospective({ params: { id: slug } })}
                />
              )}
            </div>
          </div>
        </>
      )}
    </section>
  )
}

function Facts({ idea, isWhySaid, now }: { idea: IdeaView; isWhySaid: boolean; now: number }) {
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
      </p>
      {idea.modeWhy !== null && !isWhySaid && <p className="muted">{idea.modeWhy}</p>}
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
          <p className="muted">
            {phase === 'REFINING' ? 'Needed to complete it:' : 'Needed for the next phase:'}
          </p>
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
