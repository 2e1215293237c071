import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONFIRM_MS } from '@treadle/flow/orders/confirm'
import { expect, onTestFinished, test } from 'vitest'
import { Confirmations } from './confirmations.ts'
import { turnOff } from './rollback.ts'

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

function settingsFile(text: string | null): string {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-rollback-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'treadle.json')
  if (text !== null) writeFileSync(file, text)
  return file
}

test.each([
  [null, '{\n  "flags": {\n    "enable_ideation": false\n  }\n}\n'],
  [
    '{\n\t"agents": { "maxConcurrent": 2 },\n\t"flags": { "enable_review_agent": true, "enable_ideation": true }\n}\n',
    '{\n\t"agents": {\n\t\t"maxConcurrent": 2\n\t},\n\t"flags": {\n\t\t"enable_review_agent": true,\n\t\t"enable_ideation": false\n\t}\n}\n',
  ],
])('a switch is turned off in %j and nothing else is', (before, after) => {
  const file = settingsFile(before)
  turnOff(file, 'enable_ideation')
  expect(readFileSync(file, 'utf8')).toBe(after)
})

test.each(['{ "agents": ', '[]'])('settings that cannot be read (%j) are left as they are', (text) => {
  const file = settingsFile(text)
  expect(() => turnOff(file, 'enable_ideation')).toThrow('treadle.json is not well-formed')
  expect(readFileSync(file, 'utf8')).toBe(text)
})
