import type { Migration } from './migration.ts'

export const migration005: Migration = {
  name: '005_assigned_agent',
  sql: `
    alter table items add column assigned_agent_id text;
    alter table agents add column metrics_since timestamptz;
    create index events_orders on events (xid, seq) where type = 'order.given';
  `,
}
