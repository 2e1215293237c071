import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from './call.ts'
import { Conversation } from './conversation.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'conversation-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const asked = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} }],
})
const answered = (id: string, value: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value } }],
})

test('what is too long loses the oldest outputs of tools, and nothing else', () => {
  const conversation = new Conversation()
  conversation.say('The request.')
  for (let n = 0; n < 12; n += 1) {
    conversation.add(asked(`c${n}`))
    conversation.add(answered(`c${n}`, `${n} `.padEnd(50_000, 'x')))
  }
  const { messages } = conversation
  expect(messages).toHaveLength(25)
  expect(JSON.stringify(messages).length).toBeLessThan(500_000)
  expect(JSON.stringify(messages[0])).toContain('The request.')
  expect(JSON.stringify(messages[2])).toContain('removed to make room')
  expect(JSON.stringify(messages.at(-1))).toContain('11 xxx')
})

test('a conversation that was cut off in a line and in a call is gone on with, the call as interrupted', () => {
  const first = Conversation.open(home, undefined)
  first.say('Go.')
  first.add(asked('c1'))
  appendFileSync(join(home, 'native', `${first.id}.jsonl`), '{"role":"to')
  const second = Conversation.open(home, first.id)
  expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(JSON.stringify(second.messages.at(-1))).toContain('interrupted')
  expect(Conversation.open(home, '../../escape').messages).toEqual([])
})

test('what is said after a line that was cut off is there the next time, and the time after that', () => {
  const first = Conversation.open(home, undefined)
  first.say('One.')
  const file = join(home, 'native', `${first.id}.jsonl`)
  appendFileSync(file, '{"role":"user","content":[{"type":"te')
  Conversation.open(home, first.id).say('Two.')
  Conversation.open(home, first.id).say('Three.')
  const texts = () => JSON.stringify(Conversation.open(home, first.id).messages)
  for (const word of ['One.', 'Two.', 'Three.']) expect(texts()).toContain(word)
  // A file that was spoilt before is read as far as it is whole.
  appendFileSync(file, '{"role":"user","conte{"role":"user","content":[]}\nnull\n')
  expect(Conversation.open(home, first.id).messages).toHaveLength(3)
  Conversation.open(home, first.id).say('Four.')
  expect(texts()).toContain('Four.')
})
