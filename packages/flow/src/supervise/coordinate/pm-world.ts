// What the PM agent needs of the world.
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentRow } from '../../ports/agents.ts'
import type { MovingWorld } from '../../ports/moving.ts'
import type { Store } from '../../ports/store.ts'

export interface PmWorld extends MovingWorld {
  readonly store: Pick<
    Store,
    | 'tx'
    | 'items'
    | 'runs'
    | 'events'
    | 'agents'
    | 'notifications'
    | 'questions'
    | 'preferences'
    | 'fileLocks'
  >
  readonly uuid: () => string
  /** The one authority over processes. */
  readonly restart: (id: AgentId) => Promise<void>
  /** True: another daemon on the same database looks after it. */
  readonly isElsewhere: (row: AgentRow) => boolean
}

export const PM = 'pm-agent'
