// The schema's history as SQL text. A migration that was released is never changed; a new one is added.
import { createHash } from 'node:crypto'
import { Fault, messageOf } from '@treadle/flow/fault'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { quoted } from './channels.ts'
import type { DB } from './schema.ts'

/** Earlier versions kept the start of an agent's process and its workspace in one text: start@id@words. */
const AGENT_WORKSPACES = `update agents set pid_started = nullif(split_part(pid_started, '@', 1), ''),
      workspace_id = nullif(split_part(pid_started, '@', 2), ''),
      workspace_words = case when split_part(pid_started, '@', 2) <> ''
        then regexp_replace(pid_started, '^[^@]*@[^@]*@?', '') end
    where pid_started like '%@%'`
/** Earlier versions told who had sent an item back by how the words of the reason begin. */
const SENT_BACK_BY = `update items set sent_back_by = coalesce((
      select case when type = 'review.rejected' then 'review'
        when payload ->> 'why' like 'push failed%' then 'push' else 'merge' end
      from events where events.project_number = items.project_number and events.item_number = items.number
        and type in ('review.rejected', 'merge.failed')
      order by seq desc limit 1
    ), case when reason like 'push failed%' then 'push' end)
    where needs_rework`
/** Earlier versions told an order that failed by its outcome in words alone. */
const FAILED_ORDERS = `update events set payload = payload || '{"failed": true}'
    where type = 'order.given' and payload ->> 'outcome' like 'not done:%'`
/** Earlier versions named flaky tests in the words of a warning alone. */
const FLAKY_TESTS = `update runs set gates = (
      select jsonb_agg(case when names.flaky is null then gate
        else gate || jsonb_build_object('flaky', names.flaky) end order by nth)
      from jsonb_array_elements(gates) with ordinality as each (gate, nth)
      left join lateral (
        select jsonb_agg(substring(warning from '^flaky: (.*) passed [0-9]+ of [0-9]+ runs on the same tree'))
          filter (where warning like 'flaky: % runs on the same tree%') as flaky
        from jsonb_array_elements_text(case when gate ->> 'is' = 'passed_with_warnings'
          then gate -> 'warnings' else '[]' end) as warnings (warning)
      ) names on true
    ) where gates::text like '%"flaky: %'`
/** What words alone told in an export of an earlier version. Harmless where the fields are there already. */
export const TOLD_BY_WORDS: readonly string[] = [FAILED_ORDERS, FLAKY_TESTS]
/** What fills columns that an export of an earlier version does not have, by table and column. */
export const FILLED_FROM_OLDER: Readonly<Record<string, string>> = {
  'agents.workspace_id': AGENT_WORKSPACES,
  'items.sent_back_by': SENT_BACK_BY,
}

const SQL: Readonly<Record<string, string>> = {
  '001_foundation': `
    create table projects (
      number integer primary key,
      last_item_number integer not null
    );
    create table items (
      project_number integer not null,
      number integer not null,
      title text not null,
      body text not null,
      labels jsonb not null,
      priority integer,
      acceptance jsonb not null,
      test_command text,
      state text not null,
      needs_human boolean not null,
      needs_rework boolean not null,
      attempts integer not null,
      review_cycles integer not null,
      reminders integer not null,
      claimed_by_agent_id text,
      claimed_at timestamptz,
      fence integer not null,
      run_id uuid,
      branch text,
      head_commit text,
      merge_commit text,
      approval jsonb,
      confidence jsonb,
      reason text,
      deadline_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_number, number)
    );
    create index items_state on items (state);
    create index items_holder on items (claimed_by_agent_id) where claimed_by_agent_id is not null;
    create index items_deadline on items (deadline_at) where deadline_at is not null;
    create table claims (
      project_number integer not null,
      item_number integer not null,
      fence integer not null,
      agent_id text not null,
      request_id text,
      run_id uuid not null,
      claimed_at timestamptz not null,
      primary key (project_number, item_number, fence)
    );
    create unique index claims_request on claims (project_number, item_number, agent_id, request_id)
      where request_id is not null;
    create table runs (
      id uuid primary key,
      parent_run_id uuid,
      kind text not null,
      project_number integer not null,
      item_number integer not null,
      agent_id text not null,
      fence integer not null,
      status text not null,
      phase text,
      iteration integer not null,
      outcome text,
      base text,
      baseline jsonb not null,
      history jsonb not null,
      gates jsonb not null,
      usage jsonb not null,
      started_at timestamptz not null,
      ended_at timestamptz
    );
    create index runs_item on runs (project_number, item_number, started_at);
    create table events (
      seq bigint generated by default as identity primary key,
      xid bigint not null,
      subject text not null,
      event_id text not null,
      type text not null,
      project_number integer,
      item_number integer,
      agent_id text,
      run_id uuid,
      state text,
      payload jsonb not null,
      at timestamptz not null
    );
    create unique index events_once on events (event_id, subject);
    create index events_feed on events (xid, seq);
    create index events_item on events (item_number, project_number, seq) where item_number is not null;
    create index events_run on events (run_id, seq) where run_id is not null;
    create index events_agent on events (agent_id, seq) where agent_id is not null;
    create table feed (
      id boolean primary key default true check (id),
      xid_base bigint not null
    );
    insert into feed (xid_base) values (0);
    create table agents (
      id text primary key,
      status text not null,
      wanted text not null,
      pid integer,
      engine text,
      phase text,
      tasks_completed integer not null,
      error_count integer not null,
      last_error text,
      memory_mb double precision,
      cpu_percent double precision,
      restarts integer not null,
      started_at timestamptz,
      last_heartbeat_at timestamptz,
      created_at timestamptz not null
    );
    create table heartbeats (
      id bigint generated by default as identity primary key,
      agent_id text not null,
      at timestamptz not null,
      beat jsonb not null
    );
    create index heartbeats_agent on heartbeats (agent_id, id);
    create table agent_restarts (
      id bigint generated by default as identity primary key,
      agent_id text not null,
      at timestamptz not null
    );
    create index agent_restarts_agent on agent_restarts (agent_id, at);
    create table lessons (
      id uuid primary key,
      fingerprint text not null unique,
      type text not null,
      glob text,
      action text,
      topic text,
      signature text,
      confidence double precision not null,
      provenance jsonb not null,
      payload jsonb not null,
      occurrences integer not null,
      superseded_by uuid,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index lessons_type on lessons (type, confidence);
    create index lessons_signature on lessons (signature) where signature is not null;
  `,
  '002_may_change_tests': `
    alter table items add column may_change_tests boolean not null default false;
  `,
  '003_ledger': `
    create table cost_entries (
      id text primary key,
      agent_id text not null,
      project_number integer not null,
      item_number integer,
      run_id uuid,
      model text not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      micros bigint not null,
      assumed boolean not null,
      at timestamptz not null
    );
    create index cost_entries_at on cost_entries (at) include (micros);
    create index cost_entries_item on cost_entries (project_number, item_number);
    create table cost_reservations (
      id text primary key,
      agent_id text not null,
      project_number integer not null,
      item_number integer not null,
      run_id uuid not null,
      fence integer not null,
      model text not null,
      micros bigint not null,
      at timestamptz not null,
      closed_at timestamptz,
      closed_as text
    );
    create index cost_reservations_open on cost_reservations (agent_id) where closed_at is null;
    create index cost_reservations_at on cost_reservations (at);
    create table budget_crossings (
      period text not null,
      starts_at timestamptz not null,
      limit_micros bigint not null,
      percent integer not null,
      spent_micros bigint not null,
      at timestamptz not null,
      primary key (period, starts_at, limit_micros, percent)
    );
    create table budget_stops (
      id bigint generated by default as identity primary key,
      agents jsonb not null,
      at timestamptz not null,
      ended_at timestamptz
    );
  `,
  '004_agents': `
    alter table agents add column pid_started text;
    alter table agents add column frozen_at timestamptz;
  `,
  '005_assigned_agent': `
    alter table items add column assigned_agent_id text;
    alter table agents add column metrics_since timestamptz;
    create index events_orders on events (xid, seq) where type = 'order.given';
  `,
  '006_conflicts': `
    create table conflicts (
      id bigint generated by default as identity primary key,
      project_number integer not null,
      item_number integer not null,
      branch text not null,
      head_commit text not null,
      files jsonb not null,
      status text not null,
      why text not null,
      how text,
      created_at timestamptz not null,
      resolved_at timestamptz
    );
    create unique index conflicts_open on conflicts (project_number, item_number) where status <> 'resolved';
  `,
  '007_reviews': `
    create table reviews (
      id bigint generated by default as identity primary key,
      project_number integer not null,
      item_number integer not null,
      run_id uuid not null,
      cycle integer not null,
      branch text not null,
      head_commit text not null,
      agent_id text not null,
      completed_at timestamptz not null,
      status text not null,
      waits_for text,
      why text,
      escalated_at timestamptz,
      claimed_by_agent_id text,
      claimed_at timestamptz,
      fence integer not null,
      criteria jsonb not null,
      checks jsonb not null,
      checked_at timestamptz,
      checked_tree text,
      engine text,
      answer text,
      feedback text,
      decided_by text,
      decided_at timestamptz
    );
    create unique index reviews_delivery on reviews (run_id, cycle);
    create index reviews_item on reviews (project_number, item_number, id);
    create index reviews_open on reviews (completed_at, id) where status in ('pending', 'in_review');
  `,
  '008_goals': `
    alter table items add column engine text;
  `,
  '009_lessons': `
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
  '010_learning': `
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
  '011_questions': `
    create table questions (
      number bigint generated by default as identity primary key,
      id uuid not null,
      question jsonb not null,
      session_id text not null,
      event text,
      template text,
      subject text,
      project_number integer,
      item_number integer,
      run_id uuid,
      asked_as text,
      key text not null,
      blocking boolean not null,
      status text not null,
      asked_at timestamptz not null,
      remind_at timestamptz,
      reminded_at timestamptz,
      due_at timestamptz,
      answer jsonb,
      answered_how text
    );
    create unique index questions_id on questions (id);
    create unique index questions_subject on questions (template, subject);
    create unique index questions_run on questions (run_id, asked_as);
    create index questions_key on questions (key);
    create index questions_open on questions (asked_at) where status = 'open';
    create table preferences (
      id bigint generated by default as identity primary key,
      key text not null,
      agent text not null,
      event text,
      tags jsonb not null,
      question text not null,
      answer text not null,
      option text,
      by text not null,
      learned_at timestamptz not null,
      used integer not null,
      used_at timestamptz
    );
    create unique index preferences_key on preferences (key);
  `,
  '012_notifications': `
    create table notifications (
      id bigint generated by default as identity primary key,
      type text not null,
      level text not null,
      title text not null,
      text text not null,
      next_steps jsonb not null,
      subject text not null,
      blocking boolean not null,
      project_number integer,
      item_number integer,
      question_id text,
      count integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      acknowledged_at timestamptz,
      acknowledged_by text
    );
    create index notifications_open on notifications (type, subject, id) where acknowledged_at is null;
    create table notification_deliveries (
      id bigint generated by default as identity primary key,
      notification_id bigint not null,
      channel text not null,
      target text not null,
      status text not null,
      attempts integer not null,
      error text,
      due_at timestamptz not null,
      created_at timestamptz not null
    );
    create unique index notification_deliveries_once on notification_deliveries (notification_id, channel, target);
    create index notification_deliveries_open on notification_deliveries (channel, target, id)
      where status in ('waiting', 'sending');
    create index notification_deliveries_at on notification_deliveries (channel, target, due_at);
    create table notification_places (
      name text primary key,
      position text not null
    );
  `,
  '013_weighed_lessons': `
    alter table lessons add column weighed boolean not null default false;
    drop index lessons_signature;
    create index lessons_signature on lessons (md5(signature)) where signature is not null;
  `,
  '014_promotion_tries': `
    alter table promotions add column tries integer not null default 0;
    alter table promotions add column tried_at timestamptz;
  `,
  '015_metrics': `
    create table improvement_metrics (
      run_id uuid not null,
      agent_id text not null,
      metric text not null,
      value double precision not null,
      recorded_at timestamptz not null,
      primary key (run_id, metric)
    );
    create index improvement_metrics_at on improvement_metrics (recorded_at);
    insert into improvement_metrics (run_id, agent_id, metric, value, recorded_at)
      select retrospectives.run_id, runs.agent_id, kept.metric, kept.value::double precision, reviewed_at
      from retrospectives join runs on runs.id = retrospectives.run_id
      cross join lateral jsonb_each_text(body -> 'metrics') as kept (metric, value);
    create index events_measured on events (type, at) where type in ('merge.landed', 'merge.delivered',
      'merge.failed', 'agent.crashed', 'build.failed', 'claim.expired', 'claim.released', 'item.escalated',
      'verify.failed', 'deadline.passed', 'daemon.started');
    create index events_status on events (agent_id, at) where type = 'agent.status_changed';
    create index events_ideating on events (at)
      where type = 'agent.status_changed' and payload ->> 'to' = 'ideating';
    create index runs_agent on runs (agent_id, started_at);
    create index runs_ended on runs (ended_at);
    create index reviews_decided on reviews (decided_at) where decided_at is not null;
    create index reviews_decider on reviews (decided_by, decided_at) where decided_by is not null;
    create index items_categorised on items (created_at)
      where jsonb_path_exists(labels, '$[*] ? (@ starts with "category:")');
  `,
  '016_lasting_alerts': `
    alter table notifications add column resolved_at timestamptz;
    create index notifications_ended on notifications (type, subject, resolved_at) where resolved_at is not null;
    create index notifications_standing on notifications (type, subject) where resolved_at is null;
  `,
  '017_agent_workspaces': `
    alter table agents add column workspace_id text;
    alter table agents add column workspace_words text;
    ${AGENT_WORKSPACES};
  `,
  '018_sent_back_by': `
    alter table items add column sent_back_by text;
    ${SENT_BACK_BY};
  `,
  '019_what_words_told': `
    ${FAILED_ORDERS};
    ${FLAKY_TESTS};
  `,
}

export const MIGRATION_NAMES: readonly string[] = Object.keys(SQL)
export const MIGRATIONS_HASH = createHash('sha256').update(JSON.stringify(SQL)).digest('hex').slice(0, 16)

/** Kysely's own locks make this safe when several daemons start at once. Tests stop at an older `last`. */
export async function migrate(db: Kysely<DB>, schema: string, last?: string): Promise<void> {
  if (!(await isCurrent(db, schema))) await migrateUpTo(db, schema, last)
  await anchorFeed(db)
}

/** Spares a start the many questions that Kysely asks before it finds nothing to do. */
async function isCurrent(db: Kysely<DB>, schema: string): Promise<boolean> {
  const log = sql.id(schema, 'kysely_migration')
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${`${quoted(schema)}.kysely_migration`}) is not null as there`.execute(db)
  if (rows[0]?.there !== true) return false
  const done = await sql<{ name: string }>`select name from ${log} order by name`.execute(db)
  return done.rows.map(({ name }) => name).join() === MIGRATION_NAMES.join()
}

async function migrateUpTo(db: Kysely<DB>, schema: string, last: string | undefined): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(SQL).map(([name, text]) => [name, { up: (on) => runAll(on, text) } satisfies Migration]),
  )
  const migrator = new Migrator({
    db,
    migrationTableSchema: schema,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined)
    throw new Fault('store_migration', `the database could not be brought up to date: ${messageOf(error)}`, {
      hint: 'The database may be of a newer Treadle, or the role may not create tables in it.',
      cause: error,
    })
}

async function runAll(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(';\n')) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}

/** After a copy into a database that has counted fewer transactions, old events must still sort first. */
export async function anchorFeed(db: Kysely<DB>): Promise<void> {
  await sql`
    update feed set xid_base = (select max(xid) from events) + 1
    where (select max(xid) from events)
      >= xid_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db)
}
