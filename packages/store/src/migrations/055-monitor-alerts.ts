import type { Migration } from './migration.ts'

/** What the monitor tells has a source and a context, and what was decided about it stands with it. */
export const migration055: Migration = {
  name: '055_monitor_alerts',
  sql: `
    alter table notifications add column source text;
    alter table notifications add column context jsonb;
    alter table notifications add column decision jsonb;
  `,
}
