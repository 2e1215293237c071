// An agent was given up: what it had in hand, and what is kept for it, goes to those that run.
import type { AgentId } from '@treadle/contracts/ids'
import { type Item, ItemState } from '@treadle/contracts/item'
import { isHeld, isQueued } from '../../flow.ts'
import type { FactJob } from '../../ports/jobs.ts'
import { loadOf } from '../agent-load.ts'
import { PM, type PmWorld } from './pm-world.ts'
import { placeOf, recordDecision } from './record.run.ts'
import { type Assignment, redistribute } from './redistribute.ts'
import { refOf } from './stuck.run.ts'

/** More than a crew has in hand, and enough of a queue to find what was let go of a moment ago. */
const ITEMS_MAX = 500
const OPEN_STATES = ItemState.options.filter((state) => isHeld(state) || isQueued(state))

export function runRedistribute(world: PmWorld, job: FactJob, failed: AgentId): Promise<void> {
  const { store } = world
  return store.tx(async () => {
    const row = await store.agents.find(failed)
    // It was told to start again meanwhile, and has its work back.
    if (row === null || row.status !== 'failed' || world.isElsewhere(row)) return
    const open = await store.items.inStates(OPEN_STATES, ITEMS_MAX)
    const tasks: Item[] = []
    for (const item of open) if (await wasOf(world, failed, item)) tasks.push(item)
    if (tasks.length === 0) return
    const rows = (await store.agents.list()).filter((each) => !world.isElsewhere(each))
    const agents = rows.map((each) => ({ ...each, load: loadOf(each.id, open) }))
    const assignments = redistribute(failed, tasks, agents)
    const isNew = await recordDecision(world, { job, about: null }, decisionOf(failed, tasks, assignments))
    if (isNew) for (const assignment of assignments) await assign(world, job, assignment)
  })
}

/** In its hands, kept for it, or let go by its end and taken up by nobody since. */
async function wasOf({ store }: PmWorld, failed: AgentId, item: Item): Promise<boolean> {
  if (item.claimedByAgentId !== null) return item.claimedByAgentId === failed
  if (item.assignedAgentId !== null) return item.assignedAgentId === failed
  if (item.runId === null) return false
  const run = await store.runs.find(item.runId)
  if (run?.agentId !== failed) return false
  const [last] = await store.events.ofItem(refOf(item), 1, [
    'claim.released',
    'claim.expired',
    'item.assigned',
  ])
  return last?.event.type === 'claim.released' && last.agentId === failed && last.runId === item.runId
}

function decisionOf(failed: AgentId, tasks: readonly Item[], assignments: readonly Assignment[]) {
  const facts = { agent: failed, tasks: tasks.length, assigned: assignments.length }
  const rest = { target: failed, followUp: null, checkAgainMs: null, options: [], facts }
  const many = tasks.length === 1 ? '1 task' : `${tasks.length} tasks`
  if (assignments.length > 0)
    return { ...rest, action: 'REASSIGN', reason: `${failed} was given up with ${many}` } as const
  const wait = tasks.length === 1 ? `${many} waits` : `${many} wait`
  const reason = `${failed} was given up, and no other agent runs: ${wait} in the queue`
  return { ...rest, action: 'LEAVE', reason } as const
}

async function assign(world: PmWorld, job: FactJob, { task, from, to, load }: Assignment): Promise<void> {
  const name = `${task.projectNumber}.${task.number}`
  const moved = await world.advance({
    item: task,
    eventId: `assign:${job.eventId}:${name}`.slice(0, 128),
    fence: null,
    agentId: from,
    move: { type: 'item.assigned', by: PM, to },
  })
  if (moved.is !== 'advanced') return
  await world.store.events.append({
    ...placeOf(job),
    item: task,
    id: `assigned:${job.eventId}:${name}`.slice(0, 128),
    at: world.now(),
    event: { type: 'work.assigned', task: `${task.projectNumber}/${task.number}`, from, to, load },
  })
}
