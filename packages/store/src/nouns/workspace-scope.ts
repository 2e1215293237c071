// Several workspaces may share one database: what belongs to one of them is neither found nor changed by another.
import { type RawBuilder, sql } from 'kysely'

export interface StoreWorkspace {
  readonly id: string
  /** False: nobody else can have this database, so everything in it belongs here, wherever it was made. */
  readonly shared: boolean
}

/** The condition for rows of a table with a column `workspace`. */
export function inWorkspace({ id, shared }: StoreWorkspace): RawBuilder<boolean> {
  return shared ? sql<boolean>`workspace = ${id}` : sql<boolean>`true`
}
