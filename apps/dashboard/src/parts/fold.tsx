// A part that can be folded away; it stays as the reader left it: news do not close what is being read.
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
        // A fold inside of this one has its own events, which come by here too.
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
