// Looks up what flow/idea/unattended.ts judges by, and remembers since when nobody can reply: with a new daemon, and
// agents that it has to start first, that time begins anew.
import type { WaitingFor } from '@treadle/contracts/idea'
import { isReviewer } from '@treadle/contracts/review'
import { isOpenThought, type Thought } from '@treadle/contracts/thought'
import { judgeUnattended } from '@treadle/flow/idea/unattended'
import { runGiveUpThought } from '@treadle/flow/work/thought.run'
import { isElsewhere } from '../crew/workspace-identity.ts'
import type { World } from '../world.ts'
import { thinking } from './thinking.ts'

/** Replies that are waited for at a time. */
const OPEN_MAX = 200

export type UnattendedSince = Map<string, number>

/** What a talk or a specification waits for; null: somebody is at it, or will be at once. */
export async function waitingFor(world: World, thought: Thought): Promise<WaitingFor | null> {
  const judged = await judge(world, thought)
  if (judged === null) return null
  // Rules have written a specification meanwhile, so whoever wants a model's may wait as long as they like.
  if (thought.kind !== 'idea_reply') return { ...judged, until: null }
  const since = world.unattendedSince.get(thought.id) ?? world.now().getTime()
  const until = new Date(since + world.config().ideas.unattendedMs).toISOString()
  return { ...judged, until: judged.reason === 'busy' ? null : until }
}

async function judge(world: World, thought: Thought) {
  const { store, workspace, cooldowns, budget } = world
  const agents = (await store.agents.list()).filter(
    (agent) => !isReviewer(agent.id) && !isElsewhere(agent, workspace),
  )
  const hold = budget.hold()
  const rest = cooldowns.list().find(({ engine }) => engine === thought.engine)
  return judgeUnattended({
    slug: thought.subject,
    thought,
    agents: agents.map(({ id, wanted, status, item }) => ({ id, wanted, status, busy: item !== null })),
    rest: rest === undefined ? null : { why: rest.why, until: new Date(rest.until).toISOString() },
    hold: hold.is === 'none' ? null : hold.why,
  })
}

/** Part of every sweep: a talk in which nobody can reply goes on as an interview. */
export async function sweepUnattended(world: World): Promise<void> {
  const { store, unattendedSince, config } = world
  const waiting = (await store.thoughts.list({ kind: 'idea_reply', limit: OPEN_MAX })).filter(isOpenThought)
  const now = world.now().getTime()
  const ids = new Set(waiting.map(({ id }) => id))
  for (const id of unattendedSince.keys()) if (!ids.has(id)) unattendedSince.delete(id)
  for (const thought of waiting) {
    const judged = await judge(world, thought)
    if (judged === null || judged.reason === 'busy') {
      unattendedSince.delete(thought.id)
      continue
    }
    const since = unattendedSince.get(thought.id) ?? now
    unattendedSince.set(thought.id, since)
    if (now - since < config().ideas.unattendedMs) continue
    await runGiveUpThought(thinking(world), thought.id, () => judged.words)
  }
}
