import type { Migration } from './migration.ts'

export const migration014: Migration = {
  name: '014_promotion_tries',
  sql: `
    alter table promotions add column tries integer not null default 0;
    alter table promotions add column tried_at timestamptz;
  `,
}
