import type { Migration } from './migration.ts'

export const migration036: Migration = {
  name: '036_specifications',
  sql: `
    create table specifications (
      slug text not null,
      revision integer not null,
      status text not null,
      body jsonb not null,
      spec_text text not null,
      tasks_text text not null,
      generated jsonb not null,
      noted jsonb not null,
      generated_at timestamptz not null,
      primary key (slug, revision)
    );
    create index specifications_generated on specifications (generated_at);
    create table migration_numbers (
      folder text not null,
      number integer not null,
      spec text not null,
      feature text not null,
      allocated_at timestamptz not null,
      primary key (folder, number)
    );
    create unique index migration_numbers_feature on migration_numbers (folder, spec, feature);
  `,
}
