// What an order will hit: in words for whoever confirms it, and as a key that tells whether it has changed since.
import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { ItemState } from '@treadle/contracts/item'
import { type Impact, type Order, PHASE_FLAGS, type PurgedItem } from '@treadle/contracts/order'
import { isReviewer } from '@treadle/contracts/review'
import { duration } from '@treadle/contracts/words/time'
import { judgeStuck } from './stuck.ts'

export interface AgentOrderFacts {
  readonly id: AgentId
  readonly status: AgentStatus
  readonly wanted: AgentWanted
  readonly alive: boolean
  readonly item: ItemRef | null
}
export interface HeldFacts extends ItemRef {
  readonly state: ItemState
  readonly claimedByAgentId: AgentId | null
  readonly claimedAt: string | null
  readonly fence: number
}
export interface OrderFacts {
  readonly now: number
  readonly claimMs: number
  readonly agents: readonly AgentOrderFacts[]
  readonly held: readonly HeldFacts[]
  readonly queued: readonly PurgedItem[]
  /** The one item that the order is about. */
  readonly item: HeldFacts | null
  /** What the purge in question took out. */
  readonly purged: readonly PurgedItem[]
}
export interface KeyedImpact {
  readonly impact: Impact
  /** The same as long as a yes that was given to the impact still covers it. */
  readonly key: string
}

/** Stopped agents without a process are not touched by any order to the crew. */
export function isActive({ alive, wanted }: AgentOrderFacts): boolean {
  return alive || wanted !== 'stopped'
}

export function stuckOf({ held, agents, now, claimMs }: OrderFacts) {
  return held.flatMap((item) => {
    const agent = agents.find(({ id }) => id === item.claimedByAgentId)
    const claimedAt = item.claimedAt === null ? now : Date.parse(item.claimedAt)
    const choice = judgeStuck({ now, claimedAt, claimMs, holder: agent ?? null })
    return choice.is === 'stuck' ? [{ item, because: choice.because, heldMs: now - claimedAt }] : []
  })
}

export function impactOf(order: Order, facts: OrderFacts): KeyedImpact {
  switch (order.is) {
    case 'emergency_stop':
      return withOthers(
        crewWide(facts, {
          verb: 'stop',
          rest: 'They are killed at once, what they have in hand goes back to the queue, and their work is kept',
        }),
        facts,
      )
    case 'stop_all':
      return withoutOthers(
        crewWide(facts, {
          verb: 'stop',
          rest: 'They end as soon as their work is safe, and what they have in hand goes back to the queue',
        }),
        facts,
      )
    case 'pause_all':
      return crewWide(
        { ...facts, agents: facts.agents.filter(({ wanted }) => wanted === 'running') },
        { verb: 'pause', rest: 'Nothing new is claimed until they are resumed' },
      )
    case 'resume_all':
      return crewWide(
        { ...facts, agents: facts.agents.filter(({ wanted }) => wanted === 'paused') },
        { verb: 'resume', rest: 'They claim work again' },
      )
    case 'reassign':
      return impactOfReassign(order, facts)
    case 'reset':
      return impactOfReset(order.agentId, facts)
    case 'recover':
      return impactOfRecover(facts)
    case 'purge':
      return impactOfPurge(facts)
    case 'undo_purge':
      return itemsOnly(
        facts.purged,
        facts.purged.length === 0
          ? 'There is no purge to undo'
          : `This will put ${count(facts.purged.length, 'item')} back in the queue: ${labels(facts.purged)}`,
      )
    case 'rollback': {
      const stop = crewWide(facts, {
        verb: 'stop',
        rest: 'They end as soon as their work is safe; session files and the audit log stay as they are',
      })
      const flag = `flags.${PHASE_FLAGS[order.phase]}`
      const set = `This will set ${flag} to false in treadle.json.`
      return { impact: withWords(stop.impact, (words) => `${set} ${words}`), key: `${flag} ${stop.key}` }
    }
  }
}

function crewWide(facts: OrderFacts, words: { verb: string; rest: string }): KeyedImpact {
  const agents = facts.agents.filter(isActive)
  const items = agents.flatMap(({ item }) => (item === null ? [] : [item]))
  // Which item an agent is at changes by the minute; that it is hit does not.
  const key = agents.map(({ id }) => id).join()
  const shown = agents.map(({ id, status, item }) => ({ id, status, item }))
  if (agents.length === 0)
    return { impact: { text: `No agent is there to ${words.verb}`, agents: [], items: [] }, key }
  const at =
    items.length === 0
      ? ''
      : ` working on ${items.length === 1 ? 'project' : 'projects'} ${items.map(label).join(', ')}`
  const each = agents.map(({ id, item }) => (item === null ? id : `${id} (${label(item)})`))
  const what = `This will ${words.verb} ${count(agents.length, 'active agent')}${at}`
  const text = `${what}: ${each.join(', ')}. ${words.rest}`
  return { impact: { text, brief: `${what}. ${words.rest}`, agents: shown, items }, key }
}

function withWords(impact: Impact, change: (words: string) => string): Impact {
  const { text, brief } = impact
  return { ...impact, text: change(text), ...(brief === undefined ? {} : { brief: change(brief) }) }
}

/** What somebody holds who has no process here. */
function heldByOthers(
  { impact }: KeyedImpact,
  { held }: OrderFacts,
): { others: HeldFacts[]; each: string[] } {
  const others = held.filter(
    ({ projectNumber, number }) =>
      !impact.items.some((item) => item.projectNumber === projectNumber && item.number === number),
  )
  return { others, each: others.map((item) => `${label(item)} (${item.claimedByAgentId})`) }
}

/** Nobody can be asked to end in good order who is not there; whoever thinks that all is at rest must know it. */
function withoutOthers(weighed: KeyedImpact, facts: OrderFacts): KeyedImpact {
  const { others, each } = heldByOthers(weighed, facts)
  if (others.length === 0) return weighed
  const more = `${count(others.length, 'claim')} of others without a process here ${others.length === 1 ? 'stays' : 'stay'}: ${each.join(', ')}`
  return { ...weighed, impact: withWords(weighed.impact, (words) => `${words}. ${more}`) }
}

/** What is held by somebody who has no process here goes back to the queue too. */
function withOthers(weighed: KeyedImpact, facts: OrderFacts): KeyedImpact {
  const { impact, key } = weighed
  const { others, each } = heldByOthers(weighed, facts)
  if (others.length === 0) return weighed
  const items = others.map(({ projectNumber, number }) => ({ projectNumber, number }))
  return {
    impact: {
      ...withWords(
        impact,
        (words) => `${words}. ${count(others.length, 'claim')} of others too: ${each.join(', ')}`,
      ),
      items: [...impact.items, ...items],
    },
    key,
  }
}

function impactOfReassign({ item, to }: Extract<Order, { is: 'reassign' }>, facts: OrderFacts): KeyedImpact {
  const from = facts.item?.claimedByAgentId ?? null
  const agents = facts.agents.filter(({ id }) => id === from || id === to)
  const target = facts.agents.find(({ id }) => id === to)
  const waits = to === null || (target !== undefined && isActive(target))
  const alone = from !== null && to === null && !hasOthers(facts.agents, from)
  return {
    impact: {
      text: `${reassignWords(label(item), from, to)}${waits ? '' : `. ${to} is not running, so anybody may take it`}${alone ? `. ${aloneWords(from)}` : ''}`,
      agents: agents.map(({ id, status, item: at }) => ({ id, status, item: at })),
      items: [item],
    },
    key: `${item.projectNumber}.${item.number} ${facts.item?.fence} ${from} ${to}`,
  }
}

/** Is somebody else there to take what was taken from this agent? */
export function hasOthers(
  agents: readonly Pick<AgentOrderFacts, 'id' | 'wanted' | 'status'>[],
  from: AgentId,
): boolean {
  const builders = agents.filter(({ id }) => id !== from && !isReviewer(id))
  return builders.some(({ wanted, status }) => wanted === 'running' && status !== 'failed')
}

export function aloneWords(from: AgentId): string {
  return `No other agent is running, so ${from} may take it again`
}

function reassignWords(item: string, from: AgentId | null, to: AgentId | null): string {
  if (from === null)
    return to === null ? `This will leave ${item} to anybody` : `This will keep ${item} for ${to}`
  const next = to === null ? 'put it back in the queue for the others' : `give it to ${to}`
  return `This will take ${item} from ${from} and ${next}; what was done so far is kept`
}

function impactOfReset(agentId: AgentId, { agents }: OrderFacts): KeyedImpact {
  const agent = agents.find(({ id }) => id === agentId)
  const item = agent?.item ?? null
  const active = agent !== undefined && isActive(agent)
  const steps = [
    ...(active ? [`stop ${agentId}${item === null ? '' : ` working on project ${label(item)}`}`] : []),
    `reset the session file of ${agentId}`,
    'count its tasks and errors from zero',
    ...(active ? ['start it from idle'] : []),
  ]
  const last = steps.pop() ?? ''
  const text = `This will ${steps.join(', ')} and ${last}. Costs and the audit log stay`
  const shown = agent === undefined ? [] : [{ id: agent.id, status: agent.status, item }]
  const key = `${agentId} ${active} ${item === null ? '' : `${item.projectNumber}.${item.number}`}`
  return { impact: { text, agents: shown, items: item === null ? [] : [item] }, key }
}

function impactOfRecover(facts: OrderFacts): KeyedImpact {
  const stuck = stuckOf(facts)
  const items = stuck.map(({ item }) => ({ projectNumber: item.projectNumber, number: item.number }))
  const each = stuck.map(({ item, because, heldMs }) =>
    because === 'old'
      ? `${label(item)} (held by ${item.claimedByAgentId} for ${duration(heldMs)})`
      : `${label(item)} (${item.claimedByAgentId} is gone)`,
  )
  const text =
    stuck.length === 0
      ? 'No claim is stuck'
      : `This will release ${count(stuck.length, 'claim')} and return the items to the backlog: ${each.join(', ')}`
  const holders = facts.agents.filter(({ id }) => stuck.some(({ item }) => item.claimedByAgentId === id))
  return {
    impact: { text, agents: holders.map(({ id, status, item }) => ({ id, status, item })), items },
    key: stuck.map(({ item }) => `${item.projectNumber}.${item.number}:${item.fence}`).join(),
  }
}

function impactOfPurge({ queued }: OrderFacts): KeyedImpact {
  return itemsOnly(
    queued,
    queued.length === 0
      ? 'The queue is empty'
      : `This will withdraw ${count(queued.length, 'item')} from the queue: ${labels(queued)}. Nothing is closed elsewhere, and it can be undone`,
  )
}

function itemsOnly(all: readonly PurgedItem[], text: string): KeyedImpact {
  const items = all.map(({ projectNumber, number }) => ({ projectNumber, number }))
  const key = items.map(({ projectNumber, number }) => `${projectNumber}.${number}`).join()
  return { impact: { text, agents: [], items }, key }
}

const SHOWN_MAX = 20

function labels(items: readonly ItemRef[]): string {
  const shown = items.slice(0, SHOWN_MAX).map(label).join(', ')
  return items.length > SHOWN_MAX ? `${shown} and ${items.length - SHOWN_MAX} more` : shown
}

function label({ number }: ItemRef): string {
  return `#${number}`
}

function count(many: number, noun: string): string {
  return `${many} ${noun}${many === 1 ? '' : 's'}`
}
