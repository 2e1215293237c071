// The page of commands is what the code has.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandsPage } from './commands-page.ts'

test('docs/commands.md is the command line as it is (npm run commands -- --write writes it)', async () => {
  const kept = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  expect(kept).toBe(await commandsPage())
})
