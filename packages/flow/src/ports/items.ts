// Items as rows: the queue, the board, and what advance() saves.
import type { BuildId } from '@treadle/contracts/build'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemPlan, ItemState, ItemStatus, NewItem, Reverts } from '@treadle/contracts/item'

export interface BoardItems {
  readonly items: Item[]
  /** How many of each kind there are beside these. */
  readonly leftOut: { readonly open: number; readonly ended: number }
}

/**
 * A new item; the system itself adds those that take a merge back, and those of a build, with the owner of their files
 * where that is not the crew.
 */
export type AddedItem = NewItem & {
  readonly reverts?: Reverts
  readonly build?: BuildId
  readonly owner?: string | null
}

/** What an item has to do with others of its project. */
export interface PlanLinks extends Pick<ItemPlan, 'parent' | 'dependsOn'> {
  readonly number: number
  readonly state: ItemState
  readonly priority: number | null
  readonly rank: number
}

export interface Items {
  add(item: AddedItem, at: Date): Promise<Item>
  find(ref: ItemRef): Promise<Item | null>
  /** Locks the row until the transaction ends. */
  lock(ref: ItemRef): Promise<Item | null>
  /** Until the transaction ends nobody else adds to this project or changes what its items have to do with each other. */
  lockPlans(projectNumber: number): Promise<void>
  plans(projectNumber: number): Promise<PlanLinks[]>
  /** Writes the plan, the priority, the rank and the engine of an item, and nothing else. */
  plan(item: Item, at: Date): Promise<void>
  /** Makes room between all ranks of a project; the order stays. */
  respace(projectNumber: number): Promise<void>
  /** Writes every column. Called by advance() alone. */
  save(item: Item): Promise<void>
  list(filter: {
    status?: ItemStatus | undefined
    projectNumber?: number | undefined
    numbers?: readonly number[] | undefined
    label?: string | undefined
    limit: number
  }): Promise<Item[]>
  /** All that is not over, and the newest of what is, by number; of more than the bounds the oldest are left out. */
  board(bounds: { openMax: number; endedMax: number }): Promise<BoardItems>
  /**
   * Unclaimed, not blocked by another, and todo, backlog without needsHuman, or rework; rework first, then priority,
   * then rank, then number. For an agent: without what is kept for another one that runs.
   */
  queue(limit: number, agentId?: AgentId): Promise<Item[]>
  /** The newest item, not withdrawn, that takes back the merge of this one. */
  revertOf(ref: ItemRef): Promise<Item | null>
  /** The items of a build, by number. */
  ofBuild(build: BuildId): Promise<Item[]>
  heldBy(agentId: AgentId): Promise<Item | null>
  /** Items whose deadline has passed. */
  due(now: Date, limit: number): Promise<Item[]>
  /** Items in a state that a daemon job should be working on. */
  inStates(states: readonly string[], limit: number): Promise<Item[]>
}
