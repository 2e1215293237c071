import type { Migration } from './migration.ts'

/** Files that agents have for items of a build, and which item waits for which. */
export const migration050: Migration = {
  name: '050_file_locks',
  sql: `
    create table file_locks (
      build uuid not null,
      file text not null,
      project_number integer not null,
      item_number integer not null,
      locked_by text not null,
      locked_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (build, file)
    );
    create index file_locks_item on file_locks (project_number, item_number);
    create index file_locks_holder on file_locks (locked_by);
    create table wait_edges (
      project_number integer not null,
      waiter integer not null,
      waiting_for integer not null,
      file text not null,
      since timestamptz not null,
      primary key (project_number, waiter, waiting_for)
    );
    create index wait_edges_for on wait_edges (project_number, waiting_for);
  `,
}
