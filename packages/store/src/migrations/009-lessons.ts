import type { Migration } from './migration.ts'

export const migration009: Migration = {
  name: '009_lessons',
  sql: `
    alter table lessons add column content text not null default '';
    alter table lessons add column discovered_by text not null default 'treadle';
    alter table lessons add column seen_in jsonb not null default '[]';
    alter table lessons add column verdict text not null default 'on_trial';
    alter table lessons add column looks integer not null default 0;
    alter table lessons add column superseded_at timestamptz;
    alter table lessons add column why text;
    alter table lessons add column revision integer not null default 0;
    update lessons set content = left(payload ->> 'summary', 4000)
      where jsonb_typeof(payload -> 'summary') = 'string';
    update lessons set superseded_at = updated_at where superseded_by is not null;
    create index lessons_revision on lessons (revision, id);
    create index lessons_words on lessons using gin (to_tsvector('simple'::regconfig,
      regexp_replace(content || ' ' || coalesce(topic, '') || ' ' || coalesce(signature, ''),
        '[^[:alnum:]]+', ' ', 'g'))) with (fastupdate = off);
  `,
}
