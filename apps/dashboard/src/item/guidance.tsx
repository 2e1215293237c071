// Words to the run at work: what was said, whether it has arrived, and a place to say more.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { unreadWords } from '@treadle/contracts/words/engines'
import { type FormEvent, useCallback, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useActions } from '../parts/actions.tsx'
import { Problem } from '../parts/problem.tsx'
import { TimeAgo } from '../parts/time-ago.tsx'
import { GUIDANCE_CHARS_MAX, type ShownGuidance, shownGuidance } from './guidance.model.ts'

interface GuidanceProps {
  readonly item: Item
  readonly run: Run
  readonly events: readonly StoredEvent[]
  readonly live: Live
  readonly again: unknown
  readonly now: number
}

export function Guidance({ item, run, events, live, again, now }: GuidanceProps) {
  const ask = useCallback((client: Client) => client.listGuidance({ params: { id: run.id } }), [run.id])
  const { answer, problem } = useAnswer(live, ask, again)
  const unread = unreadWords(useActions().engine)
  const atWork = run.endedAt === null && item.runId === run.id
  const said = shownGuidance(answer?.items ?? [], events, atWork)
  if (!atWork && said.length === 0) return null
  return (
    <section aria-labelledby="guidance">
      <h3 id="guidance">{atWork ? `Say something to ${run.agentId}` : 'What was said'}</h3>
      <div className="card padded said">
        <Problem text={problem} />
        {atWork && unread !== null && <p className="reason">{unread}</p>}
        {atWork && unread === null && said.length === 0 && (
          <p className="muted">
            It reaches the engine while it works, and is in every later plan. Nothing has been said yet.
          </p>
        )}
        {said.length > 0 && (
          <ol aria-label="What was said, oldest first">
            {said.map((each) => (
              <Words key={each.id} said={each} now={now} />
            ))}
          </ol>
        )}
        {atWork && <SayForm item={item} run={run} />}
      </div>
    </section>
  )
}

function Words({ said: { by, at, text, about, arrived }, now }: { said: ShownGuidance; now: number }) {
  return (
    <li>
      <p className="facts muted">
        <strong>{by}</strong>
        <TimeAgo at={at} now={now} />
        {arrived !== null && (
          <span>
            <span className="badge" data-tone={arrived === 'taken in' ? 'good' : 'plain'}>
              {arrived}
            </span>
          </span>
        )}
      </p>
      {about !== null && <p className="muted">To: {about}</p>}
      <p className="as-said">{text}</p>
    </li>
  )
}

function SayForm({ item, run }: { item: Item; run: Run }) {
  const id = useId()
  const { busy, act } = useActions()
  const [text, setText] = useState('')
  const key = `guide:${run.id}`
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim() === '' || busy.has(key)) return
    const said = await act({
      key,
      done: `${run.agentId} is told.`,
      failed: `${run.agentId} could not be told.`,
      work: (client) =>
        client.guideRun({
          params: { id: run.id },
          body: { id: crypto.randomUUID(), text: text.trim(), answers: null },
        }),
    })
    if (said) setText('')
  }
  return (
    <form className="words-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>
        Guidance on {itemLabel(item)}
        <span className="muted"> for {run.agentId}</span>
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={GUIDANCE_CHARS_MAX}
        value={text}
        placeholder="Look only in src/utils"
        onChange={(event) => setText(event.target.value)}
      />
      <div className="options">
        <button type="submit" className="primary" aria-disabled={busy.has(key)}>
          {busy.has(key) ? 'Saying it…' : 'Say it'}
        </button>
      </div>
    </form>
  )
}
