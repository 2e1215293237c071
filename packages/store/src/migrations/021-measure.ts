import type { Migration } from './migration.ts'

/** The measure of an item, as a command and which way its number should go. */
export const migration021: Migration = {
  name: '021_measure',
  sql: 'alter table items add column measure jsonb',
}
