import type { Migration } from './migration.ts'

/** The merge that an item takes back; looked for from the item that was merged. */
export const migration022: Migration = {
  name: '022_reverts',
  sql: `
    alter table items add column reverts jsonb;
    create index items_reverts on items (project_number, ((reverts ->> 'number')::integer)) where reverts is not null;
  `,
}
