import type { Migration } from './migration.ts'

/** The model that has read a delivery, beside the engine that asked it. */
export const migration027: Migration = {
  name: '027_review_model',
  sql: `
    alter table reviews add column model text;
  `,
}
