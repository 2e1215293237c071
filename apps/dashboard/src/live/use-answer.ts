// Answers that only one screen needs: asked for when it opens, and again when something has happened.
import type { Client } from '@treadle/contracts/client'
import { useEffect, useRef, useState } from 'react'
import type { Live } from './live.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { problemOf } from './request-end.ts'

export interface LiveAnswer<T> {
  /** The newest answer, which stays until there is a newer one; null before the first. */
  readonly answer: T | null
  readonly problem: string | null
}

const nothing = (): void => undefined

/**
 * `ask` is to stay the same as long as the question does; `again` is any value that changes when it is to be asked anew.
 * One question is under way at a time, and its answer is taken: while much happens, a late answer is better than none.
 */
export function useAnswer<T>(live: Live, ask: (client: Client) => Promise<T>, again: unknown): LiveAnswer<T> {
  const [answer, setAnswer] = useState<T | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const asking = useRef(nothing)
  useEffect(() => {
    let gone = false
    asking.current = oneAtATime(async () => {
      if (gone) return
      const why = await problemOf(ask(live.client).then((given) => gone || setAnswer(given)))
      if (!gone) setProblem(why)
    })
    return () => {
      gone = true
    }
  }, [live, ask])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of `again` means that it is asked anew
  useEffect(() => asking.current(), [live, ask, again])
  return { answer, problem }
}
