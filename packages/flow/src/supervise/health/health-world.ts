// What the health checks need of the world.
import type { Config } from '@treadle/contracts/config'
import type { CheckName } from '@treadle/contracts/health'
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentRow } from '../../ports/agents.ts'
import type { Store } from '../../ports/store.ts'

export interface HealthWorld {
  readonly store: Pick<
    Store,
    | 'tx'
    | 'ledger'
    | 'events'
    | 'agents'
    | 'items'
    | 'thoughts'
    | 'healthCounts'
    | 'notifications'
    | 'jobs'
    | 'builds'
    | 'fileLocks'
    | 'questions'
    | 'preferences'
  >
  readonly config: () => Config
  readonly now: () => Date
  /** When the daemon began, or the machine woke up: before that, nobody was there to do anything. */
  readonly awakeSince: () => Date
  /** False: another daemon judges it. */
  readonly isMine: (row: AgentRow) => boolean
  /** Why nothing is claimed at present. */
  readonly holds: () => Promise<readonly string[]>
  /** What of that which is kept cannot be read, in words. */
  readonly damaged: (agents: readonly AgentId[]) => Promise<readonly string[]>
  /** What of the repository's git configuration is other than at the last start, in words. */
  readonly gitChanges: () => Promise<readonly string[]>
  readonly redact: (text: string) => string
  /** Fails if it takes too long. */
  readonly within: <T>(work: Promise<T>) => Promise<T>
  readonly onSkipped: (check: CheckName, error: unknown) => void
}
