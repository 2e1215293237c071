import type { Migration } from './migration.ts'

/** Looks back on ideas and specifications, changes of templates that people are asked about, and items made of tasks. */
export const migration041: Migration = {
  name: '041_planning_retrospectives',
  sql: `
    create table planning_retrospectives (
      subject text not null,
      slug text not null,
      revision integer not null,
      reviewed_at timestamptz not null,
      body jsonb not null,
      primary key (subject, slug, revision)
    );
    create index planning_retrospectives_newest on planning_retrospectives (reviewed_at);
    create table template_proposals (
      workspace text not null,
      key text not null,
      path text not null,
      status text not null,
      question_id uuid not null,
      before_text text not null,
      after_text text not null,
      why text,
      asked_at timestamptz not null,
      decided_at timestamptz,
      primary key (workspace, key)
    );
    alter table items add column spec_task jsonb;
  `,
}
