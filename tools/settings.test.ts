// The page of settings says what the code does, and says something of each.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTINGS_FILE, settings, settingsPage } from './settings.ts'

test('docs/settings.md is what node tools/settings.ts prints', () => {
  expect(readFileSync(SETTINGS_FILE, 'utf8')).toBe(settingsPage())
})

test('every setting says what it means and what it may be', () => {
  const silent = settings().filter(({ description, values }) => description === '' || values === '')
  expect(silent.map(({ key }) => key)).toEqual([])
})

test('a setting two levels deep is found with its default', () => {
  expect(settings()).toContainEqual({
    key: 'gates.mutation.share',
    values: 'number from 0 to 100',
    standard: '`60`',
    description: 'Percent of planted faults that an assertion notices; less is a warning',
  })
})
