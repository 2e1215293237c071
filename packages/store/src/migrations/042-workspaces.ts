import type { Migration } from './migration.ts'

/** Thoughts and specifications belong to a workspace, as ideas do: theirs is that of their idea. */
export const migration042: Migration = {
  name: '042_workspaces',
  sql: `
    alter table thoughts add column workspace text not null default '';
    update thoughts set workspace = ideas.workspace from ideas where ideas.slug = thoughts.subject;
    alter table thoughts alter column workspace drop default;
    alter table specifications add column workspace text not null default '';
    update specifications set workspace = ideas.workspace from ideas where ideas.slug = specifications.slug;
    alter table specifications alter column workspace drop default;
    alter table specifications drop constraint specifications_pkey;
    alter table specifications add primary key (slug, revision, workspace);
    alter table migration_numbers add column workspace text not null default '';
    update migration_numbers set workspace = ideas.workspace from ideas where ideas.slug = migration_numbers.spec;
    alter table migration_numbers alter column workspace drop default;
    drop index migration_numbers_feature;
    create unique index migration_numbers_feature on migration_numbers (folder, spec, feature, workspace);
  `,
}
