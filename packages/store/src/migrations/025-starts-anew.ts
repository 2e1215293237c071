import type { Migration } from './migration.ts'

/** Whether the next claim starts from the target although something was delivered. */
export const migration025: Migration = {
  name: '025_starts_anew',
  sql: `
    alter table items add column starts_anew boolean not null default false;
  `,
}
