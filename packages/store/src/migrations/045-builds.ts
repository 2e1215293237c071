import type { Migration } from './migration.ts'

/** Builds of specifications, and which build an item belongs to. */
export const migration045: Migration = {
  name: '045_builds',
  sql: `
    create table builds (
      id uuid primary key,
      workspace text not null,
      spec text not null,
      revision integer not null,
      status text not null,
      started_at timestamptz not null,
      completed_at timestamptz,
      body jsonb not null
    );
    create index builds_spec on builds (workspace, spec, started_at);
    alter table items add column build uuid;
    create index items_build on items (build) where build is not null;
  `,
}
