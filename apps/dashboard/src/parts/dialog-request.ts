// A request from inside a dialog: its refusal is said there, because the page behind it is out of reach.
import type { Client } from '@treadle/contracts/client'
import { useState } from 'react'
import type { Live } from '../live/live.ts'
import { requestEnd, UNKNOWN } from '../live/request-end.ts'

export interface DialogRequest {
  readonly busy: boolean
  readonly problem: string | null
  /** False if no answer came, which the problem says; it may have been done. */
  readonly known: boolean
  /** Resolves to false if it was refused, or if one is under way already. */
  try(work: (client: Client) => Promise<unknown>): Promise<boolean>
}

export function useDialogRequest(live: Live): DialogRequest {
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
      const { problem: why, known: isKnown } = await requestEnd(work(live.client))
      await live.refresh()
      setBusy(false)
      setKnown(isKnown)
      setProblem(isKnown ? why : `${UNKNOWN} ${why}`)
      return why === null
    },
  }
}
