import type { Migration } from './migration.ts'

/** What was asked for when a delivery was sent back, and whether the next one is the same change. */
export const migration022: Migration = {
  name: '022_requested_changes',
  sql: `
    alter table reviews add column repeats integer;
    alter table reviews add column requested jsonb not null default '[]';
  `,
}
