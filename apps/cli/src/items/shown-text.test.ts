// What others wrote is shown without what a terminal would obey: in an item, in its log, and before an approval.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { blankItem } from '@treadle/contracts/item'
import { expect, onTestFinished, test, vi } from 'vitest'
import { approveItem } from '../commands/decide.ts'
import { showItem } from '../commands/items.ts'
import { logLines } from './log-lines.ts'

const at = '2026-01-01T00:00:00.000Z'
const EVIL = 'a\u001b]0;owned\u0007\u001b[2Jb'
const item = {
  ...blankItem({ number: 1, title: EVIL, createdAt: at, state: 'in_review', headCommit: 'f'.repeat(40) }),
  reason: EVIL,
  files: [EVIL],
  acceptance: [{ id: 'c1', text: EVIL, status: 'met' }],
  evidence: { level: 'proven', why: EVIL },
}
const comment = { at, agentId: null, runId: null, event: { type: 'item.escalated', number: 1, reason: EVIL } }
const client = {
  showItem: async () => ({ item, runs: [], events: [comment], costUSD: null, revertedBy: null }),
  workspace: async () => ({ target: 'main' }),
  approveItem: async () => item,
} as unknown as Client

function written(stream: NodeJS.WriteStream): string[] {
  const parts: string[] = []
  const spy = vi.spyOn(stream, 'write').mockImplementation((part) => parts.push(String(part)) > 0)
  onTestFinished(() => spy.mockRestore())
  return parts
}

function expectHarmless(text: string): void {
  expect(text).toContain('ab')
  for (const part of ['owned', '\u001b]', '\u001b[2J']) expect(text).not.toContain(part)
}

test('an item', async () => {
  const parts = written(process.stdout)
  await showItem(client, { number: 1, project: 1 }, {})
  expectHarmless(parts.join(''))
})

test('the words before an approval', async () => {
  written(process.stdout)
  const parts = written(process.stderr)
  await approveItem(client, { number: 1, project: 1, root: process.cwd() }, { yes: true })
  expectHarmless(parts.join(''))
})

test('a log, in which a diff shows what it has', () => {
  const observation = { tool: EVIL, input: EVIL, output: EVIL, success: true, durationMs: 1 }
  const stored = (more: object) =>
    ({
      at,
      event: { type: 'run.observed', observation: { ...observation, ...more } },
    }) as unknown as StoredEvent
  expectHarmless(logLines(stored({}), { full: true }).join('\n'))
  expect(logLines(stored({ diff: `+${EVIL}` }), { full: true }).join('\n')).toContain('+a␛]0;owned␇␛[2Jb')
})
