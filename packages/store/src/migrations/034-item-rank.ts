import type { Migration } from './migration.ts'

/** The place of an item among those of its priority; null: nobody has moved it, and it stands by its number. */
export const migration034: Migration = {
  name: '034_item_rank',
  sql: `
    alter table items add column rank double precision;
  `,
}
