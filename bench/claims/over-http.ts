// The same claims as agents make them: over HTTP, from a daemon of its own.
import { type Client, createClient } from '@treadle/contracts/client'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Daemon } from '../../scenarios/kit/daemon.ts'
import { addItem, path } from '../../scenarios/kit/hand-agent.ts'
import { CLAIMERS, type Driven, drive } from './drive.ts'

export async function timeHttp(daemon: Daemon, claims: number): Promise<Driven> {
  const clients: Client[] = Array.from({ length: CLAIMERS }, () => createClient(daemon))
  const refs: ItemRef[] = []
  for (let n = 0; n < claims; n += 1) refs.push(await addItem(daemon.client))
  return drive(claims, async (turn) => {
    const [client, ref] = [clients[turn % CLAIMERS], refs[turn]]
    if (client === undefined || ref === undefined) throw new Error('no client')
    await client.claimItem({ params: path(ref), body: { agentId: `agent-${(turn % CLAIMERS) + 1}` } })
  })
}
