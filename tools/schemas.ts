// Writes the JSON schemas that editors and other programs read: node tools/schemas.ts
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { jsonSchemas } from '../packages/contracts/src/json-schemas.ts'

const folder = fileURLToPath(new URL('../packages/contracts/schema', import.meta.url))
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(`${folder}/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`)
}
