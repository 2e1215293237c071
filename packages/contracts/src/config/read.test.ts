import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { CATEGORIES } from '../categories.ts'
import { Config } from '../config.ts'
import type { PhaseFlag } from '../order.ts'
import { readConfig } from './read.ts'

const read = (value: unknown) => readConfig({ own: JSON.stringify(value), vscode: null })
const readVscode = (vscode: string, own: unknown = {}) => readConfig({ own: JSON.stringify(own), vscode })

test('no file and an empty object give the defaults, which themselves are valid', () => {
  const nothing = readConfig({ own: null, vscode: null })
  expect(nothing).toEqual({ config: Config.parse({}), warnings: [], errors: [] })
  expect(read({})).toEqual(nothing)
  // A default that its own schema refuses would break every client.
  expect(Config.parse(Config.parse({}))).toEqual(Config.parse({}))
})

test.each([
  [{ agents: { maxConcurrent: 11 } }, 10, /agents\.maxConcurrent: 11 .* 10 is used/],
  [{ agents: { maxConcurrent: 0 } }, 1, /agents\.maxConcurrent: 0 .* 1 is used/],
  [{ agents: { maxConcurrent: 'four' } }, 1, /agents\.maxConcurrent: "four"/],
  [{ agents: { maxConcurrent: 2.5 } }, 1, /agents\.maxConcurrent: 2\.5/],
])('%j is clamped to %i', (given, used, warning) => {
  const { config, warnings } = read(given)
  expect(config.agents.maxConcurrent).toBe(used)
  expect(warnings).toEqual([expect.stringMatching(warning)])
})

test.each([
  [{ merge: { approval: 'maybe' } }, 'merge.approval'],
  [{ tests: { timeoutMs: 'soon' } }, 'tests.timeoutMs'],
  [{ limits: { improvements: 0 } }, 'limits.improvements'],
  [{ telemetry: { prometheusPort: 0 } }, 'telemetry.prometheusPort'],
  [{ telemetry: { otlpEndpoint: 'ftp://127.0.0.1' } }, 'telemetry.otlpEndpoint'],
  [{ sandbox: { reach: ['127.0.0.1:80'] } }, 'sandbox.reach'],
  [{ sandbox: { reach: ['database.example:5432'] } }, 'sandbox.reach'],
  [{ sandbox: { reach: ['run/database'] } }, 'sandbox.reach'],
  [{ sandbox: { logins: ['ssh'] } }, 'sandbox.logins'],
  [{ agents: 3 }, 'agents'],
  [{ surprise: true }, 'surprise'],
  [{ limits: { surprise: 1 } }, 'limits.surprise'],
])('%j gives way to the default, and the warning names the key', (given, key) => {
  const { config, warnings } = read(given)
  expect(config).toEqual(Config.parse({}))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`${key}: `)
})

test.each([
  [{ models: { 'cladue-code': { default: 'x' } } }, 'engines.models', '"claude-code"'],
  [{ models: { claude: { default: 'x' } } }, 'engines.models', '"claude-code"'],
  [{ fallback: 'natve' }, 'engines.fallback', '"native"'],
  [{ first: 'Repair' }, 'engines.first', '"repair"'],
  [{ default: 'gemni' }, 'engines.default', '"gemini"'],
  [{ reviewer: 'something-else' }, 'engines.reviewer', 'there are repair, mend, scripted'],
])('an engine that there is not is named, with the nearest there is: %j', (engines, key, near) => {
  const { warnings, config } = read({ engines })
  expect(warnings).toEqual([expect.stringContaining(`${key}: there is no engine`)])
  expect(warnings[0]).toContain(near)
  expect([config.engines.fallback, config.engines.first]).toEqual([null, null])
})

test('one wrong value leaves the right ones in force', () => {
  const { config, warnings } = read({
    merge: { approval: 'checks', target: 7 },
    tests: { command: 'make test' },
  })
  expect(config.merge).toMatchObject({ approval: 'checks', target: null })
  expect(config.tests.command).toBe('make test')
  expect(warnings).toHaveLength(1)
})

test('unknown categories are dropped one by one, an explicit empty list stays empty', () => {
  const { config, warnings } = read({ agents: { enabledCategories: ['security', 'astrology', 'testing'] } })
  expect(config.agents.enabledCategories).toEqual(['security', 'testing'])
  expect(warnings).toEqual([expect.stringContaining('astrology')])
  expect(read({ agents: { enabledCategories: [] } }).config.agents.enabledCategories).toEqual([])
})

test('settings of earlier versions that are gone are left out with a warning; the rest of the file counts', () => {
  const limits = { claimRetries: 4, writeRetries: 5, eventsPerPage: 100, pushRetries: 7 }
  const { config, warnings, errors } = read({ limits })
  expect(config.limits.pushRetries).toBe(7)
  expect(errors).toEqual([])
  expect(warnings).toEqual(
    ['claimRetries', 'writeRetries', 'eventsPerPage'].map((name) =>
      expect.stringMatching(new RegExp(`^limits\\.${name}: .*it is left out$`)),
    ),
  )
})

test.each(['', '{', '[]', '3', 'null', '"x"'])(
  'malformed text %j gives all defaults with a warning',
  (text) => {
    expect(readConfig({ own: text, vscode: null })).toEqual({
      config: Config.parse({}),
      warnings: [expect.stringContaining('all defaults')],
      errors: [],
    })
  },
)

test.each([
  [{ flags: { enable_review_agent: true } }, 'reviewer'],
  [{ flags: { enable_review_agent: false } }, 'never'],
  [{ flags: { enable_review_agent: false }, merge: { approval: 'checks' } }, 'checks'],
  [{}, 'human'],
])('%j means merge.approval %s', (given, approval) => {
  expect(read(given).config.merge.approval).toBe(approval)
})

verifies(
  ['ORCH-1.1-1', 'ORCH-1.1-2', 'ORCH-1.1-3', 'ORCH-1.1-4'],
  'the settings of the agents have their defaults',
  () => {
    expect(CATEGORIES).toHaveLength(21)
    expect(readVscode('{}').config.agents).toEqual({
      maxConcurrent: 1,
      ownCores: true,
      dailyBudgetUSD: 50,
      monthlyBudgetUSD: 500,
      enabledCategories: [...CATEGORIES],
      ideationBudgetUSD: 5,
    })
    const given = readVscode(`{
    // as an editor writes it
    "editor.tabSize": 2,
    "claudeProjects.agents.maxConcurrent": 4,
    "claudeProjects.agents.dailyBudgetUSD": 2.5,
    "claudeProjects.agents.monthlyBudgetUSD": 20,
    "claudeProjects.agents.enabledCategories": ["security"],
  }`)
    expect(given).toMatchObject({ warnings: [], errors: [] })
    expect(given.config.agents).toEqual({
      maxConcurrent: 4,
      ownCores: true,
      dailyBudgetUSD: 2.5,
      monthlyBudgetUSD: 20,
      enabledCategories: ['security'],
      ideationBudgetUSD: 5,
    })
  },
)

verifies(
  'ORCH-1.1-5',
  'any combination of keys in either file: what is absent has its default, treadle.json wins',
  () => {
    const values = {
      maxConcurrent: 3,
      dailyBudgetUSD: 7,
      monthlyBudgetUSD: 70,
      enabledCategories: ['testing'],
    }
    const keys = Object.keys(values) as (keyof typeof values)[]
    for (let mask = 0; mask < 2 ** keys.length; mask += 1) {
      const chosen = keys.filter((_, at) => (mask >> at) % 2 === 1)
      const vscode = Object.fromEntries(chosen.map((key) => [`claudeProjects.agents.${key}`, values[key]]))
      const { config, warnings } = readVscode(JSON.stringify(vscode))
      expect(warnings).toEqual([])
      expect(config.agents).toEqual({
        ...Config.parse({}).agents,
        ...Object.fromEntries(chosen.map((key) => [key, values[key]])),
      })
    }
    const both = readVscode(
      '{"claudeProjects.agents.maxConcurrent": 4, "claudeProjects.agents.dailyBudgetUSD": 9}',
      {
        agents: { maxConcurrent: 2 },
      },
    )
    expect(both.config.agents).toMatchObject({ maxConcurrent: 2, dailyBudgetUSD: 9 })
  },
)

verifies(
  'AC-1.1.b',
  'more than ten agents are capped at ten, with a warning that names key, value and cap',
  () => {
    const { config, warnings } = readVscode('{"claudeProjects.agents.maxConcurrent": 25}')
    expect(config.agents.maxConcurrent).toBe(10)
    expect(warnings).toEqual([
      expect.stringMatching(/claudeProjects\.agents\.maxConcurrent: 25 .*10 is used/),
    ])
  },
)

verifies(
  ['AC-1.1.c', 'ORCH-1.1-6'],
  'a budget that is not above 0 is an error, and the default is used',
  () => {
    for (const wrong of [-5, 0, 'much', null]) {
      const given = { dailyBudgetUSD: wrong, monthlyBudgetUSD: wrong, maxConcurrent: 10 }
      const { config, errors } = read({ agents: given })
      expect(config.agents).toMatchObject({ dailyBudgetUSD: 50, monthlyBudgetUSD: 500, maxConcurrent: 10 })
      expect(errors).toEqual([
        expect.stringMatching(/agents\.dailyBudgetUSD: .* the default 50 is used/),
        expect.stringMatching(/agents\.monthlyBudgetUSD: .* the default 500 is used/),
      ])
    }
  },
)

verifies('AC-1.1.d', 'names that are no category are left out, each with a warning', () => {
  const { config, warnings } = readVscode(
    '{"claudeProjects.agents.enabledCategories": ["security", "astrology", "testing"]}',
  )
  expect(config.agents.enabledCategories).toEqual(['security', 'testing'])
  expect(warnings).toEqual([expect.stringContaining('"astrology" is no category')])
})

verifies('ORCH-1.1-7', 'malformed settings of the editor are not used, and treadle.json still is', () => {
  for (const text of ['{', '[]', '"x"', '{"claudeProjects.agents.maxConcurrent": }']) {
    const { config, warnings } = readVscode(text, { agents: { maxConcurrent: 3 } })
    expect(config.agents.maxConcurrent).toBe(3)
    expect(warnings).toEqual([expect.stringContaining('.vscode/settings.json is not well-formed')])
  }
  const odd = readVscode('{"claudeProjects.agents.maxConcurent": 3}')
  expect(odd.warnings).toEqual([
    expect.stringContaining('claudeProjects.agents.maxConcurent: there is no such'),
  ])
})

verifies(
  ['ORCH-S4-10', 'ORCH-S4-12'],
  'a stage of the rollout gives the size of the crew and high budgets at first; explicit settings win',
  () => {
    const staged = [1, 2, 3, 4, 5].map((rolloutStage) => read({ rolloutStage }).config.agents)
    expect(staged.map(({ maxConcurrent }) => maxConcurrent)).toEqual([1, 3, 5, 10, 10])
    expect(staged.map(({ dailyBudgetUSD }) => dailyBudgetUSD)).toEqual([100, 100, 100, 100, 50])
    const given = { rolloutStage: 2, agents: { dailyBudgetUSD: 7, maxConcurrent: 'many' } }
    expect(read(given).config.agents).toMatchObject({
      maxConcurrent: 1,
      dailyBudgetUSD: 7,
      monthlyBudgetUSD: 1_000,
    })
    expect(read({ rolloutStage: 6 }).config).toMatchObject({
      rolloutStage: null,
      agents: { dailyBudgetUSD: 50 },
    })
  },
)

test('health checks belong to the fifth stage; without a stage nothing turns them off', () => {
  const flag = (given: object) => read(given).config.flags.enable_advanced_monitoring
  expect([1, 4, 5].map((rolloutStage) => flag({ rolloutStage }))).toEqual([false, false, true])
  expect(flag({ rolloutStage: 1, flags: { enable_advanced_monitoring: true } })).toBe(true)
  expect(flag({})).toBeUndefined()
})

test('a review that was rolled back stops merging, whatever merge.approval says', () => {
  const own = (flag: boolean) =>
    JSON.stringify({ merge: { approval: 'checks' }, flags: { enable_review_agent: flag } })
  const read = (flag: boolean, off: PhaseFlag[]) => readConfig({ own: own(flag), vscode: null, off })
  expect(read(false, []).config.merge.approval).toBe('checks')
  const rolledBack = read(false, ['enable_review_agent'])
  expect(rolledBack.config.merge.approval).toBe('never')
  expect(rolledBack.warnings).toEqual([expect.stringMatching(/^merge\.approval: "checks".*rolled back/)])
  expect(read(true, ['enable_review_agent']).config.merge.approval).toBe('checks')
})

test('what was rolled back stays off, whatever the stage gives', () => {
  const flag = (given: object) =>
    readConfig({ own: JSON.stringify(given), vscode: null, off: ['enable_multi_agent'] }).config.flags
      .enable_multi_agent
  expect([flag({ rolloutStage: 3 }), flag({}), flag({ flags: { enable_multi_agent: true } })]).toEqual([
    false,
    false,
    true,
  ])
})
