import type { Migration } from './migration.ts'

/** Looks for improvements by category, the items made of them, and what people think of merged changes. */
export const migration056: Migration = {
  name: '056_ideations',
  sql: `
    create table categories (
      name text not null,
      workspace text not null,
      last_used_at timestamptz,
      exhausted_until timestamptz,
      exhausted_why text,
      primary key (workspace, name)
    );
    create table ideations (
      thought uuid primary key,
      workspace text not null,
      category text not null,
      attempt integer not null,
      asked_at timestamptz not null,
      outcome text,
      why text,
      ended_at timestamptz,
      project_number integer,
      item_number integer
    );
    create index ideations_asked on ideations (workspace, asked_at);
    create index ideations_open on ideations (asked_at) where outcome is null;
    create table self_generated (
      project_number integer not null,
      item_number integer not null,
      workspace text not null,
      category text not null,
      ideated_by text,
      finding text,
      created_at timestamptz not null,
      primary key (project_number, item_number)
    );
    create index self_generated_category on self_generated (workspace, category, created_at);
    create table item_values (
      project_number integer not null,
      item_number integer not null,
      workspace text not null,
      points integer not null,
      valued_by text not null,
      valued_at timestamptz not null,
      primary key (project_number, item_number)
    );
  `,
}
