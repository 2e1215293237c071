// The talk about an idea: what was said, what is asked, and a field for the answer.
import { type IdeaMessage, type IdeaView, MESSAGE_CHARS_MAX } from '@treadle/contracts/idea'
import { useId } from 'react'
import { useActions } from '../parts/actions.tsx'
import { useFollow } from '../parts/use-follow.ts'
import { MessageForm } from '../thread/message-form.tsx'
import { SaidEntry } from '../thread/said-entry.tsx'

interface TalkProps {
  readonly idea: IdeaView
  readonly messages: readonly IdeaMessage[]
  readonly now: number
}

export function Talk({ idea, messages, now }: TalkProps) {
  const { list, following, look, follow } = useFollow<HTMLDivElement>(`${messages.length} ${idea.waiting}`)
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
          {idea.waiting && (
            <p className="talk-waiting muted">
              <span className="dot" aria-hidden="true" /> {idea.engine ?? 'The model'} is thinking about it…
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

function Answer({ idea: { slug, mode, questions, phase } }: { idea: IdeaView }) {
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
  const other = phase === 'COMPLETE' ? 'Anything to add or to change?' : 'Your message'
  return (
    <MessageForm
      label={isAsked ? first.text : other}
      placeholder={isAsked ? 'Your answer' : ''}
      maxLength={MESSAGE_CHARS_MAX}
      isBusy={busy.has(key)}
      describedBy={isAsked && then !== undefined ? `${id}-then` : undefined}
      onSend={send}
    >
      {mode === 'engine' && questions.length > 0 && (
        <ul className="talk-questions" aria-label="Open questions">
          {questions.map((question) => (
            <li key={question.id}>{question.text}</li>
          ))}
        </ul>
      )}
      {isAsked && then !== undefined && (
        <p id={`${id}-then`} className="muted talk-then">
          After this one: {then.text}
        </p>
      )}
      {options.length > 0 && (
        <p className="options">
          {options.map((option) => (
            <button key={option} type="button" onClick={() => void send(option, crypto.randomUUID())}>
              {option}
            </button>
          ))}
        </p>
      )}
    </MessageForm>
  )
}
