// What a reader has noted of a delivery, kept in the browser under its commit: files viewed, comments not sent, ticks.
import { useState } from 'react'
import { type Marks, NO_MARKS, readMarks } from './marks.model.ts'

const PREFIX = 'treadle.review.'
const DELIVERIES_MAX = 40

/** Of another delivery there are other marks: the component is to be drawn anew for each head. */
export function useMarks(head: string): [Marks, (change: (marks: Marks) => Marks) => void] {
  const [marks, setMarks] = useState(() => read(head))
  const change = (how: (marks: Marks) => Marks) =>
    setMarks((known) => {
      const next = how(known)
      write(head, next)
      return next
    })
  return [marks, change]
}

export function forgetDrafts(head: string): void {
  write(head, { ...read(head), drafts: [], words: '' })
}

function read(head: string): Marks {
  try {
    return readMarks(localStorage.getItem(PREFIX + head))
  } catch {
    return NO_MARKS
  }
}

/** A browser that keeps nothing is no reason not to review. */
function write(head: string, marks: Marks): void {
  try {
    localStorage.removeItem(PREFIX + head)
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    for (const old of kept.slice(0, Math.max(0, kept.length - DELIVERIES_MAX + 1)))
      localStorage.removeItem(old)
    localStorage.setItem(PREFIX + head, JSON.stringify(marks))
  } catch {
    // Full, or not allowed: the marks last as long as the page.
  }
}
