import { expect, test } from 'vitest'
import { ModelsConfig, modelFor } from './models.ts'
import { readConfig } from './read.ts'

const models = ModelsConfig.parse({
  native: { default: 'small', review: 'reader', 'category:Architecture': 'large' },
  codex: { build: 'coder' },
})

test.each([
  ['what nobody names is the default', 'native', {}, 'small'],
  ['a use of its own', 'native', { use: 'review' }, 'reader'],
  ['a use that is not named', 'native', { use: 'improve' }, 'small'],
  ['a category goes before a use', 'native', { use: 'review', item: { labels: ['architecture'] } }, 'large'],
  ['the category as a whole label', 'native', { item: { labels: ['category:Architecture'] } }, 'large'],
  ['the item goes before all', 'native', { item: { model: 'own', labels: ['architecture'] } }, 'own'],
  ['no default: what the program uses itself', 'codex', { use: 'review' }, null],
  ['an engine without any', 'claude-code', { use: 'build' }, null],
  ['a name that every object has', 'constructor', {}, null],
] as const)('%s', (_, engine, asked, model) => {
  expect(modelFor(models, engine, asked)).toBe(model)
})

test('who reads is another model than who wrote, where one is named and nobody says which', () => {
  const asked = (authorModels: string[], given = models) =>
    modelFor(given, 'native', { use: 'review', authorModels })
  const two = { native: { default: 'small', 'category:x': 'large' } }
  expect(asked(['small'], two)).toBe('large')
  expect(asked(['other'], two)).toBe('small')
  expect(asked(['small'], { native: { default: 'small' } })).toBe('small')
  // What the owner names for reviews is asked.
  expect(asked(['reader'])).toBe('reader')
})

test('the native engine has the current Sonnet where nobody says otherwise', () => {
  expect(modelFor({}, 'native')).toBe('claude-sonnet-5')
})

test('the three old keys are read as what took their place, and that is said', () => {
  const own = JSON.stringify({
    engines: {
      native: { model: 'm1', stepsPerTurn: 9 },
      'claude-code': { model: 'm2' },
      acp: { model: 'm3' },
      models: { codex: { default: 'm4' } },
    },
  })
  const { config, warnings } = readConfig({ own, vscode: null })
  expect(config.engines.models).toEqual({
    native: { default: 'm1' },
    'claude-code': { default: 'm2' },
    codex: { default: 'm4' },
    gemini: { default: 'm3' },
    opencode: { default: 'm3' },
    acp: { default: 'm3' },
  })
  expect(config.engines.native.stepsPerTurn).toBe(9)
  expect(warnings).toHaveLength(3)
  expect(warnings[0]).toContain('engines.models.native.default')
})

test('a use that there is not is left out, and that is said', () => {
  const { config, warnings } = readConfig({
    own: '{"engines":{"models":{"native":{"biuld":"x"}}}}',
    vscode: null,
  })
  expect(modelFor(config.engines.models, 'native')).toBe('claude-sonnet-5')
  expect(warnings.join()).toContain('engines.models.native.biuld')
})
