import { describe, expect, test } from 'vitest'
import { MODULES } from './modules.ts'
import { transferPlanOf } from './nouns/module.ts'
import { DRIVERS, newItem, openAt, useTestDatabases } from './testing/both-drivers.ts'
import { withPool } from './testing/pool.ts'

describe.each(DRIVERS)('the schema on the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test('the migrated tables are those that the queries are typed by', async (context) => {
    const place = places(context)
    await (await openAt(place)).close()
    const { rows } = await withPool(place, (pool) =>
      pool.query(
        `select table_name, column_name, data_type, is_nullable = 'YES' as nullable,
           column_default is not null or is_identity = 'YES' as filled
         from information_schema.columns
         where table_schema = $1 and table_name not like 'kysely%'
         order by table_name collate "C", ordinal_position`,
        [place.schema],
      ),
    )
    const tables = Object.entries(transferPlanOf(MODULES).tables).sort(([a], [b]) => (a < b ? -1 : 1))
    const expected = tables.flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, { sql, nullable, filled }]) => ({
        table_name: table,
        column_name: name,
        data_type: sql,
        nullable,
        // The one row of this table is made by the migration.
        filled: filled || (table === 'feed' && name === 'id'),
      })),
    )
    expect(rows).toEqual(expected)
  })
})

describe('daemons that start together', () => {
  const places = useTestDatabases('server')

  test('an empty server is brought up to date once, however many start at the same moment', async (context) => {
    const place = places(context)
    const stores = await Promise.all(Array.from({ length: 5 }, () => openAt(place)))
    const health = await Promise.all(stores.map((store) => store.health()))
    expect(health).toEqual(
      Array.from({ length: 5 }, () => ({ driver: 'server', ok: true, durability: 'server' })),
    )
    await Promise.all(
      stores.map((store, index) => store.items.add(newItem({ title: `${index}` }), new Date())),
    )
    expect(await stores[0]?.items.list({ limit: 10 })).toHaveLength(5)
    await Promise.all(stores.map((store) => store.close()))
  })
})
