// Runs as rows: one for each claim of an item.
import type { AgentId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Run } from '@treadle/contracts/run'

export interface NewRun {
  readonly id: RunId
  readonly item: ItemRef
  readonly agentId: AgentId
  readonly fence: number
  readonly at: Date
}
export type RunPatch = Partial<
  Pick<
    Run,
    | 'status'
    | 'phase'
    | 'iteration'
    | 'outcome'
    | 'base'
    | 'baseline'
    | 'history'
    | 'gates'
    | 'usage'
    | 'endedAt'
  >
>

export interface Runs {
  add(run: NewRun): Promise<Run>
  find(id: RunId): Promise<Run | null>
  lock(id: RunId): Promise<Run | null>
  patch(id: RunId, patch: RunPatch): Promise<void>
  ofItem(ref: ItemRef, limit: number): Promise<Run[]>
}
