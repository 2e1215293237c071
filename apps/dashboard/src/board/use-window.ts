// A scrolled list of which only a part is drawn.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Range, rangeOf, scrollTo } from './window.model.ts'

interface Windowed<E extends HTMLElement> {
  readonly scroller: RefObject<E | null>
  readonly range: Range
  /** Scrolls a row into sight and draws it. */
  readonly reveal: (index: number) => void
}

/** `above`: the height of what stands in the scroller above the first row. */
export function useWindow<E extends HTMLElement>(count: number, rowHeight: number, above = 0): Windowed<E> {
  const scroller = useRef<E>(null)
  const [range, setRange] = useState<Range>(() => rangeOf(0, 0, rowHeight, count))
  const look = useCallback(() => {
    const box = scroller.current
    if (box === null) return
    const next = rangeOf(box.scrollTop - above, box.clientHeight, rowHeight, count)
    setRange((known) => (known.from === next.from && known.to === next.to ? known : next))
  }, [count, rowHeight, above])
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    look()
    box.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [look])
  const reveal = useCallback(
    (index: number) => {
      const box = scroller.current
      if (box === null) return
      const top = scrollTo(index, box.scrollTop, box.clientHeight - above, rowHeight)
      if (top !== null) box.scrollTop = top
      look()
    },
    [look, rowHeight, above],
  )
  // A list that has become shorter is drawn before the next look.
  return { scroller, range: { from: Math.min(range.from, count), to: Math.min(range.to, count) }, reveal }
}
