// Thoughts whose holders have fallen silent, and those that nobody has answered in time.
import type { AgentId } from '@treadle/contracts/ids'
import { mayKeepThought } from '../claim/thought-lease.ts'
import type { Store } from '../ports/store.ts'
import { giveBackThoughts, runOverdueThoughts, type ThoughtWorld } from '../work/thought.run.ts'

export interface ThoughtSweepWorld extends ThoughtWorld {
  readonly store: ThoughtWorld['store'] & Pick<Store, 'agents'>
  /** Halted by a pause: its clocks stand still until it goes on. */
  readonly isFrozen: (id: AgentId) => Promise<boolean>
}

const BATCH = 100

export async function runThoughtSweep(world: ThoughtSweepWorld): Promise<number> {
  const { store, config } = world
  const now = world.now().getTime()
  let freed = 0
  for (const { id, agentId, claimedAt } of await store.thoughts.claimed(BATCH)) {
    if (agentId === null || claimedAt === null) continue
    const holder = await store.agents.find(agentId)
    const heard = holder?.lastHeartbeatAt ?? null
    const mayKeep = mayKeepThought({
      now,
      claimedAt: Date.parse(claimedAt),
      lastHeartbeatAt: heard === null ? null : Date.parse(heard),
      silentMs: config().limits.unresponsiveMs,
    })
    if (mayKeep || holder?.frozenAt != null) continue
    freed += await giveBackThoughts(world, { agentId, id }, `${agentId} has fallen silent`)
  }
  return freed + (await runOverdueThoughts(world, world.isFrozen))
}
