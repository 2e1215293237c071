import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonSchemas } from './json-schemas.ts'

const folder = new URL('../schema/', import.meta.url)

test('the published schemas are those of the code (else: node tools/schemas.ts)', () => {
  const made = Object.entries(jsonSchemas())
  expect(readdirSync(folder).sort()).toEqual(made.map(([name]) => `${name}.schema.json`).sort())
  for (const [name, schema] of made) {
    expect(JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')), name).toEqual(
      JSON.parse(JSON.stringify(schema)),
    )
  }
})
