import type { Migration } from './migration.ts'

/** The branch that an item lands on; null: that of the workspace. */
export const migration044: Migration = {
  name: '044_item_target',
  sql: `
    alter table items add column target text;
  `,
}
