import type { Migration } from './migration.ts'

/** How well a delivery is proven. What was delivered before there were levels has none. */
export const migration020: Migration = {
  name: '020_evidence',
  sql: `
    alter table items add column evidence jsonb;
    alter table reviews add column evidence jsonb;
  `,
}
