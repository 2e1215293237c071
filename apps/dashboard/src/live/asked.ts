// What one screen needs and others do not: asked for when the screen opens, and again when something has happened.
import type { Client } from '@treadle/contracts/client'
import { useEffect, useState } from 'react'
import { problemOf } from '../parts/acting.tsx'
import type { Live } from './live.ts'

export interface Asked<T> {
  /** Null: not answered yet. What was answered before stays until there is something newer. */
  readonly answer: T | null
  readonly problem: string | null
}

/** `ask` is to stay the same as long as the question does; `again` is any value that changes when it is to be asked anew. */
export function useAsked<T>(live: Live, ask: (client: Client) => Promise<T>, again: unknown): Asked<T> {
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
