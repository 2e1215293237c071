// Asks for the code of a decision, and shows it: this page has the owner's key.
import type { Client } from '@treadle/contracts/client'
import type { CodeAsked } from '../live/code-prompt.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { FormDialog, TextField } from '../parts/form-dialog.tsx'

export function CodeDialog({ live, asked }: { live: Live; asked: CodeAsked }) {
  const prompt = live.codes
  return (
    <FormDialog
      title="This decision wants a code"
      words="Decide"
      onSubmit={(typed) => prompt.give(typed.text('code').replace(/\s+/g, ''))}
      onClose={() => prompt.give(null)}
    >
      <p>{asked.message}</p>
      <p>
        Nothing on this machine keeps your key from code that your agents run, so a decision is made by
        whoever can read this:
      </p>
      <Codes live={live} />
      <TextField name="code" label="Code" maxLength={6} isNumber />
    </FormDialog>
  )
}

const listCodes = (client: Client) => client.listCodes()

function Codes({ live }: { live: Live }) {
  const { answer } = useAnswer(live, listCodes, 'codes')
  return (
    <ul>
      {answer?.items.map(({ id, what, code }) => (
        <li key={id}>
          <strong>{code}</strong> to {what}
        </li>
      ))}
    </ul>
  )
}
