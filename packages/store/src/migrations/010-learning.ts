import type { Migration } from './migration.ts'

export const migration010: Migration = {
  name: '010_learning',
  sql: `
    create table lesson_uses (
      lesson_id uuid not null,
      run_id uuid not null,
      stratum text not null,
      nth integer not null,
      given text not null,
      why text,
      attempt integer not null,
      drawn boolean not null,
      outcome text,
      usd double precision,
      at timestamptz not null,
      settled_at timestamptz,
      primary key (lesson_id, run_id)
    );
    create index lesson_uses_run on lesson_uses (run_id);
    create table retrospectives (
      run_id uuid primary key,
      project_number integer not null,
      item_number integer not null,
      agent_type text not null,
      outcome text not null,
      reviewed_at timestamptz not null,
      body jsonb not null
    );
    create index retrospectives_like on retrospectives (agent_type, outcome, reviewed_at);
    create table promotions (
      lesson_id uuid primary key,
      status text not null,
      question_id uuid,
      occurrences integer not null,
      text text,
      file text,
      branch text,
      commit_id text,
      why text,
      asked_at timestamptz not null,
      decided_at timestamptz
    );
    create index lessons_origin on lessons ((provenance ->> 'runId'));
  `,
}
