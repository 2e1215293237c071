// The field of a conversation: Enter sends, Shift and Enter begin a new line.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'

interface MessageFormProps {
  readonly label: string
  readonly placeholder: string
  readonly maxLength: number
  readonly isBusy: boolean
  readonly describedBy?: string | undefined
  /** Resolves to false if it was refused; what was typed stays. The same words have the same id until they have arrived. */
  readonly onSend: (text: string, id: string) => Promise<boolean>
  /** What stands above the label of the field. */
  readonly children?: ReactNode
  /** What can be pressed instead of typing, right above the field. */
  readonly choices?: ReactNode
  /** What stands below the field. */
  readonly below?: ReactNode
}

export function MessageForm(props: MessageFormProps) {
  const { label, placeholder, maxLength, isBusy, describedBy, onSend, children, choices, below } = props
  const id = useId()
  const { mayDecide } = useActions()
  const [text, setText] = useState('')
  const extra = text.trim().length - maxLength
  const message = useRef({ text: '', id: '' })
  const send = async () => {
    const words = text.trim()
    if (words === '' || extra > 0 || isBusy || !mayDecide) return
    if (message.current.text !== words) message.current = { text: words, id: crypto.randomUUID() }
    if (!(await onSend(words, message.current.id))) return
    message.current = { text: '', id: '' }
    // Whatever was typed meanwhile is the next message.
    setText((now) => (now === text ? '' : now))
  }
  const onKey = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character of another script is not meant for the form.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className="words-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {children}
      <label htmlFor={id}>{label}</label>
      {choices}
      <textarea
        id={id}
        rows={3}
        dir="auto"
        value={text}
        aria-describedby={[describedBy, `${id}-keys`].filter(Boolean).join(' ')}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        aria-invalid={extra > 0}
      />
      {extra > 0 && (
        <p className="wrong" role="alert">
          {extra.toLocaleString('en')} characters too long: at most {maxLength.toLocaleString('en')} fit into
          a message.
        </p>
      )}
      <div className="options message-send">
        <button
          type="submit"
          className="primary"
          aria-disabled={isBusy || !mayDecide}
          title={mayDecide ? undefined : OWNERS_ALONE}
        >
          {isBusy ? 'Sending…' : 'Send'}
        </button>
        <p id={`${id}-keys`} className="muted keys-hint">
          <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a new line
        </p>
      </div>
      {below}
    </form>
  )
}
