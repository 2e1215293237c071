import type { Migration } from './migration.ts'

/**
 * What a model said is marked as that, or taken out of the sentence that prompts have: a discovery that one item alone
 * has met, the closing words of an engine in a resolution, and in the way out of a trap. People still find them.
 */
export const migration026: Migration = {
  name: '026_unconfirmed_lessons',
  sql: `
    alter table lessons add column unconfirmed boolean not null default false;
    update lessons set unconfirmed = true
      where type in ('gotcha', 'pattern') and content <> '' and not weighed
        and provenance ->> 'runId' is not null and discovered_by not in ('treadle', 'sia')
        and jsonb_array_length(seen_in) < 2;
    update lessons set
        payload = (payload - 'summary') || jsonb_build_object('said', payload ->> 'summary'),
        content = left('What helped: a change to ' || coalesce(nullif((select string_agg(file, ', ')
          from jsonb_array_elements_text(case when jsonb_typeof(payload -> 'files') = 'array'
            then payload -> 'files' else '[]'::jsonb end) as file), ''), 'other files'), 4000)
      where type = 'resolution' and payload ? 'engine' and payload ? 'summary';
    update lessons set
        payload = payload || jsonb_build_object('said', substr(content, strpos(content, 'What helped: ') + 13)),
        content = substr(content, 1, strpos(content, 'What helped: ') + 12) || 'another change'
      where type = 'gotcha' and discovered_by = 'sia' and strpos(content, 'What helped: ') > 0;
  `,
}
