// Answers that only one screen needs: asked for when it opens, and again when something has happened.
import type { Client } from '@treadle/contracts/client'
import { useEffect, useState } from 'react'
import type { Live } from './live.ts'
import { problemOf } from './request-end.ts'

export interface LiveAnswer<T> {
  /** The newest answer, which stays until there is a newer one; null before the first. */
  readonly answer: T | null
  readonly problem: string | null
}

/** `ask` is to stay the same as long as the question does; `again` is any value that changes when it is to be asked anew. */
export function useAnswer<T>(live: Live, ask: (client: Client) => Promise<T>, again: unknown): LiveAnswer<T> {
  const [answer, setAnswer] = useState<T | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of `again` means that it is asked anew
  useEffect(() => {
    let gone = false
    const asked = ask(live.client).then((given) => {
      if (!gone) setAnswer(given)
    })
    void problemOf(asked).then((why) => {
      if (!gone) setProblem(why)
    })
    return () => {
      gone = true
    }
  }, [live, ask, again])
  return { answer, problem }
}
