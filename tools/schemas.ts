// Writes the JSON schemas that editors and other programs read, as `npm ci` does: node tools/schemas.ts [folder]
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonSchemas } from '../packages/contracts/src/json-schemas.ts'

/** What an earlier version wrote under a name that is gone is removed. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const made = Object.entries(jsonSchemas()).map(([name, schema]) => [`${name}.schema.json`, schema] as const)
  const names = new Set<string>(made.map(([name]) => name))
  for (const name of readdirSync(folder))
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true })
  for (const [name, schema] of made) writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`)
}

if (import.meta.main) {
  writeSchemas(process.argv[2] ?? fileURLToPath(new URL('../packages/contracts/schema', import.meta.url)))
}
