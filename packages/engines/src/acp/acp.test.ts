// Updates of the real programs, recorded against a model on the loopback, are read again.
import { readFileSync } from 'node:fs'
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import type { EngineEvent } from '@treadle/flow/ports/engine'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { openPrices } from '../prices.ts'
import { endOf, failureOf } from './failure.ts'
import { answerForm, answerPermission, formOf, permissionOf } from './questions.ts'
import { profiles } from './settings.ts'
import { Updates } from './updates.ts'

interface Recorded {
  readonly params?: { readonly update?: unknown }
  readonly result?: unknown
}

function replay(name: string) {
  const events: EngineEvent[] = []
  let now = 0
  const updates = new Updates({ now: () => (now += 5), onEvent: (event) => void events.push(event) })
  let answer: unknown = null
  const text = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')
  for (const raw of text.trim().split('\n')) {
    const line = JSON.parse(raw) as Recorded
    if (line.params?.update !== undefined) updates.take(line.params.update)
    if (line.result !== undefined) answer = line.result
  }
  const { said, hasFailed } = updates
  updates.end()
  const observed = events.flatMap((event) => (event.is === 'observed' ? [event.observation] : []))
  return { updates, answer, said, hasFailed, observed, events }
}

verifies('PAOR-OBS-2', 'each tool call is told with tool, input, output, duration and success', () => {
  for (const name of ['codex', 'opencode']) {
    const { observed, said } = replay(name)
    expect(said).toBe('Done: the test passes.')
    const test = observed.find(({ input }) => input === 'node test.mjs')
    expect(test).toMatchObject({ tool: 'execute', output: expect.stringContaining('PASS'), success: true })
    expect(test?.durationMs).toBeGreaterThan(0)
  }
})

test('a program that tells no output is still told of', () => {
  const { observed } = replay('gemini')
  expect(observed.map(({ tool, success }) => [tool, success])).toEqual([
    ['read', true],
    ['edit', true],
    ['execute', true],
  ])
  expect(observed[1]?.diff).toContain('+export const sum = (a, b) => a + b')
})

test.each([
  [
    'codex',
    { model: 'gpt-5-codex', inputTokens: 2_200, outputTokens: 240, cacheReadTokens: 6_000, usd: null },
  ],
  ['gemini', { model: 'gemini-2.5-pro', inputTokens: 8_200, outputTokens: 240, usd: null }],
  [
    'opencode',
    { model: 'm', inputTokens: 300, outputTokens: 60, cacheReadTokens: 3_000, usd: expect.closeTo(0.01275) },
  ],
])('%s: what a turn has used, told once', (name, usage) => {
  const { updates, answer } = replay(name)
  expect(updates.usage(answer, 'm', null)).toMatchObject(usage)
  // The cost is of the whole conversation: what was told is not told again.
  expect(updates.usage({ stopReason: 'end_turn' }, 'm', null)).toBeNull()
})

test('with keys, opencode asks whom they are for, and no model of its makers that nobody has chosen', () => {
  const settings = (access: Record<string, string>) => {
    const given = {
      command: null,
      model: null,
      sandbox: 'off' as const,
      access,
      prices: openPrices({}),
      env: {},
    }
    const { OPENCODE_CONFIG_CONTENT: text = '' } = profiles.opencode.prepare({
      settings: given,
      home: null,
      asks: false,
    })
    return JSON.parse(text)
  }
  expect(settings({ ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' })).toMatchObject({
    enabled_providers: ['anthropic', 'google'],
  })
  // With a login it is the user's own settings that say it.
  expect(settings({})).not.toHaveProperty('enabled_providers')
})

test('a turn that failed and was called done is not done', () => {
  const { answer, hasFailed, said } = replay('codex-status-429')
  expect(answer).toMatchObject({ stopReason: 'end_turn' })
  expect(endOf({ answer, hasFailed, text: said, isInterrupted: false })).toMatchObject({ outcome: 'network' })
})

test.each([
  ['end_turn', 'done'],
  ['cancelled', 'interrupted'],
  ['refusal', 'refused'],
  ['max_turn_requests', 'max_turns'],
  ['max_tokens', 'max_turns'],
  ['of_tomorrow', 'crashed'],
])('%s ends a turn as %s', (stopReason, outcome) => {
  const facts = { answer: { stopReason }, text: '', isInterrupted: false, hasFailed: false }
  expect(endOf(facts).outcome).toBe(outcome)
})

test.each([
  [new RequestError(-32_000, 'Authentication required'), 'auth'],
  [new RequestError(401, '{"error":{"code":401}}'), 'auth'],
  [new RequestError(-32_603, 'Internal error', { errorKind: 'rate_limit' }), 'rate_limited'],
  [new RequestError(-32_603, 'Internal error', { error: { httpStatusCode: 529 } }), 'overloaded'],
  [new RequestError(-32_603, 'x', { codexErrorInfo: { responseStreamDisconnected: {} } }), 'network'],
  [new RequestError(-32_603, 'Internal error', { service: 'session', errorName: 'APIError' }), 'network'],
  // Numbers in words mean nothing: this one is a port.
  [new RequestError(-32_603, 'gateway 127.0.0.1:4010 said 401'), 'crashed'],
  [new Error('ACP connection closed'), 'crashed'],
])('%s is %s', (error, outcome) => {
  expect(failureOf(error).outcome).toBe(outcome)
})

const options = [
  { optionId: 'always', kind: 'allow_always' },
  { optionId: 'once', kind: 'allow_once' },
  { optionId: 'no', kind: 'reject_once' },
]
const toolCall = { toolCallId: 'c1', kind: 'execute', title: 'Run', rawInput: { command: 'rm -rf build' } }

test('leave is given for once, and refused for once', () => {
  const wish = permissionOf({ sessionId: 's', toolCall, options })
  expect(wish.question).toMatchObject({
    kind: 'permission',
    title: 'May execute be used? rm -rf build',
    input: 'rm -rf build',
  })
  const chosen = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } })
  expect(answerPermission(wish, { text: 'allow' })).toEqual(chosen('once'))
  expect(answerPermission(wish, { text: 'no', allow: false })).toEqual(chosen('no'))
  expect(answerPermission({ ...wish, options: [] }, { text: 'allow' })).toEqual({
    outcome: { outcome: 'cancelled' },
  })
})

test('each field of a form is a question of its own, and is answered in the type it has', () => {
  const params = {
    message: 'How is it to be built?',
    requestedSchema: {
      type: 'object',
      properties: {
        way: { type: 'string', title: 'Way', description: 'Which way?', enum: ['left', 'right'] },
        formats: {
          type: 'array',
          items: {
            anyOf: [
              { const: 'c', title: 'CSV' },
              { const: 'j', title: 'JSON' },
            ],
          },
        },
        far: { type: 'integer' },
        loud: { type: 'boolean' },
      },
    },
  }
  const form = formOf(params)
  expect(form).toMatchObject({ kind: 'form', title: 'How is it to be built?' })
  expect(form.parts).toMatchObject([
    {
      name: 'way',
      title: 'Which way?',
      detail: {
        header: 'Way',
        context: 'How is it to be built?',
        choices: [{ label: 'left' }, { label: 'right' }],
      },
    },
    { name: 'formats', detail: { multiple: true, choices: [{ label: 'CSV' }, { label: 'JSON' }] } },
    { name: 'far', title: 'far', detail: { choices: [] } },
    { name: 'loud', detail: { choices: [{ label: 'Yes' }, { label: 'No' }] } },
  ])
  const values = { way: 'left', formats: ['CSV', 'JSON'], far: '3', loud: 'No' }
  expect(answerForm(params, { text: '', values })).toEqual({
    action: 'accept',
    content: { way: 'left', formats: ['c', 'j'], far: 3, loud: false },
  })
  expect(answerForm(params, { text: '', allow: false })).toEqual({ action: 'decline' })
  expect(answerForm(params, { text: '', unasked: 'Nobody can be asked.' })).toEqual({ action: 'decline' })
})

test('what is said is told piece by piece, and then whole', () => {
  for (const name of ['codex', 'opencode']) {
    const { events } = replay(name)
    const all = (kind: 'piece' | 'text') =>
      events.flatMap((event) => (event.is === kind ? [event.text] : [])).join('')
    expect(all('piece').replaceAll(/\s/g, '')).toBe(all('text').replaceAll(/\s/g, ''))
    expect(all('piece')).not.toBe('')
  }
})
