// A dialog with something to fill in or to agree to: title, content, what went wrong, and two buttons.
import type { Client } from '@treadle/contracts/client'
import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from 'react'
import type { Live } from '../live/live.ts'
import { Dialog } from './dialog.tsx'
import { useDialogRequest } from './dialog-request.ts'
import { type FormRead, fieldsIn, type TypedFields } from './form.model.ts'
import { Problem } from './problem.tsx'

interface FormContext {
  readonly id: string
  readonly problem: string | null
  readonly problemAt: string | null
}

const Context = createContext<FormContext>({ id: '', problem: null, problemAt: null })

interface FormDialogProps {
  readonly title: string
  /** The words on the button that sends the form. */
  readonly words: string
  readonly busyWords?: string
  readonly busy?: boolean
  readonly tone?: 'bad'
  readonly problem?: string | null
  /** The name of the field that a problem is said below; without it, below everything. */
  readonly problemAt?: string
  readonly onSubmit: (typed: TypedFields) => unknown
  readonly onChange?: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export function FormDialog(props: FormDialogProps) {
  const { title, words, busyWords = words, busy = false, tone, problem = null, problemAt = null } = props
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void props.onSubmit(fieldsIn(new FormData(event.currentTarget)))
  }
  return (
    <Dialog
      title={title}
      tone={tone}
      onClose={props.onClose}
      actions={
        <button
          type="submit"
          form={id}
          className={tone === 'bad' ? 'danger' : 'primary'}
          aria-disabled={busy}
        >
          {busy ? busyWords : words}
        </button>
      }
    >
      <form id={id} className="dialog-form" onSubmit={submit} onChange={props.onChange} noValidate>
        <Context value={{ id, problem, problemAt }}>{props.children}</Context>
        {problemAt === null && <Problem text={problem} />}
      </form>
    </Dialog>
  )
}

interface FormOptions<T> {
  readonly live: Live
  readonly read: (typed: TypedFields) => FormRead<T>
  readonly send: (client: Client, value: T) => Promise<unknown>
  /** Called once the form was sent; what was typed is lost only then. */
  readonly onSent: () => void
}

type Form = Required<Pick<FormDialogProps, 'busy' | 'onSubmit' | 'onChange'>> & { problem: string | null }

/** A form that is read, then sent to the daemon; a refusal of either is its problem. */
export function useForm<T>({ live, read, send, onSent }: FormOptions<T>): Form {
  const request = useDialogRequest(live)
  const [wrong, setWrong] = useState<string | null>(null)
  return {
    busy: request.busy,
    problem: wrong ?? request.problem,
    onChange: () => setWrong(null),
    onSubmit: async (typed) => {
      const form = read(typed)
      if (form.is === 'wrong') return setWrong(form.why)
      if (await request.try((client) => send(client, form.value))) onSent()
    },
  }
}

/** A form with nothing that could be typed wrongly. */
export const asTyped = (typed: TypedFields): FormRead<TypedFields> => ({ is: 'ready', value: typed })

interface FieldProps {
  readonly name: string
  readonly label: string
}

interface TextFieldProps extends FieldProps {
  /** Lines of a larger field; without it, the field has a single one. */
  readonly rows?: number
  readonly maxLength?: number
  readonly defaultValue?: string
  /** Paths, commands and names are not spelled as prose. */
  readonly isCode?: boolean
  readonly isNumber?: boolean
  /** The id of a list of suggestions. */
  readonly list?: string
}

export function TextField(props: TextFieldProps) {
  const { name, label, rows, maxLength, defaultValue, isCode, isNumber, list } = props
  const { id, problem, problemAt } = useContext(Context)
  const isWrong = problemAt === name && problem !== null
  const attributes = {
    id: `${id}-${name}`,
    name,
    maxLength,
    defaultValue,
    spellCheck: isCode === true ? false : undefined,
    'aria-invalid': problemAt === name ? isWrong : undefined,
    'aria-describedby': isWrong ? `${id}-wrong` : undefined,
  }
  return (
    <>
      <label htmlFor={attributes.id}>{label}</label>
      {rows === undefined ? (
        <input
          type="text"
          autoComplete="off"
          list={list}
          inputMode={isNumber === true ? 'numeric' : undefined}
          {...attributes}
        />
      ) : (
        <textarea rows={rows} {...attributes} />
      )}
      {isWrong && <Problem id={`${id}-wrong`} text={problem} />}
    </>
  )
}

interface SelectFieldProps extends FieldProps {
  readonly defaultValue?: string
  readonly children: ReactNode
}

export function SelectField({ name, label, defaultValue, children }: SelectFieldProps) {
  const { id } = useContext(Context)
  return (
    <>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <select id={`${id}-${name}`} name={name} defaultValue={defaultValue}>
        {children}
      </select>
    </>
  )
}

export function TickField({ name, label }: FieldProps) {
  const { id } = useContext(Context)
  return (
    <label className="toggle" htmlFor={`${id}-${name}`}>
      <input id={`${id}-${name}`} name={name} type="checkbox" /> {label}
    </label>
  )
}
