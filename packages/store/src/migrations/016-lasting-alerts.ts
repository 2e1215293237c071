import type { Migration } from './migration.ts'

export const migration016: Migration = {
  name: '016_lasting_alerts',
  sql: `
    alter table notifications add column resolved_at timestamptz;
    create index notifications_ended on notifications (type, subject, resolved_at) where resolved_at is not null;
    create index notifications_standing on notifications (type, subject) where resolved_at is null;
  `,
}
