// What engines are told is read by people as well: a change of it shows in the documents.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { promptsDocument } from './prompts.ts'

test('docs/prompts.md is what engines are told (npm run prompts -- --write writes it)', async () => {
  const written = readFileSync(new URL('../../docs/prompts.md', import.meta.url), 'utf8')
  expect(written).toBe(await promptsDocument())
})
