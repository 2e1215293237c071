import type { Migration } from './migration.ts'

export const migration013: Migration = {
  name: '013_weighed_lessons',
  sql: `
    alter table lessons add column weighed boolean not null default false;
    drop index lessons_signature;
    create index lessons_signature on lessons (md5(signature)) where signature is not null;
  `,
}
