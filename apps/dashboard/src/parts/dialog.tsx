// A question in front of the page. The browser keeps the focus inside, gives it back, and closes it on Escape.
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The buttons; a way out is always there. */
  readonly actions?: ReactNode
  readonly closeWords?: string
  /** A dialog that destroys something looks so, for those who confirm without reading. */
  readonly tone?: 'bad' | undefined
}

export function Dialog({ title, onClose, children, actions, closeWords = 'Cancel', tone }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" data-tone={tone} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          {closeWords}
        </button>
        {actions}
      </div>
    </dialog>
  )
}
