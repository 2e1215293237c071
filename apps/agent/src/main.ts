// One agent: asks for work, does it in its own worktree, reports, asks again. node main.ts --workspace DIR --id agent-1
// The reviewer is started in the same way, and is offered nothing but deliveries to judge: --id review-agent
import { parseArgs } from 'node:util'
import { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isReviewer } from '@treadle/contracts/review'
import type { Offer } from '@treadle/contracts/routes/agents'
import { workspacePaths } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import { claim } from './claim.ts'
import { type Agent, openAgent } from './compose.ts'
import { complain } from './end.ts'
import { readEnv } from './env.ts'
import { findHome, type Home, isAway } from './home.ts'
import type { Held } from './work.ts'
import { clearWorktrees } from './worktrees.ts'

const ASK_AGAIN_MS = 1_000
/** How long the daemon may hold a question; less than the client's patience. */
const WAIT_MS = 15_000
/** A reviewer with nothing to read asks once a minute. */
const REVIEWER_WAIT_MS = 60_000
const REVIEWER_PATIENCE_MS = REVIEWER_WAIT_MS + 15_000

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { workspace: { type: 'string' }, id: { type: 'string' } } })
  if (values.workspace === undefined || values.id === undefined)
    throw new Fault('usage', 'agent: --workspace DIR --id agent-N')
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => ending.abort(new Fault('stopped', signal)))
  const agent = await openAgent(workspacePaths(values.workspace), AgentId.parse(values.id), {
    env: readEnv(),
    signal: ending.signal,
  })
  const crash = (error: unknown) => agent.crash(error).finally(() => complain(error))
  process.on('uncaughtException', (error) => void crash(error))
  // The supervisor's nudge, and the end of a halt: what is wanted may have changed.
  process.on('SIGCONT', () => agent.heartbeats.change({}))
  try {
    await turn(agent, ending.signal)
  } catch (error) {
    if (!ending.signal.aborted) return crash(error)
    agent.log(messageOf(error))
  }
  await agent.close()
}

async function turn(agent: Agent, signal: AbortSignal): Promise<void> {
  // What a predecessor wrote down is told before anything new is asked; the daemon then knows where the work stands.
  await agent.drain(signal)
  await (await import('./think/think.ts')).tellLeft(agent, signal)
  const asking = isReviewer(agent.id)
    ? { home: findHome(agent.paths, REVIEWER_PATIENCE_MS), waitMs: REVIEWER_WAIT_MS }
    : { home: agent.home, waitMs: WAIT_MS }
  let first = true
  while (!signal.aborted) {
    await agent.gate.checkpoint(signal)
    // The first question is hardly held: what a predecessor left is cleared away before the waiting.
    const offer = await ask(agent, first ? { ...asking, waitMs: 1 } : asking, signal)
    if (offer === null) continue
    if (first) await clear(agent, offer.is === 'resume' ? offer.item : null)
    first = false
    if (offer.is === 'stop') return
    await take(agent, offer, signal)
  }
}

async function take(agent: Agent, offer: Exclude<Offer, { is: 'stop' }>, signal: AbortSignal): Promise<void> {
  switch (offer.is) {
    case 'wait':
      agent.heartbeats.rest()
      return pause(agent, offer.pollMs, signal)
    case 'resume':
      return work(agent, { ...offer, resumed: true }, signal)
    case 'think':
      return (await import('./think/think.ts')).think(agent, offer.thought, signal)
    case 'claim': {
      const held = await claim(agent, offer.item, signal)
      if (held !== null) await work(agent, held, signal)
    }
  }
}

/** Ends early when the agent is told to stop; whoever called looks at the signal next. */
async function pause(agent: Agent, ms: number, signal: AbortSignal): Promise<void> {
  await agent.clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/** A pause ends the waiting; it is taken at the next checkpoint. */
async function ask(
  agent: Agent,
  { home, waitMs }: { readonly home: Home; readonly waitMs: number },
  signal: AbortSignal,
): Promise<Offer | null> {
  const { pausing } = agent.gate
  try {
    return await home.client().nextForAgent({
      params: { id: agent.id },
      query: { waitMs },
      signal: AbortSignal.any([signal, pausing]),
    })
  } catch (error) {
    if (pausing.aborted) return null
    if (!isAway(error)) agent.log(`next: ${messageOf(error)}`)
    await pause(agent, ASK_AGAIN_MS, signal)
    return null
  }
}

function clear(agent: Agent, keep: Item | null): Promise<void> {
  const { id, paths } = agent
  return clearWorktrees({ id, paths, git: async () => (await agent.tools()).git }, keep)
}

async function work(agent: Agent, held: Held, signal: AbortSignal): Promise<void> {
  const lost = agent.watchClaim(held.run.id)
  await agent.refresh()
  agent.heartbeats.change({
    status: 'working',
    currentProjectNumber: held.item.number,
    currentTaskDescription: held.item.title,
  })
  const { isDelivered, workingCopyOf, workOn } = await import('./work.ts')
  const tools = await agent.tools({
    item: held.item,
    run: held.run,
    guidanceChannel: await agent.listenTo(held),
  })
  const workingCopy = workingCopyOf(tools, held.item)
  const worked = await workOn(tools, held, {
    workingCopy,
    signal: AbortSignal.any([signal, lost]),
    checkpoint: () => agent.gate.checkpoint(AbortSignal.any([signal, lost])),
    afterDelivery: async (item) => {
      const { mapTests } = await import('./map-tests.ts')
      const ending = AbortSignal.any([signal, agent.gate.pausing])
      return mapTests(tools, { item, worktree: workingCopy.worktree, signal: ending })
    },
  })
  if (worked.is === 'ended') await agent.drain(signal)
  else agent.log(`#${held.item.number}: ${worked.why}`)
  // What was in hand stays in the session file: whoever starts this agent again goes on with it.
  if (worked.is === 'lost' && signal.aborted) return
  const delivered = worked.is === 'ended' && isDelivered(worked.item)
  agent.heartbeats.change({
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    currentTaskDescription: null,
    ...(delivered
      ? { tasksCompleted: agent.heartbeats.tasksCompleted + 1 }
      : {
          errorCount: agent.heartbeats.errorCount + 1,
          lastError: worked.is === 'ended' ? worked.item.reason : worked.why,
        }),
  })
  if (lost.aborted && !signal.aborted) await clear(agent, null)
}

main().then(() => process.exit(0), complain)
