import type { Migration } from './migration.ts'

/**
 * Reviews are claimed as thoughts. A review that waited for a reviewer, or was being read, goes back to the step after
 * its checks, which asks for its thought: which engine that names is not known here.
 */
export const migration038: Migration = {
  name: '038_review_thoughts',
  sql: `
    alter table thoughts add column project_number integer;
    alter table thoughts add column item_number integer;
    alter table thoughts add column run_id uuid;
    alter table thoughts add column key_hash text;
    alter table thoughts add column claim_sets_deadline boolean not null default false;
    alter table thoughts alter column deadline_at drop not null;
    alter table reviews add column thought_id uuid;
    create index reviews_thought on reviews (thought_id) where thought_id is not null;
    update reviews set status = 'pending', waits_for = 'checks'
      where status = 'in_review' or (status = 'pending' and waits_for = 'reviewer');
    alter table reviews drop column claimed_by_agent_id;
    alter table reviews drop column claimed_at;
    alter table reviews drop column fence;
  `,
}
