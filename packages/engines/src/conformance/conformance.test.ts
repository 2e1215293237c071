// The engines that need no program of somebody else.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNative } from '../native/engine.ts'
import { openPrices } from '../prices.ts'
import { openScripted } from '../scripted/engine.ts'
import { cases, spareCases } from './cases.ts'
import type { Candidate } from './stage.ts'
import { describeEngine } from './suite.ts'

const native: Candidate = {
  name: 'native',
  version: 'own',
  cannot: { sandbox: 'off here; its own test has it' },
  make: ({ url }) =>
    openNative({
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      baseURL: url,
      key: 'dummy',
      keyVariable: 'ANTHROPIC_API_KEY',
      stepsPerTurn: 20,
      parallel: 2,
      sandbox: 'off',
      retries: 0,
      prices: openPrices({}),
    }),
}

const use = (cacheRead: number, cacheWrite: number) => ({
  use: {
    model: 'claude-sonnet-4-5',
    inputTokens: 300,
    outputTokens: 60,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    usd: null,
  },
})
const noModel = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'it asks no model']))

/** What the model would do, as a script. */
const scripts: Readonly<Record<string, readonly object[]>> = {
  edit: [
    use(0, 1_000),
    { write: { file: 'sum.mjs', text: 'export const sum = (a, b) => a + b\n' } },
    use(1_000, 0),
    { run: { command: 'node test.mjs' } },
    use(2_000, 0),
    use(3_000, 0),
  ],
  form: [
    { ask: { question: 'Which way?', options: ['left', 'right'] } },
    { write: { file: 'way', text: '{{answer}}' } },
    { say: { text: 'To the right.' } },
  ],
  long: [{ run: { command: 'node wait.mjs' } }],
}

const scripted: Candidate = {
  name: 'scripted',
  version: 'own',
  cannot: {
    ...noModel('effort', '401', '402', '429', '500', '529', '400', 'cut'),
    sandbox: 'it has no step for it; its own test has it',
    interrupt: 'it ends between two steps, not within one',
  },
  make: ({ folder }) => {
    const scenario = folder === '' ? null : join(folder, 'scenario.json')
    const items = Object.entries(scripts).map(([title, steps]) => ({ match: { title }, attempts: [steps] }))
    if (scenario !== null) writeFileSync(scenario, JSON.stringify({ version: 1, items }))
    return openScripted({ scenario, sandbox: { mode: 'auto' } })
  },
}

for (const candidate of [native, scripted]) describeEngine(candidate, [...cases, ...spareCases])
