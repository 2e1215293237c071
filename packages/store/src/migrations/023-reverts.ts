import type { Migration } from './migration.ts'

/** The merge that an item takes back; looked for from the item that was merged. */
export const migration023: Migration = {
  name: '023_reverts',
  sql: `
    alter table items add column reverts jsonb;
    create index items_reverts on items (project_number, ((reverts ->> 'number')::integer)) where reverts is not null;
  `,
}
