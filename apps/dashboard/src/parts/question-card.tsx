// A question with its options, answered where it stands.
import { itemLabel } from '@treadle/contracts/ids'
import { type QuestionOption, type QuestionRecord, specAskedAbout } from '@treadle/contracts/question'
import { timeAgo } from '@treadle/contracts/words/time'
import { type FormEvent, useId, useState } from 'react'
import { useActions } from './actions.tsx'
import { Prose } from './prose.tsx'
import { chosenWords, otherwise, toggled, wantsWords } from './question-card.model.ts'
import { hrefOf } from './route.model.ts'

export function QuestionCard({ question, now }: { question: QuestionRecord; now: number }) {
  const { number, type, blocking, agent, phase, text, context, options, item, header, multiple } = question
  const [begun, setBegun] = useState<string | null>(null)
  const idea = specAskedAbout(question)
  const answer = useAnswer(question)
  const choose = (label: string) => (wantsWords(label) ? setBegun(label) : void answer(label))
  return (
    <>
      <p className="facts">
        <span className="badge" data-tone={blocking ? 'attention' : 'busy'}>
          {blocking ? 'Waits for you' : type}
        </span>
        <span>Question {number}</span>
        {header !== undefined && <span>{header}</span>}
        <span>
          {agent}
          {phase !== '' && `, ${phase}`}
        </span>
        {item && (
          <span>
            about <a href={hrefOf({ is: 'item', item })}>{itemLabel(item)}</a>
          </span>
        )}
        {idea !== null && (
          <span>
            about <a href={hrefOf({ is: 'specifications', idea, view: 'document' })}>{idea}</a>
          </span>
        )}
        <span>{timeAgo(question.askedAt, now)}</span>
      </p>
      <div className="asked">
        <Prose>{text}</Prose>
      </div>
      {context !== '' && <p className="muted">{context}</p>}
      {options.length > 0 && multiple === true && <Several options={options} onSay={answer} />}
      {options.length > 0 && multiple !== true && (
        <ol className="options">
          {options.map((option) => (
            <Choice key={option.label} option={option} onChoose={choose} />
          ))}
        </ol>
      )}
      {(question.allowFreeText || begun !== null) && <OwnWords begun={begun} onSay={answer} />}
      <p className="muted otherwise">{otherwise(question, now)}</p>
    </>
  )
}

function useAnswer({ id, number }: QuestionRecord): (text: string) => Promise<boolean> {
  const { busy, act } = useActions()
  const key = `answer:${id}`
  return async (text) =>
    !busy.has(key) &&
    act({
      key,
      done: `Question ${number} is answered.`,
      failed: `Question ${number} could not be answered.`,
      work: (client) => client.answerQuestion({ params: { id }, body: { text } }),
    })
}

function Choice({ option, onChoose }: { option: QuestionOption; onChoose: (label: string) => void }) {
  const { label, description, implications, recommended } = option
  return (
    <li>
      <button type="button" className={recommended ? 'primary' : ''} onClick={() => onChoose(label)}>
        {label}
      </button>
      {recommended && <span className="muted">recommended</span>}
      {description && <span className="muted">{description}</span>}
      {implications && <span className="muted">Then: {implications}</span>}
    </li>
  )
}

/** Options of which several may be chosen. */
function Several({
  options,
  onSay,
}: {
  options: readonly QuestionOption[]
  onSay: (text: string) => Promise<boolean>
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (label: string) => setChosen(toggled(chosen, label))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (chosen.size > 0) void onSay(chosenWords(options, chosen))
  }
  return (
    <form onSubmit={submit}>
      <ol className="options">
        {options.map(({ label, description, recommended }) => (
          <li key={label}>
            <label>
              <input type="checkbox" checked={chosen.has(label)} onChange={() => toggle(label)} /> {label}
            </label>
            {recommended && <span className="muted">recommended</span>}
            {description && <span className="muted">{description}</span>}
          </li>
        ))}
      </ol>
      <button type="submit" disabled={chosen.size === 0}>
        Answer with these
      </button>
    </form>
  )
}

function OwnWords({ begun, onSay }: { begun: string | null; onSay: (text: string) => Promise<boolean> }) {
  const id = useId()
  const [words, setWords] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (words.trim() !== '') void onSay(begun === null ? words : `${begun} ${words}`)
  }
  return (
    <form className="own-words" onSubmit={submit}>
      <label htmlFor={id}>{begun ?? 'In your own words'}</label>
      <input
        id={id}
        type="text"
        maxLength={3_500}
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <button type="submit">Answer</button>
    </form>
  )
}
