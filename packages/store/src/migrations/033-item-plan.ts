import type { Migration } from './migration.ts'

/** What items have to do with each other: parent, dependencies, files, phase, estimate, and where they come from. */
export const migration033: Migration = {
  name: '033_item_plan',
  sql: `
    alter table items add column parent integer;
    alter table items add column depends_on jsonb not null default '[]'::jsonb;
    alter table items add column files jsonb not null default '[]'::jsonb;
    alter table items add column phase text;
    alter table items add column estimate_hours double precision;
    alter table items add column source text not null default 'person';
    create index items_parent on items (project_number, parent) where parent is not null;
  `,
}
