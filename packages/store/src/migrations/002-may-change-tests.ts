import type { Migration } from './migration.ts'

export const migration002: Migration = {
  name: '002_may_change_tests',
  sql: `
    alter table items add column may_change_tests boolean not null default false;
  `,
}
