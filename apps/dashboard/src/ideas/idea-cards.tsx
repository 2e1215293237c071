// What was understood of an idea, as cards that fill up while one talks; and its documents.
import type { Client } from '@treadle/contracts/client'
import type { Artifact, IdeaView } from '@treadle/contracts/idea'
import { type ReactNode, useCallback, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Fold } from '../parts/fold.tsx'
import { Problem } from '../parts/problem.tsx'
import { Prose } from '../parts/prose.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import {
  authorWords,
  cardsOf,
  decisionWords,
  documentsOf,
  hasBrief,
  type IdeaCard,
  longTextOf,
} from './idea.model.ts'

export function IdeaCards({ idea, live }: { idea: IdeaView; live: Live }) {
  const { artifacts, decisions, risks, confidence } = idea
  return (
    <>
      <section className="card padded" aria-label="Confidence">
        <ShareBar label="Confidence" share={confidence} />
      </section>
      <ul className="idea-cards" aria-label="What is understood">
        {cardsOf(artifacts).map((card) => (
          <Understood key={card.type} card={card} />
        ))}
        <Listed words="Decisions" empty="None yet.">
          {decisions.map((decision) => (
            <li key={`${decision.type} ${decision.text}`} className="as-said" dir="auto">
              <span className="muted">{decisionWords(decision)}:</span> {decision.text}
            </li>
          ))}
        </Listed>
        <Listed words="Risks" empty="None yet.">
          {risks.map(({ text }) => (
            <li key={text} className="as-said" dir="auto">
              {text}
            </li>
          ))}
        </Listed>
      </ul>
      <Documents idea={idea} live={live} />
    </>
  )
}

function Understood({ card: { type, words, artifact, empty } }: { card: IdeaCard }) {
  return (
    <li className="card padded idea-card" data-known={artifact !== null} data-card={type}>
      <h4>{words}</h4>
      {artifact === null ? (
        <p className="muted">{empty}</p>
      ) : (
        <>
          <Text artifact={artifact} />
          <p className="muted idea-sure">{authorWords(artifact)}</p>
        </>
      )}
    </li>
  )
}

function Text({ artifact }: { artifact: Artifact }) {
  const { by, summary, text } = artifact
  const words =
    by === 'model' ? (
      <Prose>{text}</Prose>
    ) : (
      <p className="as-said" dir="auto">
        {text}
      </p>
    )
  if (longTextOf(artifact) === null) return words
  return (
    <Fold initiallyOpen={false} summary={<span dir="auto">{summary}</span>}>
      {words}
    </Fold>
  )
}

function Listed({
  words,
  empty,
  children,
}: {
  words: string
  empty: string
  children: readonly ReactNode[]
}) {
  return (
    <li className="card padded idea-card" data-known={children.length > 0}>
      <h4>{words}</h4>
      {children.length === 0 ? <p className="muted">{empty}</p> : <ul>{children}</ul>}
    </li>
  )
}

function Documents({ idea, live }: { idea: IdeaView; live: Live }) {
  const [reading, setReading] = useState(false)
  const documents = documentsOf(idea)
  return (
    <section className="card padded idea-documents" aria-labelledby="documents">
      <h4 id="documents">Documents</h4>
      {documents.length === 0 ? (
        <p className="muted">They are written into your repository once something is understood.</p>
      ) : (
        <>
          <p className="muted">
            In <code>{idea.folder}</code>. Edit them as you like: what you write counts.
          </p>
          <ul>
            {documents.map(({ name, path, besidePath, words, tone }) => (
              <li key={path}>
                <code title={path}>{name}</code>{' '}
                <span className="badge" data-tone={tone}>
                  {words}
                </span>
                {besidePath !== null && (
                  <p className="muted">
                    Yours counts. The newer text is beside it: <code>{besidePath}</code>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {hasBrief(idea) && (
        <Fold initiallyOpen={false} summary="Read the brief" onOpen={setReading}>
          {reading && <Brief slug={idea.slug} again={idea.updatedAt} live={live} />}
        </Fold>
      )}
    </section>
  )
}

function Brief({ slug, again, live }: { slug: string; again: string; live: Live }) {
  const ask = useCallback((client: Client) => client.ideaBrief({ params: { id: slug } }), [slug])
  const { answer, problem } = useAnswer(live, ask, again)
  return (
    <>
      <Problem text={problem} />
      {answer === null && problem === null && <p className="muted">Reading the brief…</p>}
      {answer !== null && <Prose isDocument>{answer.text}</Prose>}
    </>
  )
}
