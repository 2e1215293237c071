import type { Migration } from './migration.ts'

/** Work of agents that changes no code, and what it costs. */
export const migration037: Migration = {
  name: '037_thoughts',
  sql: `
    create table thoughts (
      id uuid primary key,
      kind text not null,
      subject text not null,
      nth integer not null,
      engine text not null,
      model_use text not null,
      system text not null,
      prompt text not null,
      schema jsonb,
      status text not null,
      agent_id text,
      fence integer not null,
      why text,
      created_at timestamptz not null,
      claimed_at timestamptz,
      deadline_at timestamptz not null,
      ended_at timestamptz,
      answer jsonb
    );
    create index thoughts_subject on thoughts (subject, kind);
    create index thoughts_open on thoughts (created_at) where status in ('pending', 'claimed');
    alter table cost_entries add column thought_id uuid;
    create index cost_entries_thought on cost_entries (thought_id) where thought_id is not null;
    alter table cost_reservations add column thought_id uuid;
    alter table cost_reservations alter column item_number drop not null;
    alter table cost_reservations alter column run_id drop not null;
  `,
}
