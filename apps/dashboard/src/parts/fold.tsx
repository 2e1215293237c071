// What can be folded away stays as the reader left it: news do not close what is being read.
import { type ReactNode, useState } from 'react'

interface FoldProps {
  readonly initiallyOpen: boolean
  readonly summary: ReactNode
  readonly children: ReactNode
  readonly className?: string
  readonly onOpen?: (open: boolean) => void
}

export function Fold({ initiallyOpen, summary, children, className, onOpen }: FoldProps) {
  const [open, setOpen] = useState(initiallyOpen)
  return (
    <details
      className={className}
      open={open}
      onToggle={(event) => {
        // What opens and closes inside of it is not meant.
        if (event.target !== event.currentTarget) return
        setOpen(event.currentTarget.open)
        onOpen?.(event.currentTarget.open)
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
