// The conversation about one item: who said what, when, and what has become of it; and one field to say more.

import type { Client } from '@treadle/contracts/client'
import { ENGINE_NAMES, readsWords } from '@treadle/contracts/config/engines'
import type { StoredEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import { unreadWords } from '@treadle/contracts/words/engines'
import { useCallback, useId, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useActions } from '../parts/actions.tsx'
import { Problem } from '../parts/problem.tsx'
import { QuestionCard } from '../parts/question-card.tsx'
import { GUIDANCE_CHARS_MAX, shownGuidance } from './guidance.model.ts'
import { MessageForm } from './message-form.tsx'
import { SaidEntry } from './said-entry.tsx'
import './thread.css'
import { readingEngines, type ThreadEntry, threadOf } from './thread.model.ts'

interface ThreadProps {
  readonly item: Item
  /** The newest run; null: nobody has worked on it yet. */
  readonly run: Run | null
  readonly isAtWork: boolean
  readonly reviews: readonly Review[]
  readonly events: readonly StoredEvent[]
  /** Open questions of the whole workspace, as the page keeps them. */
  readonly questions: readonly QuestionRecord[]
  readonly live: Live
  readonly again: unknown
  readonly now: number
}

export function Thread(props: ThreadProps) {
  const { item, run, isAtWork, reviews, events, live, now } = props
  const { said, questions, problem } = useConversation(props)
  const entries = useMemo(
    () => threadOf({ said: shownGuidance(said, events, isAtWork), questions, reviews }),
    [said, events, isAtWork, questions, reviews],
  )
  return (
    <section aria-labelledby="thread">
      <h3 id="thread">Conversation</h3>
      <div className="card padded thread">
        <Problem text={problem} />
        {entries.length === 0 && <p className="muted">Nothing has been said about it yet.</p>}
        {entries.length > 0 && (
          <ol className="thread-entries" aria-label="Conversation, oldest first">
            {entries.map((entry) => (
              <Entry key={entry.key} entry={entry} now={now} />
            ))}
          </ol>
        )}
        {run !== null && isAtWork ? <Message item={item} run={run} live={live} /> : <Elsewhere item={item} />}
      </div>
    </section>
  )
}

const NONE: readonly never[] = []

/** What was said and asked; open questions are the page's own, so that an answer shows at once. */
function useConversation({ item, run, questions, live, again }: ThreadProps) {
  const { projectNumber, number } = item
  const runId = run?.id ?? null
  const ask = useCallback(
    async (client: Client) => {
      const [guidance, asked] = await Promise.all([
        runId === null ? null : client.listGuidance({ params: { id: runId } }),
        client.listQuestions({ query: { item: number, projectNumber } }),
      ])
      return { said: guidance?.items ?? NONE, asked: asked.items }
    },
    [runId, number, projectNumber],
  )
  const open = questions.filter(
    ({ status, item: about }) =>
      status === 'open' && about?.number === number && about.projectNumber === projectNumber,
  )
  const key = open.map(({ id }) => id).join(' ')
  const { answer, problem } = useAnswer(live, ask, `${String(again)} ${key}`)
  const known = new Set(open.map(({ id }) => id))
  const older = (answer?.asked ?? NONE).filter(({ id }) => !known.has(id))
  return { said: answer?.said ?? NONE, questions: [...open, ...older], problem }
}

function Entry({ entry, now }: { entry: ThreadEntry; now: number }) {
  const { by, at, kind, text, about, mark, open } = entry
  if (open !== null)
    return (
      <li className="thread-entry" data-open="true">
        <section className="entry-card" aria-label={`Question ${open.number}`}>
          <QuestionCard question={open} now={now} />
        </section>
      </li>
    )
  return (
    <SaidEntry
      by={by}
      at={at}
      now={now}
      kind={kind === 'Message' ? null : kind}
      about={about}
      mark={mark}
      text={text}
      isProse={kind === 'Question' || kind === 'Changes requested'}
    />
  )
}

/** Where words belong while nobody is at work. */
function Elsewhere({ item: { state } }: { item: Item }) {
  const words: Partial<Record<Item['state'], string>> = {
    in_review: 'The work is delivered. To have something changed, open the review and request changes.',
    escalated: 'Nobody is working on it. Reopen it and say what the next attempt should know.',
  }
  const text = words[state] ?? 'You can write here while an agent works on it.'
  return <p className="muted">{text}</p>
}

function Message({ item, run }: { item: Item; run: Run; live: Live }) {
  const id = useId()
  const { busy, act, engine: standard, mayDecide } = useActions()
  const engine = item.engine ?? standard
  const unread = unreadWords(engine)
  const key = `guide:${run.id}`
  const send = (text: string, messageId: string) =>
    act({
      key,
      done: `Your message to ${run.agentId} was sent.`,
      failed: `Your message to ${run.agentId} could not be sent.`,
      work: (client) =>
        client.guideRun({ params: { id: run.id }, body: { id: messageId, text, answers: null } }),
    })
  return (
    <MessageForm
      label={`Message ${run.agentId}`}
      placeholder="Look only in src/utils"
      maxLength={GUIDANCE_CHARS_MAX}
      isBusy={busy.has(key)}
      describedBy={unread === null ? undefined : `${id}-unread`}
      onSend={send}
    >
      {unread !== null && (
        <div id={`${id}-unread`} className="thread-unread">
          <p>The {engine} engine does not read messages. What you write is kept for you and for reviews.</p>
          {mayDecide && <HandOver item={item} engine={engine} />}
        </div>
      )}
    </MessageForm>
  )
}

/** An engine that reads takes the item over: the agent lets go, and whoever is next uses it. */
function HandOver({ item, engine }: { item: Item; engine: string }) {
  const id = useId()
  const { busy, act } = useActions()
  const choices = readingEngines(ENGINE_NAMES, engine)
  const [chosen, setChosen] = useState(choices[0] ?? '')
  const key = `engine:${item.projectNumber}/${item.number}`
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  if (choices.length === 0 || !readsWords(chosen)) return null
  const handOver = () =>
    act({
      key,
      done: `${chosen} takes #${item.number} over.`,
      failed: `#${item.number} could not be handed to ${chosen}.`,
      work: async (client) => {
        await client.editItem({ params, body: { engine: chosen } })
        await client.releaseItem({ params, body: {} })
      },
    })
  return (
    <p className="options">
      <label htmlFor={id}>
        Hand it to{' '}
        <select id={id} value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {choices.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="button" aria-disabled={busy.has(key)} onClick={() => void handOver()}>
        {busy.has(key) ? 'Handing over…' : 'Hand over'}
      </button>
    </p>
  )
}
