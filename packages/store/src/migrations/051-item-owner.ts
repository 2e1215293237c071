import type { Migration } from './migration.ts'

/** Whose files an item is about, and whether somebody has to speak with that owner first. */
export const migration051: Migration = {
  name: '051_item_owner',
  sql: `
    alter table items add column owner text;
    alter table items add column requires_coordination boolean not null default false;
  `,
}
