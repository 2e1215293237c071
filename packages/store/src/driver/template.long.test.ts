import { readdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newItem, openAt, temporaryDir, useTestDatabases } from '../testing/both-drivers.ts'

const places = useTestDatabases('embedded')

test('the template database is built once, whoever comes first, and used from then on', async (context) => {
  const templateDir = temporaryDir()
  const stores = await Promise.all([1, 2].map(() => openAt(places(context), { templateDir })))
  for (const store of stores) {
    expect((await store.items.add(newItem(), new Date())).number).toBe(1)
    await store.close()
  }
  const [name, ...others] = readdirSync(templateDir)
  expect(others).toEqual([])
  expect(name).toMatch(/^template-/)
  const third = await openAt(places(context), { templateDir })
  expect(await third.items.list({ limit: 10 })).toEqual([])
  await third.close()
  rmSync(templateDir, { recursive: true })
})
