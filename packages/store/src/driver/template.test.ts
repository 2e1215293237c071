import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newItem, openAt, temporaryDir, useTestDatabases } from '../testing/both-drivers.ts'
import { PG_BOSS_VERSION, PGLITE_VERSION } from './template.ts'

describe('the template database', () => {
  const places = useTestDatabases('embedded')

  test('is named after the versions that are installed', () => {
    const file = new URL('../../package.json', import.meta.url)
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies: Record<string, string>
    }
    expect(dependencies['@electric-sql/pglite']).toBe(PGLITE_VERSION)
    expect(dependencies['pg-boss']).toBe(PG_BOSS_VERSION)
  })

  test('is done without where it cannot be kept', async (context) => {
    const dir = temporaryDir()
    // A file in the way stops everybody; permissions would not stop root.
    const templateDir = join(dir, 'taken')
    writeFileSync(templateDir, 'a file')
    chmodSync(templateDir, 0o400)
    const said: string[] = []
    const store = await openAt(places(context), { templateDir, log: (message) => said.push(message) })
    expect((await store.items.add(newItem(), new Date())).number).toBe(1)
    expect(said).toContainEqual(expect.stringContaining('no template'))
    await store.close()
    rmSync(dir, { recursive: true })
  })
})
