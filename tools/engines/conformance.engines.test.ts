// The suite of the engines with the real programs, each with a fresh home, a dummy key, the model that it asks by
// itself, and a server on the loopback in the place of that model.
import { join } from 'node:path'
import { openAcp } from '@treadle/engines/acp/engine'
import type { AcpName } from '@treadle/engines/acp/settings'
import { openClaudeCode } from '@treadle/engines/claude-code/engine'
import type { Candidate, StageFolders } from '@treadle/engines/conformance/stage'
import { describeEngine } from '@treadle/engines/conformance/suite'
import { openPrices } from '@treadle/engines/prices'
import { afterAll } from 'vitest'
import { installEngines } from './install.ts'
import { type Reported, tableOf, writePart } from './report.ts'

const { bin, versions } = installEngines()
const prices = openPrices({})
const shared = { sandbox: 'required' as const, prices, env: {} }

const claudeCode: Candidate = {
  name: 'claude-code',
  version: versions['@anthropic-ai/claude-code'] ?? '',
  make: ({ url }) =>
    openClaudeCode({
      ...shared,
      command: join(bin, 'claude'),
      model: null,
      login: 'key',
      retries: 1,
      access: { ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: url },
    }),
}

const statuses = ['401', '402', '429', '500', '529', '400']
const because = (why: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, why]))

interface Given {
  readonly package: string
  readonly command: readonly string[]
  readonly cannot: Readonly<Record<string, string>>
  access(place: StageFolders): Readonly<Record<string, string>>
}

const acp = (name: AcpName, given: Given): Candidate => ({
  name,
  version: versions[given.package] ?? '',
  cannot: given.cannot,
  make: (place) => {
    const [program = '', ...args] = given.command
    const command = [join(bin, program), ...args]
    return openAcp(name, { ...shared, command, model: null, access: given.access(place) })
  },
})

const codex = acp('codex', {
  package: '@agentclientprotocol/codex-acp',
  command: ['codex-acp'],
  cannot: because(
    'it says that a turn failed, not why, which is taken for network',
    '402',
    '429',
    '500',
    '529',
    '400',
  ),
  access: ({ url }) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1` }),
})

const gemini = acp('gemini', {
  package: '@google/gemini-cli',
  command: ['gemini', '--acp'],
  cannot: {
    ...because('it retries in silence until the watchdog ends the turn as stalled', '429', '500', '529'),
    ...because('it counts what came from the cache as input', 'usage'),
    ...because('it calls a broken connection an error of the server', 'cut'),
  },
  access: ({ url }) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
})

const opencode = acp('opencode', {
  package: 'opencode-ai',
  command: ['opencode', 'acp'],
  cannot: {
    ...because('it says that a call failed, not how, which is taken for network', ...statuses),
    ...because('it tells the tokens of the last step only; its cost is right', 'usage'),
    ...because('it retries in silence until the watchdog ends the turn as stalled', 'cut'),
  },
  access: ({ url }) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: `${url}/v1` }),
})

const reported: Reported[] = [claudeCode, codex, gemini, opencode].map((candidate) => ({
  name: candidate.name,
  version: candidate.version,
  row: describeEngine(candidate),
}))

afterAll(() => {
  const table = tableOf(reported)
  process.stdout.write(`${table}\n`)
  // A part of the suite says nothing about the rest.
  if (!table.includes('not run')) writePart('conformance', table)
})
