import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONFIRM_MS } from '@treadle/flow/supervise/orders/confirm'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { readRolledBack } from '../rolled-back.ts'
import { openSettings } from '../settings.ts'
import { Confirmations } from './confirmations.ts'
import { type SwitchFiles, turnOff } from './rollback.ts'

const shown = { order: 'o', impact: 'i' }

test('a confirmation is good once', () => {
  const confirmations = new Confirmations()
  expect(confirmations.issue('a', shown, 0)).toEqual(new Date(CONFIRM_MS))
  expect(confirmations.take(undefined)).toBeNull()
  expect(confirmations.take('b')).toBeNull()
  expect(confirmations.take('a')).toEqual({ ...shown, expiresAt: CONFIRM_MS })
  expect(confirmations.take('a')).toBeNull()
})

test('confirmations that nobody uses do not pile up', () => {
  const confirmations = new Confirmations()
  confirmations.issue('old', shown, 0)
  confirmations.issue('new', shown, CONFIRM_MS)
  expect(confirmations.take('old')).toBeNull()
  for (let n = 0; n < 2_000; n += 1) confirmations.issue(`t${n}`, shown, CONFIRM_MS)
  expect(confirmations.take('new')).toBeNull()
  expect(confirmations.take('t1999')).not.toBeNull()
  expect(confirmations.take('t999')).toBeNull()
})

function switchFiles(text: string | null): SwitchFiles {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-rollback-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const config = join(dir, 'treadle.json')
  if (text !== null) writeFileSync(config, text)
  return { config, rolledBack: join(dir, 'rolled-back.json') }
}

test.each([
  [null, '{\n  "flags": {\n    "enable_ideation": false\n  }\n}\n'],
  [
    '{\n\t"agents": { "maxConcurrent": 2 },\n\t"flags": { "enable_review_agent": true, "enable_ideation": true }\n}\n',
    '{\n\t"agents": {\n\t\t"maxConcurrent": 2\n\t},\n\t"flags": {\n\t\t"enable_review_agent": true,\n\t\t"enable_ideation": false\n\t}\n}\n',
  ],
])('a switch is turned off in %j and nothing else is', (before, after) => {
  const files = switchFiles(before)
  turnOff(files, 'enable_ideation')
  expect(readFileSync(files.config, 'utf8')).toBe(after)
})

test.each([
  ['{ "agents": ', 1],
  ['[]', 1],
  ['{\n  "agents": {},\n}\n', 3],
  ['{\n  // more than one\n  "agents": {}\n}', 2],
  ['{\n  "agents": { "maxConcurrent": two\n}}', 2],
  ['{\n  "tests": { "command": "true }\n}\n', 2],
  ['{\n  "agents": {\n\n\n', 2],
])('settings that cannot be read (%j) are left as they are, and line %i is named', (text, line) => {
  const files = switchFiles(text)
  expect(turnOff(files, 'enable_ideation')).toMatchObject({
    is: 'no',
    why: expect.stringContaining(`treadle.json, line ${line}: `),
  })
  expect(readFileSync(files.config, 'utf8')).toBe(text)
  expect(readRolledBack(files.rolledBack)).toEqual([])
})

verifies('ORCH-S4-30', 'what was rolled back stays off until a person turns it on again', () => {
  const files = {
    ...switchFiles('{ "flags": { "enable_multi_agent": true } }'),
    vscode: '/nowhere/settings.json',
  }
  const flagNow = () => {
    const settings = openSettings(files, () => undefined)
    settings.close()
    return settings.current().config.flags.enable_multi_agent
  }
  expect(flagNow()).toBe(true)
  turnOff(files, 'enable_multi_agent')
  // Left alone, emptied, damaged, lost, and each time read by a daemon that is new.
  for (const text of [null, '{}', '{ "flags": ', '{ "flags": 7 }']) {
    if (text !== null) writeFileSync(files.config, text)
    expect(flagNow(), text ?? 'as the rollback left it').toBe(false)
  }
  rmSync(files.config)
  expect(flagNow()).toBe(false)
  writeFileSync(files.config, '{ "flags": { "enable_multi_agent": true } }')
  expect(flagNow()).toBe(true)
  // The person's word was the last one.
  writeFileSync(files.config, '{}')
  expect(flagNow()).toBeUndefined()
})
