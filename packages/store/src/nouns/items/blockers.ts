// What keeps an item waiting: those that it depends on and that are not done.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Database } from '../../driver/database.ts'
import type { ItemTables } from './item-row.ts'

/** True for a row of items that depends on nothing that is still to be done. */
export const UNBLOCKED_SQL = `(items.depends_on = '[]'::jsonb or not exists (
  select 1 from jsonb_array_elements_text(items.depends_on) as wanted (number)
  join items as needed on needed.project_number = items.project_number
    and needed.number = wanted.number::integer
  where needed.state <> 'done'))`

const OPEN = `
  select project_number, number from items
  where state <> 'done' and (project_number, number) in (
    select * from json_to_recordset($1::json) as asked ("projectNumber" integer, number integer))`

/** The items with what blocks each; the database is asked only if one depends on another. */
export async function withBlockers(database: Database<ItemTables>, items: readonly Item[]): Promise<Item[]> {
  const asked = items.flatMap(({ projectNumber, dependsOn }) =>
    dependsOn.map((number) => ({ projectNumber, number })),
  )
  if (asked.length === 0) return [...items]
  const { rows } = await database.execute(OPEN, [JSON.stringify(asked)])
  const open = new Set(
    (rows as { project_number: number; number: number }[]).map(({ project_number, number }) =>
      keyOf({ projectNumber: project_number, number }),
    ),
  )
  return items.map((item) => {
    const { projectNumber, dependsOn } = item
    const blockedBy = dependsOn.filter((number) => open.has(keyOf({ projectNumber, number })))
    return blockedBy.length === 0 ? item : { ...item, blockedBy }
  })
}

function keyOf({ projectNumber, number }: ItemRef): string {
  return `${projectNumber}/${number}`
}
