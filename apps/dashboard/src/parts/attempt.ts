// Something tried from inside a dialog: a refusal is said there, because the rest of the page is out of reach behind it.
import type { Client } from '@treadle/contracts/client'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { endOf, UNKNOWN } from './acting.tsx'

export interface Attempt {
  readonly busy: boolean
  readonly problem: string | null
  /** False: no answer came, which the problem says; it may have been done. */
  readonly known: boolean
  /** False: it was refused, or one is under way already. */
  try(work: (client: Client) => Promise<unknown>): Promise<boolean>
}

export function useAttempt(live: Live): Attempt {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [known, setKnown] = useState(true)
  return {
    busy,
    problem,
    known,
    try: async (work) => {
      if (busy) return false
      setBusy(true)
      const { problem: why, known: isKnown } = await endOf(work(live.client))
      await live.refresh()
      setBusy(false)
      setKnown(isKnown)
      setProblem(isKnown ? why : `${UNKNOWN} ${why}`)
      return why === null
    },
  }
}
