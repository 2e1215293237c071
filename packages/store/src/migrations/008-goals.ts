import type { Migration } from './migration.ts'

export const migration008: Migration = {
  name: '008_goals',
  sql: `
    alter table items add column engine text;
  `,
}
