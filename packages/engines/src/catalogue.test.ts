import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import { expect, test } from 'vitest'
import { engineNames, openEngine } from './catalogue.ts'

const sandbox = { mode: 'off' } as const
const settings = {
  scripted: { scenario: null, sandbox },
  command: { run: null, responseFile: 'response.md', sandbox },
  repair: { sandbox },
}

test('every name in the catalogue opens the engine of that name', () => {
  expect(engineNames).toContain('scripted')
  for (const name of engineNames) {
    const found = openEngine(name, settings)
    expect(found).toMatchObject({ is: 'found', engine: { id: name } })
  }
})

test('the names that an item may give are those of the engines that there are', () => {
  expect(ENGINE_NAMES).toEqual(engineNames)
})

test.each(['nobody', '', 'toString'])('an unknown engine %j is answered with the known ones', (name) => {
  const found = openEngine(name, settings)
  expect(found).toEqual({ is: 'unknown', known: engineNames })
})

test('the scripted engine without a scenario says which setting is missing', async () => {
  const found = openEngine('scripted', settings)
  if (found.is !== 'found') throw new Error(found.is)
  expect(await found.engine.probe()).toMatchObject({
    is: 'unusable',
    hint: 'set engines.scripted.scenario in treadle.json',
  })
})
