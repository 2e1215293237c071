import type { Migration } from './migration.ts'

/** Specifications that a model is at work on. */
export const migration039: Migration = {
  name: '039_spec_writings',
  sql: `
    create table spec_writings (
      slug text primary key,
      workspace text not null,
      thought uuid not null,
      body jsonb not null,
      asked_at timestamptz not null
    );
    create index spec_writings_workspace on spec_writings (workspace, asked_at);
  `,
}
