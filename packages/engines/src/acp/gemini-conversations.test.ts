// A conversation of gemini is put aside before it is loaded: the program would open an empty one in its file.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { putAside } from './gemini-conversations.ts'

const NAME = '0b7d1c52-6b0e-4a52-9a39-0d1f6f3d0a11'
const FILE = 'session-2026-11-17T20-25-0b7d1c52.jsonl'
const ASIDE = 'session-2026-11-17T20-25-kept-0b7d1c52.jsonl'

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const chats = join(folder, 'tmp', 'work', 'chats')
  mkdirSync(chats, { recursive: true })
  return { folder, chats }
}

test('its file gets a name that an empty one of the same minute does not have', () => {
  const { folder, chats } = place()
  writeFileSync(join(chats, FILE), 'said')
  writeFileSync(join(chats, 'session-2026-11-17T20-25-ffffffff.jsonl'), "another's")
  putAside(folder, NAME)
  expect(readdirSync(chats).sort()).toEqual(['session-2026-11-17T20-25-ffffffff.jsonl', ASIDE].sort())
  // The program has opened an empty one since; what was said stays where it is.
  writeFileSync(join(chats, FILE), 'empty')
  putAside(folder, NAME)
  expect(readFileSync(join(chats, ASIDE), 'utf8')).toBe('said')
})

test('nothing is looked for where there is nothing, by half a name, or behind a link', () => {
  const { folder, chats } = place()
  putAside(join(folder, 'missing'), NAME)
  writeFileSync(join(chats, FILE), 'said')
  putAside(folder, '0b7d')
  const other = place()
  rmSync(join(other.folder, 'tmp', 'work', 'chats'), { recursive: true })
  symlinkSync(chats, join(other.folder, 'tmp', 'work', 'chats'))
  putAside(other.folder, NAME)
  expect(readdirSync(chats)).toEqual([FILE])
})
