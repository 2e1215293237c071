// The item whose loops are shown, and the state of each.
import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { MachineName } from '@treadle/contracts/machine'

/** The item to show: the one that was asked for, else one that is being worked on, else the one that moved last. */
export function latestOf(items: readonly Item[], chosen: ItemRef | null): Item | null {
  const asked = items.find(
    ({ projectNumber, number }) => projectNumber === chosen?.projectNumber && number === chosen.number,
  )
  const newest = items.toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt))
  return asked ?? newest.find(({ claimedByAgentId }) => claimedByAgentId !== null) ?? newest[0] ?? null
}

export function statesOf(
  item: Item | null,
  agents: readonly Agent[],
  goal: string | null,
): Record<MachineName, string | null> {
  const agent = agents.find(({ id }) => id === item?.claimedByAgentId) ?? null
  return { item: item?.state ?? null, run: agent?.runStatus ?? null, goal, agent: agent?.status ?? null }
}

/** The state of a goal: events are newest first, so the first that says so counts. */
export function goalStateIn(events: readonly StoredEvent[], runId: RunId | null): string | null {
  if (runId === null) return null
  for (const { runId: of, event } of events) if (of === runId && event.type === 'run.moved') return event.to
  return null
}
