import type { Migration } from './migration.ts'

/** Earlier versions told who had sent an item back by how the words of the reason begin. */
export const SENT_BACK_BY = `update items set sent_back_by = coalesce((
      select case when type = 'review.rejected' then 'review'
        when payload ->> 'why' like 'push failed%' then 'push' else 'merge' end
      from events where events.project_number = items.project_number and events.item_number = items.number
        and type in ('review.rejected', 'merge.failed')
      order by seq desc limit 1
    ), case when reason like 'push failed%' then 'push' end)
    where needs_rework and sent_back_by is null`

export const migration018: Migration = {
  name: '018_sent_back_by',
  sql: `
    alter table items add column sent_back_by text;
    ${SENT_BACK_BY};
  `,
}
