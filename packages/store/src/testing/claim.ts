// A claim as the flow makes it, for tests that need one and no more.
import { randomUUID } from 'node:crypto'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { ClaimFound } from '@treadle/flow/ports/claims'
import type { OpenStore } from '../connect.ts'

export interface ClaimGiven {
  readonly ref: ItemRef
  readonly agentId: AgentId
  readonly at: Date
  readonly requestId?: EventId | null
  readonly runId?: RunId
}
type Taken = { readonly is: 'taken'; readonly fence: number } | Exclude<ClaimFound, { is: 'free' }>

/** The state stays what it was: that is the flow's to change. */
export async function claimFor({ claims }: OpenStore, given: ClaimGiven): Promise<Taken> {
  const { ref, agentId, at, requestId = null, runId = randomUUID() } = given
  for (let tries = 0; tries < 5; tries += 1) {
    const found = await claims.look(ref, { agentId, requestId })
    if (found.is !== 'free') return found
    const fence = found.item.fence + 1
    const event = { type: 'claim.taken', agentId, runId } as const
    const taken = await claims.take({
      changes: found.item,
      version: found.version,
      requestId,
      run: { id: runId, item: ref, agentId, fence, at },
      event: { id: `claim:${runId}`, event },
    })
    if (taken) return { is: 'taken', fence }
  }
  throw new Error('overtaken too often')
}
