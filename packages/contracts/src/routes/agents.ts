// The crew.
import { z } from 'zod'
import { Agent, CrewHealth, Heartbeat } from '../agent.ts'
import { AgentId, ItemRef, RunId } from '../ids.ts'
import { Item } from '../item.ts'
import { agentPath, by, page, route, waitMs } from '../route.ts'
import { Run } from '../run.ts'
import { Thought } from '../thought.ts'

/** What an agent may do next: go on with what it holds, think about something, claim something, or wait. */
export const Offer = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('resume'), item: Item, run: Run, fence: z.int() }),
  z.strictObject({ is: z.literal('think'), thought: Thought }),
  z.strictObject({ is: z.literal('claim'), item: ItemRef }),
  z.strictObject({ is: z.literal('wait'), why: z.string(), pollMs: z.int() }),
  z.strictObject({ is: z.literal('stop'), why: z.string() }),
])
export type Offer = z.infer<typeof Offer>

/** `now` pauses at once, in the middle of a phase, instead of at its end. */
const orderBody = by.extend({ now: z.boolean().default(false) })

export const agentRoutes = {
  listAgents: route({
    method: 'GET',
    path: '/api/agents',
    key: 'crew',
    summary: 'The crew',
    response: page(Agent),
  }),
  startAgents: route({
    method: 'POST',
    path: '/api/agents',
    key: 'owner',
    summary: 'Have this many agents running',
    body: by.extend({ count: z.int().min(0).max(10) }),
    response: page(Agent),
  }),
  nextForAgent: route({
    method: 'GET',
    path: '/api/agents/:id/next',
    key: 'crew',
    summary: 'What this agent may do next; with waitMs, as soon as there is something',
    params: agentPath,
    query: z.strictObject({ waitMs }),
    response: Offer,
  }),
  heartbeat: route({
    method: 'POST',
    path: '/api/agents/:id/heartbeat',
    key: 'crew',
    summary: 'Sign of life',
    params: agentPath,
    body: Heartbeat,
    response: z.strictObject({
      wanted: z.enum(['running', 'paused', 'stopped']),
      /** The run that this agent holds a claim for, as the daemon sees it. */
      runId: RunId.nullable(),
    }),
  }),
  crewHealth: route({
    method: 'GET',
    path: '/api/agents/health',
    key: 'crew',
    summary: 'How well everyone is, judged from their heartbeats',
    response: CrewHealth,
  }),
  heartbeats: route({
    method: 'GET',
    path: '/api/agents/:id/heartbeats',
    key: 'crew',
    summary: 'The last ten heartbeats of one agent, newest first',
    params: agentPath,
    response: page(Heartbeat),
  }),
  wantAgent: route({
    method: 'POST',
    path: '/api/agents/:id/:order',
    key: 'owner',
    summary: 'Start, stop, pause, resume or restart one agent; the same again changes nothing',
    params: z.strictObject({ id: AgentId, order: z.enum(['start', 'stop', 'pause', 'resume', 'restart']) }),
    body: orderBody,
    response: Agent,
  }),
} as const
