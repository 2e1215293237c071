import type { Migration } from './migration.ts'

/** Earlier versions told an order that failed by its outcome in words alone. */
export const FAILED_ORDERS = `update events set payload = payload || '{"failed": true}'
    where type = 'order.given' and payload ->> 'outcome' like 'not done:%'`

/** Earlier versions named flaky tests in the words of a warning alone. */
export const FLAKY_TESTS = `update runs set gates = (
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

export const migration019: Migration = {
  name: '019_what_words_told',
  sql: `
    ${FAILED_ORDERS};
    ${FLAKY_TESTS};
  `,
}
