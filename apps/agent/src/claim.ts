// Claims what was offered. A lost answer is asked for again under the same request id, so it cannot become a second claim.
import { randomUUID } from 'node:crypto'
import { ApiError } from '@treadle/contracts/client'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import { type Home, isAway } from './home.ts'
import type { Held } from './work.ts'

const BACKOFF_MS = [1_000, 2_000, 4_000]

export interface Claimer {
  readonly id: AgentId
  readonly home: Home
  readonly clock: Clock
  readonly log: (message: string) => void
}

/** Null: somebody else has it, or the daemon stayed away; there will be another offer. */
export async function claim(claimer: Claimer, item: ItemRef, signal: AbortSignal): Promise<Held | null> {
  const { id, home, clock, log } = claimer
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const body = { agentId: id, requestId: randomUUID() }
  for (let tries = 0; ; tries += 1) {
    try {
      return { ...(await home.client().claimItem({ params, body })), resumed: false }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null
      const wait = BACKOFF_MS[tries]
      if (!isAway(error) || wait === undefined || signal.aborted) {
        log(`claim of #${item.number}: ${messageOf(error)}`)
        return null
      }
      await clock.sleep(wait, signal).catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown
      })
      if (signal.aborted) return null
    }
  }
}
