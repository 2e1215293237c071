// A lesson that a person knows, and one that holds no longer.
import { type Lesson, LessonType } from '@treadle/contracts/lesson'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { FormRead, TypedFields } from '../parts/form.model.ts'
import { FormDialog, SelectField, TextField, useForm } from '../parts/form-dialog.tsx'
import { TYPE_WORDS } from '../parts/lesson-types.model.ts'
import { headOf, readLesson, recordedWords, type TypedLesson } from './lessons.model.ts'

export function TeachDialog({ live, onClose }: { live: Live; onClose: () => void }) {
  const [told, setTold] = useState<string | null>(null)
  const form = useForm({
    live,
    read: (typed) => readLesson(lessonIn(typed)),
    send: async (client, lesson) => setTold(recordedWords(await client.recordLesson({ body: lesson }))),
    onSent: () => undefined,
  })
  if (told !== null) {
    return (
      <Dialog title="Told" onClose={onClose} closeWords="Close">
        <p role="status">{told}</p>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Teach a lesson"
      words="Tell the crew"
      busyWords="Telling…"
      problemAt="content"
      onClose={onClose}
      {...form}
    >
      <div className="fields">
        <TextField name="content" label="The lesson, in a sentence" rows={3} maxLength={4_000} />
        <SelectField name="type" label="What it is" defaultValue="gotcha">
          {LessonType.options.map((type) => (
            <option key={type} value={type}>
              {TYPE_WORDS[type]}
            </option>
          ))}
        </SelectField>
        <TextField name="glob" label="Files it applies to, such as src/db/** (empty: all)" isCode />
        <TextField name="topic" label="Topic (optional)" />
        <TextField name="signature" label="Error it fixes (optional)" isCode />
      </div>
    </FormDialog>
  )
}

function lessonIn({ text }: TypedFields): TypedLesson {
  return {
    content: text('content'),
    type: text('type'),
    glob: text('glob'),
    topic: text('topic'),
    signature: text('signature'),
  }
}

interface SupersedeProps {
  readonly live: Live
  readonly lesson: Lesson
  readonly onClose: () => void
}

export function SupersedeDialog({ live, lesson, onClose }: SupersedeProps) {
  const form = useForm({
    live,
    read: readWhy,
    send: (client, why) => client.supersedeLesson({ params: { id: lesson.id }, body: { why } }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title="No longer true?"
      tone="bad"
      words="Archive it"
      busyWords="Archiving…"
      problemAt="why"
      onClose={onClose}
      {...form}
    >
      <p>“{headOf(lesson)}” is kept, and not told to anybody any more.</p>
      <div className="fields">
        <TextField name="why" label="Why" maxLength={1_000} />
      </div>
    </FormDialog>
  )
}

function readWhy({ text }: TypedFields): FormRead<string> {
  const why = text('why').trim()
  return why === '' ? { is: 'wrong', why: 'Say why, for whoever looks later.' } : { is: 'ready', value: why }
}
