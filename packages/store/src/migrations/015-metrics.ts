import type { Migration } from './migration.ts'

export const migration015: Migration = {
  name: '015_metrics',
  sql: `
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
}
