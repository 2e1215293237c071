import { readFileSync } from 'node:fs'
import { TRIED } from '@treadle/engines/external/tried'
import { expect, test } from 'vitest'

const PACKAGES: Readonly<Record<string, string>> = {
  'claude-code': '@anthropic-ai/claude-code',
  codex: '@agentclientprotocol/codex-acp',
  gemini: '@google/gemini-cli',
  opencode: 'opencode-ai',
}

test('the versions that are called tried are those that the suite installs', () => {
  const text = readFileSync(new URL('programs/package.json', import.meta.url), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
  const installed = Object.entries(PACKAGES).map(([engine, name]) => [engine, dependencies[name]])
  expect(TRIED).toEqual(Object.fromEntries(installed))
})
