import type { Migration } from './migration.ts'

/** The model that an item names for itself, and how hard it is to think. */
export const migration028: Migration = {
  name: '028_item_model',
  sql: `
    alter table items add column model text;
    alter table items add column effort text;
  `,
}
