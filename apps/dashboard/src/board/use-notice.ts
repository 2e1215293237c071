// What is said last about a move: one line at a time, with the way back where there is one.
import { useRef, useState } from 'react'

export interface Notice {
  /** Counts what was said: the same words again are read out again. */
  readonly number: number
  readonly words: string
  readonly isBad: boolean
  /** Takes it back; null: it cannot be, or need not. */
  readonly undo: (() => void) | null
}

interface NoticeOptions {
  /** What came of `own` does not take the place of what was said later. */
  readonly own?: number
  readonly undo?: () => void
}

export interface Notices {
  readonly notice: Notice | null
  readonly tell: (words: string, isBad: boolean, options?: NoticeOptions) => void
  /** Takes back what was said last; the number of what comes now. */
  readonly begin: () => number
  readonly dismiss: () => void
}

export function useNotice(): Notices {
  const [notice, setNotice] = useState<Notice | null>(null)
  const last = useRef(0)
  return {
    notice,
    tell: (words, isBad, { own = last.current, undo } = {}) => {
      if (own !== last.current) return
      last.current += 1
      setNotice({ number: last.current, words, isBad, undo: undo ?? null })
    },
    begin: () => {
      last.current += 1
      setNotice(null)
      return last.current
    },
    dismiss: () => setNotice(null),
  }
}
