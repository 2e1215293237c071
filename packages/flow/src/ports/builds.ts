// Builds as the store keeps them; their tasks are items.
import type { Build, BuildStatus } from '@treadle/contracts/build'

/** The builds of this workspace; several may share one database. */
export interface Builds {
  find(id: string): Promise<Build | null>
  /** Locks the row until the transaction ends. */
  lock(id: string): Promise<Build | null>
  /** All builds of a specification, the newest first. */
  ofSpec(spec: string): Promise<Build[]>
  /** The newest first. */
  list(limit: number): Promise<Build[]>
  inStatus(statuses: readonly BuildStatus[], limit: number): Promise<Build[]>
  /** False: it is there already. */
  add(build: Build): Promise<boolean>
  /** Replaces what is kept of it. */
  save(build: Build): Promise<void>
}
