// The dialog that starts an idea: a sentence, and who answers.
import type { Client } from '@treadle/contracts/client'
import { asksModel, ENGINE_NAMES, readsWords } from '@treadle/contracts/config/engines'
import { MESSAGE_CHARS_MAX } from '@treadle/contracts/idea'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import type { FormRead } from './form.model.ts'
import { FormDialog, SelectField, TextField, useForm } from './form-dialog.tsx'
import { hrefOf } from './route.model.ts'

interface NewIdea {
  readonly text: string
  readonly engine?: string
}

export function StartIdea({ live, onClose }: { live: Live; onClose: () => void }) {
  // Sent again after a lost answer, it is the same idea.
  const [messageId] = useState(() => crypto.randomUUID())
  const form = useForm<NewIdea>({
    live,
    read: ({ text }) => readIdea(text('text'), text('engine')),
    send: (client, idea) => start(client, { ...idea, messageId }),
    onSent: onClose,
  })
  return (
    <FormDialog
      title="New idea"
      words="Start"
      busyWords="Starting…"
      problemAt="text"
      onClose={onClose}
      {...form}
    >
      <p className="muted">
        One sentence is enough. A few questions later there is a brief that the crew can build from.
      </p>
      <div className="fields">
        <TextField name="text" label="What is the idea?" rows={4} maxLength={MESSAGE_CHARS_MAX} />
        <SelectField name="engine" label="Who asks the questions">
          <option value="">Default ({defaultWords(live)})</option>
          <option value="none">Fixed questions, no model</option>
          {ENGINE_NAMES.filter((name) => asksModel(name) && name !== 'scripted').map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
    </FormDialog>
  )
}

/** Who asks if nobody is named, as the daemon decides it. */
function defaultWords(live: Live): string {
  const config = live.get().snapshot?.workspace.config
  const engine = config?.ideas.engine ?? config?.engines.default
  return engine === undefined || engine === 'none' || !readsWords(engine)
    ? 'fixed questions, no model'
    : engine
}

function readIdea(text: string, engine: string): FormRead<NewIdea> {
  if (text.trim() === '') return { is: 'wrong', why: 'Say in a sentence what the idea is.' }
  return { is: 'ready', value: { text: text.trim(), ...(engine === '' ? {} : { engine }) } }
}

async function start(client: Client, body: NewIdea & { readonly messageId: string }): Promise<void> {
  const { slug } = await client.startIdea({ body })
  location.assign(hrefOf({ is: 'ideas', idea: slug }))
}
