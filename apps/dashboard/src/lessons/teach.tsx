// A lesson that a person knows, and one that holds no longer.
import { type Lesson, LessonType } from '@treadle/contracts/lesson'
import { type FormEvent, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAttempt } from '../parts/attempt.ts'
import { Dialog } from '../parts/dialog.tsx'
import { headOf, readLesson, recordedWords, TYPE_WORDS } from './lessons.model.ts'

export function TeachDialog({ live, onClose }: { live: Live; onClose: () => void }) {
  const id = useId()
  const attempt = useAttempt(live)
  const [wrong, setWrong] = useState<string | null>(null)
  const [told, setTold] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    const read = readLesson({
      content: text('content'),
      type: text('type'),
      glob: text('glob'),
      topic: text('topic'),
      signature: text('signature'),
    })
    if (read.is === 'wrong') return setWrong(read.why)
    await attempt.try(async (client) => {
      setTold(recordedWords(await client.recordLesson({ body: read.lesson })))
    })
  }
  const said = wrong ?? attempt.problem
  if (told !== null) {
    return (
      <Dialog title="Told" onClose={onClose} closeWords="Close">
        <p role="status">{told}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Teach a lesson"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="primary" aria-disabled={attempt.busy}>
          {attempt.busy ? 'Telling…' : 'Tell the crew'}
        </button>
      }
    >
      <form id={id} className="fields" onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${id}-content`}>The lesson, in a sentence</label>
        <textarea
          id={`${id}-content`}
          name="content"
          rows={3}
          maxLength={4_000}
          aria-invalid={said !== null}
          aria-describedby={said === null ? undefined : `${id}-wrong`}
          onChange={() => setWrong(null)}
        />
        {said !== null && (
          <p id={`${id}-wrong`} className="wrong" role="alert">
            {said}
          </p>
        )}
        <label htmlFor={`${id}-type`}>What it is</label>
        <select id={`${id}-type`} name="type" defaultValue="gotcha">
          {LessonType.options.map((type) => (
            <option key={type} value={type}>
              {TYPE_WORDS[type]}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-glob`}>Files it is about, such as src/db/** (empty: any)</label>
        <input id={`${id}-glob`} name="glob" type="text" autoComplete="off" spellCheck={false} />
        <label htmlFor={`${id}-topic`}>Topic (may be empty)</label>
        <input id={`${id}-topic`} name="topic" type="text" autoComplete="off" />
        <label htmlFor={`${id}-signature`}>The error that it answers (may be empty)</label>
        <input id={`${id}-signature`} name="signature" type="text" autoComplete="off" spellCheck={false} />
      </form>
    </Dialog>
  )
}

interface SupersedeProps {
  readonly live: Live
  readonly lesson: Lesson
  readonly onClose: () => void
}

export function SupersedeDialog({ live, lesson, onClose }: SupersedeProps) {
  const id = useId()
  const attempt = useAttempt(live)
  const [why, setWhy] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (why.trim() === '') return setEmpty(true)
    const order = { params: { id: lesson.id }, body: { why: why.trim() } }
    if (await attempt.try((client) => client.supersedeLesson(order))) onClose()
  }
  const said = isEmpty ? 'Say why, for whoever looks later.' : attempt.problem
  return (
    <Dialog
      title="It no longer holds?"
      tone="bad"
      onClose={onClose}
      actions={
        <button type="submit" form={id} className="danger" aria-disabled={attempt.busy}>
          {attempt.busy ? 'Putting it away…' : 'Put it away'}
        </button>
      }
    >
      <p>“{headOf(lesson)}” is kept, and not told to anybody any more.</p>
      <form id={id} className="fields" onSubmit={(event) => void submit(event)} noValidate>
        <label htmlFor={`${id}-why`}>Why</label>
        <input
          id={`${id}-why`}
          type="text"
          maxLength={1_000}
          autoComplete="off"
          value={why}
          aria-invalid={said !== null}
          onChange={(event) => {
            setWhy(event.target.value)
            setEmpty(false)
          }}
        />
      </form>
      {said !== null && (
        <p className="wrong" role="alert">
          {said}
        </p>
      )}
    </Dialog>
  )
}
