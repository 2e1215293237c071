// The talk about an idea: what was said, what is asked, and a field for the answer.
import { type IdeaMessage, type IdeaView, MESSAGE_CHARS_MAX } from '@treadle/contracts/idea'
import type { OpenThought } from '@treadle/contracts/thought'
import { useId } from 'react'
import type { Live } from '../live/live.ts'
import { useActions } from '../parts/actions.tsx'
import { useFollow } from '../parts/use-follow.ts'
import { LiveThought } from '../session/live-thought.tsx'
import { MessageForm } from '../thread/message-form.tsx'
import { SaidEntry } from '../thread/said-entry.tsx'

interface TalkProps {
  readonly idea: IdeaView
  readonly messages: readonly IdeaMessage[]
  /** What models are writing about it just now. */
  readonly thoughts: readonly OpenThought[]
  readonly live: Live
  readonly now: number
}

export function Talk({ idea, messages, thoughts, live, now }: TalkProps) {
  const { list, following, look, follow } = useFollow<HTMLDivElement>(`${messages.length} ${thoughts.length}`)
  return (
    <section className="card talk" aria-labelledby="talk">
      <h3 id="talk">Talk</h3>
      <div className="talk-said">
        <div
          ref={list}
          className="talk-scroll"
          role="log"
          aria-label="What was said, oldest first"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          tabIndex={0}
          onScroll={look}
        >
          <div className="talk-entries">
            <ol className="thread-entries">
              {messages.map(({ id, role, by, content, timestamp }) => (
                <SaidEntry
                  key={id}
                  by={by === 'treadle' ? 'Treadle' : by}
                  at={timestamp}
                  now={now}
                  text={content}
                  isProse={role === 'assistant'}
                  isOwn={role === 'user'}
                />
              ))}
            </ol>
            {thoughts.map((thought) => (
              <LiveThought key={thought.id} thought={thought} live={live} />
            ))}
            {isUnanswered(idea, messages, thoughts) && (
              <p className="muted">Nobody is answering this. Say something more, and both are answered.</p>
            )}
          </div>
          {idea.waiting && idea.waitingFor !== null && (
            <p className="talk-waiting muted">
              {idea.waitingFor.words} {idea.waitingFor.hint}
            </p>
          )}
        </div>
        {!following && (
          <button type="button" className="talk-latest" onClick={follow}>
            Jump to latest
          </button>
        )}
      </div>
      {idea.status === 'archived' ? (
        <p className="muted">It is archived: nothing more can be said.</p>
      ) : (
        <Answer idea={idea} />
      )}
    </section>
  )
}

/** What was said last has no answer, and none is coming: it was stopped. */
function isUnanswered(
  { mode, status, waiting }: IdeaView,
  messages: readonly IdeaMessage[],
  thoughts: readonly OpenThought[],
): boolean {
  const isTalking = mode === 'engine' && status !== 'archived'
  return isTalking && !waiting && thoughts.length === 0 && messages.at(-1)?.role === 'user'
}

/** Words without the marks of emphasis, which a reply may have where the question has none. */
function plain(text: string): string {
  return text.replaceAll(/[*_`]/g, '')
}

function Answer({ idea: { slug, mode, questions, phase, reply, waiting } }: { idea: IdeaView }) {
  const id = useId()
  const { busy, act } = useActions()
  const [first, then] = questions
  const key = `say:${slug}`
  const send = (text: string, messageId: string) =>
    act({
      key,
      done: 'Your message was sent.',
      failed: 'Your message could not be sent.',
      work: (client) => client.sayToIdea({ params: { id: slug }, body: { text, messageId } }),
    })
  const isAsked = mode === 'interview' && first !== undefined
  const options = isAsked ? first.options : []
  // A reply mostly ends with its questions; while the next one is written, they are behind us.
  const said = plain(reply ?? '')
  const unsaid =
    mode === 'engine' && !waiting ? questions.filter(({ text }) => !said.includes(plain(text))) : []
  const other = phase === 'COMPLETE' ? 'Anything to add or to change?' : 'Your message'
  return (
    <MessageForm
      label={isAsked ? first.text : other}
      placeholder={isAsked ? 'Your answer' : ''}
      maxLength={MESSAGE_CHARS_MAX}
      isBusy={busy.has(key)}
      describedBy={isAsked && then !== undefined ? `${id}-then` : undefined}
      onSend={send}
      choices={
        options.length > 0 && (
          <p className="options">
            {options.map((option) => (
              <button key={option} type="button" onClick={() => void send(option, crypto.randomUUID())}>
                {option}
              </button>
            ))}
          </p>
        )
      }
      below={
        isAsked &&
        then !== undefined && (
          <p id={`${id}-then`} className="muted talk-then">
            Next: {then.text}
          </p>
        )
      }
    >
      {unsaid.length > 0 && (
        <ul className="talk-questions" aria-label="Open questions">
          {unsaid.map((question) => (
            <li key={question.id} className="as-said" dir="auto">
              {question.text}
            </li>
          ))}
        </ul>
      )}
    </MessageForm>
  )
}
