import type { Agent } from '@treadle/contracts/agent'
import type { Answer } from '@treadle/contracts/client'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isReviewer } from '@treadle/contracts/review'
import type { agentRoutes } from '@treadle/contracts/routes/agents'
import type { Thought } from '@treadle/contracts/thought'
import { usd } from '@treadle/contracts/words/money'
import { type Cooldown, cooldownWords } from '@treadle/flow/claim/cooldown'
import { decideNext, type NextChoice } from '@treadle/flow/next'
import type { AgentRow } from '@treadle/flow/ports/agents'
import { capacityFor } from '@treadle/flow/supervise/crew-size'
import { reviewerIn } from '@treadle/flow/work/approval'
import { tidyWorktrees } from '../crew/left-worktrees.ts'
import { findAgent } from '../crew/processes.ts'
import { lookFirst } from '../jobs/look.ts'
import { filesTaken } from '../offers/files.ts'
import { claimHolds } from '../offers/holds.ts'
import { keptFor, passesOver } from '../offers/pass-over.ts'
import { openThoughtFor, thoughtFor } from '../offers/thoughts.ts'
import { audited } from '../orders/audit.ts'
import type { World } from '../world.ts'
import type { HandlersOf, RequestOf } from './handler.ts'
import { ProblemError } from './problem.ts'

const SOON_MS = 100
/** How far to look past what was taken from the agent that asks. */
const AHEAD = 10

export const agentHandlers = {
  listAgents(world) {
    return crew(world)
  },

  async startAgents(world, { body }) {
    const words = `${body.count} ${body.count === 1 ? 'agent' : 'agents'}`
    const given = {
      order: 'start_agents',
      by: body.by,
      target: words,
      impact: `have ${words} running`,
    } as const
    await audited(
      world,
      given,
      () => world.crew.want(body.count),
      () => `${words} wanted`,
    )
    // Of those who left, and whom an earlier daemon had left behind.
    await tidyWorktrees(world)
    return crew(world)
  },

  async nextForAgent(world, { params, query, hungUp }) {
    const gone = hungUp()
    const { waitList, stopping } = world
    const until = performance.now() + query.waitMs
    // Entered before the first look, so that what happens after it is heard.
    const entry = query.waitMs === 0 ? null : waitList.enterAgent(params.id)
    try {
      for (;;) {
        const { agent, choice } = await choose(world, params.id, entry !== null)
        if (choice.is === 'resume') return await resume(world, agent)
        if (choice.is !== 'wait' || entry === null || stopping.aborted || gone.aborted) return choice
        const leftMs = until - performance.now()
        // Told at once; it may not have heard yet what is wanted of it, and is not to ask in a loop.
        if (agent.wanted !== 'running' && !isOrphaned(world, agent))
          return { ...choice, pollMs: Math.min(choice.pollMs, SOON_MS) }
        // The waiting was done here; the agent may ask again at once.
        if (leftMs <= 0) return { ...choice, pollMs: 0 }
        await entry.called(leftMs, gone)
      }
    } finally {
      entry?.leave()
    }
  },

  async heartbeat(world, { params, body }) {
    if (body.agentId !== params.id) {
      throw new ProblemError(400, {
        code: 'bad_request',
        message: `body.agentId: ${body.agentId} is not ${params.id}`,
        hint: 'An agent speaks for itself only.',
      })
    }
    return world.crew.heard(body)
  },

  crewHealth(world) {
    return world.crew.health()
  },

  async heartbeats(world, { params }) {
    return { items: await world.store.agents.beats(params.id) }
  },

  wantAgent(world, { params, body }) {
    const { id, order } = params
    const impact = `${order} ${id}${body.now ? ' at once' : ''}`
    return audited(
      world,
      { order, by: body.by, target: id, impact },
      () => follow(world, { params, body }),
      ({ wanted, status }) => `${id}: wanted ${wanted}, ${status}`,
    )
  },
} satisfies HandlersOf<typeof agentRoutes>

async function choose(
  world: World,
  id: AgentId,
  waits: boolean,
): Promise<{ agent: AgentRow; choice: NextChoice<Thought> }> {
  const { store, waitList, now, config } = world
  const agent = await store.agents.ensure(id, now())
  const holds = await claimHolds(world, id)
  // Its name is another daemon's by now, and with it all that is done under that name.
  const elsewhere = world.crew.isElsewhere(agent)
  const idle = agent.item === null && agent.wanted === 'running' && !elsewhere
  // Whoever judges what others built builds nothing.
  const mayBuild = idle && holds.length === 0 && !isReviewer(id)
  const thought = await toThink(world, id, { idle, mayBuild })
  const free = mayBuild && thought === null
  const picked = free ? await waitList.pick(id, now().getTime()) : null
  // Who does not wait is not sent away because of an offer that may come to nothing.
  const first = free && picked === null && !waits ? await firstFor(world, id) : undefined
  const covered = first === undefined || (world.budget.affordable()?.(first) ?? true)
  const any =
    first === undefined || !covered ? null : { projectNumber: first.projectNumber, number: first.number }
  if (free && picked === null && any === null)
    holds.push(...(await tooDear(world)), ...world.cooldowns.list().map(cooldownWords))
  const { pollMs } = config().limits
  return {
    agent,
    choice: decideNext({
      wanted: elsewhere ? 'stopped' : agent.wanted,
      orphaned: !elsewhere && isOrphaned(world, agent),
      held: agent.item,
      thought,
      first: picked ?? any,
      holds,
      pollMs,
    }),
  }
}

/** What waits for a thought comes first, and so does a look for improvements where too little else would wait. */
async function toThink(
  world: World,
  id: AgentId,
  { idle, mayBuild }: { readonly idle: boolean; readonly mayBuild: boolean },
): Promise<Thought | null> {
  if (!idle) return null
  const waiting = await thoughtFor(world, id)
  if (waiting !== null || !mayBuild) return waiting
  return (await lookFirst(world, id)) ? openThoughtFor(world, id) : null
}

async function firstFor(world: World, id: AgentId): Promise<Item | undefined> {
  const { store } = world
  const queue = await store.items.queue(AHEAD, id)
  const files = await filesTaken(store, { queue, offered: [] }, world.now())
  for (const item of queue) {
    if (files.lockOn(item) !== null) continue
    if (cooldownFor(world, item) !== null || (await passesOver(store, item, id))) continue
    const engine = world.cooldowns.engineFor(item, world.config().engines)
    const holder = await keptFor(store, item, { now: world.now().getTime(), engine })
    if (holder === null || holder === id) return item
  }
  return undefined
}

function cooldownFor(world: World, item: Item): Cooldown | null {
  return world.cooldowns.for(item, world.config().engines)
}

/** Something waits and is passed over, because it will probably cost more than is left. */
async function tooDear(world: World): Promise<string[]> {
  const { store, budget } = world
  const covers = budget.affordable()
  const [first] = covers === null ? [] : await store.items.queue(1)
  if (covers === null || first === undefined || covers(first)) return []
  return [`the ${usd(budget.remainingUSD())} that are left will probably not cover #${first.number}`]
}

async function resume(world: World, agent: AgentRow): Promise<Answer<'nextForAgent'>> {
  const { items, runs } = world.store
  const held = await items.heldBy(agent.id)
  // It may have lost the item since it was looked at.
  if (held === null) return { is: 'wait', why: 'the claim has just ended', pollMs: 0 }
  const run = held.runId === null ? null : await runs.find(held.runId)
  if (run === null) throw new Error(`${agent.id} holds an item without a run`)
  return { is: 'resume', item: held, run, fence: held.fence }
}

async function follow(
  world: World,
  { params, body }: Pick<RequestOf<'wantAgent'>, 'params' | 'body'>,
): Promise<Agent> {
  if (params.order === 'start') await checkCapacity(world, params.id)
  await world.crew.order(params.id, params.order, body)
  // Whoever was told of it and has acted sees at once whether that helped.
  world.health.soon()
  const row = await world.store.agents.find(params.id)
  if (row === null) {
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no ${params.id}.`,
      hint: 'treadle agent list shows the crew.',
    })
  }
  return world.crew.judged(row)
}

async function crew(world: World): Promise<Answer<'listAgents'>> {
  const rows = await world.store.agents.list()
  return { items: rows.map((row) => world.crew.judged(row)) }
}

/** A workspace has room for so many agents and no more. */
async function checkCapacity(world: World, id: AgentId): Promise<void> {
  const { config, store, crew } = world
  if (isReviewer(id)) return checkReviewer(world, id)
  const { agents: max, why } = capacityFor(config())
  const others = (await store.agents.list()).filter(
    (row) =>
      row.id !== id && agentNumber(row.id) !== null && row.wanted !== 'stopped' && !crew.isElsewhere(row),
  )
  if (others.length < max && (agentNumber(id) ?? Number.POSITIVE_INFINITY) <= config().limits.agents) return
  throw new ProblemError(409, {
    code: 'refused',
    message: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'Stop another one first: treadle agent stop <id>',
  })
}

function checkReviewer(world: World, id: AgentId): void {
  const reviewer = reviewerIn(world.config())
  if (reviewer.is === 'engine') return
  throw new ProblemError(409, {
    code: 'refused',
    message: `There is nothing for ${id} to do: ${reviewer.why}.`,
    hint: 'In treadle.json, set merge.approval to reviewer and engines.reviewer to an engine that reads.',
  })
}

/** A process of this workspace that nobody here has started. */
function isOrphaned(world: World, { id, wanted, startedAt }: AgentRow): boolean {
  const { locks, root } = world.paths
  return wanted === 'stopped' && startedAt === null && findAgent(locks, id, root) !== null
}
