// The two halves of a card on which another one can be dropped; they are there while one is dragged.
import { type DragEvent, useState } from 'react'
import { LINK_WORDS, type LinkKind } from './links.model.ts'

export function LinkTargets({ onLink }: { onLink: (kind: LinkKind) => void }) {
  return (
    <span className="link-targets" aria-hidden="true">
      {(['after', 'part'] as const).map((kind) => (
        <Target key={kind} kind={kind} onLink={onLink} />
      ))}
    </span>
  )
}

function Target({ kind, onLink }: { kind: LinkKind; onLink: (kind: LinkKind) => void }) {
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the key a and the bar of the selection do the same
    <span
      className="link-target drop-target"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        // The column would take it as a place in the queue.
        event.stopPropagation()
        setOver(false)
        onLink(kind)
      }}
    >
      {LINK_WORDS[kind]}
    </span>
  )
}

export function isOnTarget({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('.link-target') !== null
}
