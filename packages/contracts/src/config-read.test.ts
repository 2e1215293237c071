import { expect, test } from 'vitest'
import { Config } from './config.ts'
import { readConfig } from './config-read.ts'

const read = (value: unknown) => readConfig(JSON.stringify(value))

test('no file and an empty object give the defaults, which themselves are valid', () => {
  expect(readConfig(null)).toEqual({ config: Config.parse({}), warnings: [] })
  expect(read({})).toEqual(readConfig(null))
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
  [{ agents: { dailyBudgetUSD: -1 } }, 'agents.dailyBudgetUSD'],
  [{ agents: { monthlyBudgetUSD: 0 } }, 'agents.monthlyBudgetUSD'],
  [{ merge: { approval: 'maybe' } }, 'merge.approval'],
  [{ tests: { timeoutMs: 'soon' } }, 'tests.timeoutMs'],
  [{ limits: { improvements: 0 } }, 'limits.improvements'],
  [{ telemetry: { prometheusPort: 0 } }, 'telemetry.prometheusPort'],
  [{ telemetry: { otlpEndpoint: 'ftp://127.0.0.1' } }, 'telemetry.otlpEndpoint'],
  [{ agents: 3 }, 'agents'],
  [{ surprise: true }, 'surprise'],
  [{ limits: { surprise: 1 } }, 'limits.surprise'],
])('%j gives way to the default, and the warning names the key', (given, key) => {
  const { config, warnings } = read(given)
  expect(config).toEqual(Config.parse({}))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`${key}: `)
})

test('one wrong value leaves the right ones in force', () => {
  const { config, warnings } = read({
    merge: { approval: 'checks', target: 7 },
    tests: { command: 'make test' },
  })
  expect(config.merge).toEqual({ approval: 'checks', target: null })
  expect(config.tests.command).toBe('make test')
  expect(warnings).toHaveLength(1)
})

test('unknown categories are dropped one by one, an explicit empty list stays empty', () => {
  const { config, warnings } = read({ agents: { enabledCategories: ['security', 'astrology', 'testing'] } })
  expect(config.agents.enabledCategories).toEqual(['security', 'testing'])
  expect(warnings).toEqual([expect.stringContaining('astrology')])
  expect(read({ agents: { enabledCategories: [] } }).config.agents.enabledCategories).toEqual([])
})

test.each(['', '{', '[]', '3', 'null', '"x"'])(
  'malformed text %j gives all defaults with a warning',
  (text) => {
    expect(readConfig(text)).toEqual({
      config: Config.parse({}),
      warnings: [expect.stringContaining('all defaults')],
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
