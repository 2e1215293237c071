// A noun of the store and what it brings along. The store is made from a list of these; none of them knows the
// others' place.

import type { Database } from '../driver/database.ts'
import type { EventNotifier } from '../driver/event-notifier.ts'
import type { NoTables, Tables } from '../driver/tables.ts'
import type { TransferPlan } from '../driver/transfer.ts'
import { inOrder } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import type { StoreWorkspace } from './workspace-scope.ts'

/** The parts that a noun is made of; it says which tables it asks for. */
export interface StoreParts<T extends Tables = NoTables> {
  readonly database: Database<T>
  /** The schema of the tables. */
  readonly schema: string
  /** Rung when there are new events. */
  readonly notifier: EventNotifier
  /** Whose rows a noun of one workspace may see. */
  readonly workspace: StoreWorkspace
  /** The channel on which those who wait are told that something has changed. */
  readonly hints: string
}

/** An arrival of rows from another database, and what has to be seen to then. */
interface Arrival {
  /** A row in one of these tables says that the database is in use: nothing may be copied into it. */
  readonly mustBeEmpty?: readonly string[]
  /** Statements before the first row. */
  readonly before?: readonly string[]
  /** Statements after the last row: rows of an older export are as they were before migrations that ran here on empty tables. */
  readonly after?: readonly string[]
}

export interface StoreModule {
  /** Where the store has it: `store.items`. */
  readonly name: string
  /** The noun's own tables; all others may read them. Copied in the order of the list. */
  readonly tables: Tables
  /** The history of its tables. */
  readonly migrations: readonly Migration[]
  readonly arrival?: Arrival
  create(parts: StoreParts): unknown
  /** Called when the tables are up to date, and again when rows were copied into them. */
  ready?(database: Database): Promise<void>
}

/** The offers of the nouns of a list, each by its name. */
export type StoreOf<Modules extends readonly StoreModule[]> = {
  readonly [M in Modules[number] as M['name']]: ReturnType<M['create']>
}

export function migrationsOf(modules: readonly StoreModule[]): Migration[] {
  return inOrder(modules.flatMap(({ migrations }) => migrations))
}

export function transferPlanOf(modules: readonly StoreModule[]): TransferPlan {
  const arrivals = modules.map(({ arrival }) => arrival ?? {})
  return {
    tables: Object.assign({}, ...modules.map(({ tables }) => tables)),
    migrations: migrationsOf(modules).map(({ name }) => name),
    mustBeEmpty: arrivals.flatMap(({ mustBeEmpty }) => mustBeEmpty ?? []),
    before: arrivals.flatMap(({ before }) => before ?? []),
    after: arrivals.flatMap(({ after }) => after ?? []),
  }
}
