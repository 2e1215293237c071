import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jsonSchemas } from '../packages/contracts/src/json-schemas.ts'
import { writeSchemas } from './schemas.ts'

test('every contract has a schema of its own, and nothing of before is left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-schemas-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'gone.schema.json'), '{}')
  writeSchemas(folder)
  const made = Object.entries(jsonSchemas())
  expect(readdirSync(folder).sort()).toEqual(made.map(([name]) => `${name}.schema.json`).sort())
  for (const [name, schema] of made) {
    const written: unknown = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'))
    expect(written, name).toEqual(JSON.parse(JSON.stringify(schema)))
  }
  expect(made.map(([name]) => name)).toEqual(expect.arrayContaining(['treadle', 'item', 'event']))
})
