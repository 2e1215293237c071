import type { Migration } from './migration.ts'

export const migration004: Migration = {
  name: '004_agents',
  sql: `
    alter table agents add column pid_started text;
    alter table agents add column frozen_at timestamptz;
  `,
}
