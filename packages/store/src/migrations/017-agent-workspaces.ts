import type { Migration } from './migration.ts'

/** Earlier versions kept the start of an agent's process and its workspace in one text: start@id@words. */
export const AGENT_WORKSPACES = `update agents set pid_started = nullif(split_part(pid_started, '@', 1), ''),
      workspace_id = nullif(split_part(pid_started, '@', 2), ''),
      workspace_words = case when split_part(pid_started, '@', 2) <> ''
        then regexp_replace(pid_started, '^[^@]*@[^@]*@?', '') end
    where pid_started like '%@%'`

export const migration017: Migration = {
  name: '017_agent_workspaces',
  sql: `
    alter table agents add column workspace_id text;
    alter table agents add column workspace_words text;
    ${AGENT_WORKSPACES};
  `,
}
