// The tools of the native engine, and what it asks people: a model on the loopback, real files and processes.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Plan } from '@treadle/contracts/paor'
import type { EngineAnswer } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { verifies } from '@treadle/requirements/verifies'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPrices } from '../prices.ts'
import { call, type NativeOptions, openTestNative } from '../testing/native.ts'
import { openNative } from './engine.ts'
import type { NativeSettings } from './model.ts'

let cwd: string
let close: (() => Promise<void>) | null = null
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'native-'))
  writeFileSync(join(cwd, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
})
afterEach(async () => {
  await close?.()
  close = null
  rmSync(cwd, { recursive: true, force: true })
})

async function open(answers: Parameters<typeof openTestNative>[0], given: Omit<NativeOptions, 'cwd'> = {}) {
  await close?.()
  const opened = await openTestNative(answers, { cwd, ...given })
  close = opened.server.close
  return opened
}

verifies(
  'PAOR-OBS-2',
  'each call of a tool is told with its name, input, output, duration and success, over both protocols',
  async () => {
    for (const provider of ['anthropic', 'openai-compatible'] as const) {
      writeFileSync(join(cwd, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
      const { prompt, observations, events } = await open(
        [
          {
            toolCalls: [call('read', { filePath: 'sum.mjs' })],
            usage: { input: 100, output: 9, cacheRead: 40 },
          },
          { toolCalls: [call('edit', { filePath: 'sum.mjs', oldString: 'a - b', newString: 'a + b' })] },
          { toolCalls: [call('bash', { command: 'cat sum.mjs; exit 3' })] },
          { text: 'It adds now.' },
        ],
        { settings: { provider } },
      )
      expect(await prompt()).toEqual({ outcome: 'done', text: 'It adds now.' })
      const said = (kind: 'piece' | 'text') =>
        events.flatMap((event) => (event.is === kind ? [event.text] : []))
      expect([said('piece').join(''), said('text')]).toEqual(['It adds now.', ['It adds now.']])
      expect(observations()).toMatchObject([
        { tool: 'read', input: '{"filePath":"sum.mjs"}', success: true, durationMs: expect.any(Number) },
        { tool: 'edit', success: true, diff: expect.stringContaining('+export const sum = (a, b) => a + b') },
        { tool: 'bash', success: false, output: expect.stringContaining('Exit code 3.') },
      ])
      expect(observations()[0]?.output).toContain('a - b')
      const used = events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
      expect(used).toHaveLength(4)
      expect(used[0]).toMatchObject({ inputTokens: 100, outputTokens: 9, cacheReadTokens: 40 })
    }
  },
)

test('no more than four marks of a cache go out, however long the conversation', async () => {
  const asked = Array.from({ length: 8 }, () => ({ toolCalls: [call('read', { filePath: 'sum.mjs' })] }))
  const { prompt, server } = await open(asked)
  await prompt()
  const marks = server.requests.map(({ body }) => JSON.stringify(body).split('"cache_control"').length - 1)
  expect(marks).toEqual(Array.from({ length: 9 }, () => 2))
})

verifies(
  'PAOR-HITL-1',
  'a no comes with words that the model reads, and a yes may come with another input',
  async () => {
    const answers: EngineAnswer[] = [
      { text: 'Keep the build, remove dist', allow: false },
      { text: '', input: { command: 'touch dist' } },
    ]
    const { prompt, observations, resultTo } = await open(
      [
        { toolCalls: [call('bash', { command: 'rm -rf build' })] },
        { toolCalls: [call('bash', { command: 'rm -rf dist' })] },
      ],
      { permissions: 'ask', answer: async () => answers.shift() ?? { text: '' } },
    )
    await prompt()
    expect(resultTo(1)).toMatchObject({ isError: true, text: 'Not allowed: Keep the build, remove dist' })
    expect(observations()).toMatchObject([
      { tool: 'bash', denied: true, success: false },
      { tool: 'bash', input: '{"command":"touch dist"}', success: true },
    ])
    expect(existsSync(join(cwd, 'dist'))).toBe(true)
  },
)

test('the model can ask with descriptions and for several choices, as the programs do', async () => {
  const options = [{ label: 'left', description: 'Past the mill' }, 'right', 'straight on']
  const { prompt, events, resultTo } = await open(
    [{ toolCalls: [call('ask', { question: 'Which ways?', options, multiple: true })] }],
    {
      answer: async ({ parts = [] }) => ({
        text: '',
        values: Object.fromEntries(parts.map(({ name }) => [name, ['left', 'right']])),
      }),
    },
  )
  await prompt()
  expect(resultTo(1)?.text).toBe('left, right')
  const [asked] = events.flatMap((event) => (event.is === 'asked' ? [event.question] : []))
  expect(asked).toMatchObject({ kind: 'form', title: 'Which ways?' })
  expect(asked?.parts?.[0]?.detail).toMatchObject({
    multiple: true,
    choices: [{ label: 'left', description: 'Past the mill' }, { label: 'right' }, { label: 'straight on' }],
  })
})

test('the model can ask, with something to choose from or without', async () => {
  const { prompt, events, resultTo } = await open(
    [{ toolCalls: [call('ask', { question: 'Which way?', options: ['left', 'right'] })] }],
    { answer: async ({ kind }) => ({ text: kind === 'choice' ? 'right' : '' }) },
  )
  await prompt()
  expect(resultTo(1)?.text).toBe('right')
  expect(events).toContainEqual({
    is: 'asked',
    question: expect.objectContaining({ options: ['left', 'right'] }),
  })
})

verifies(
  'PAOR-OBS-5',
  'what a tool could not do is told with its message, to us and to the model',
  async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    const { prompt, observations, resultTo } = await open([
      {
        toolCalls: [
          call('read', { filePath: '../secret' }),
          call('read', { filePath: join(outside, 'secret') }),
          call('edit', { filePath: 'sum.mjs', oldString: 'nowhere', newString: '' }),
          call('edit', { filePath: 'sum.mjs' }),
          call('unheard-of', {}),
        ],
      },
    ])
    await prompt()
    rmSync(outside, { recursive: true })
    expect(
      observations().map(({ tool, success, input, output }) => [tool, success, input !== '', output]),
    ).toEqual([
      ['read', false, true, expect.stringContaining('not a path inside the working folder')],
      ['read', false, true, expect.stringContaining('not a path inside the working folder')],
      ['edit', false, true, expect.stringContaining('does not hold that text')],
      ['edit', false, true, expect.stringContaining('The input does not fit')],
      ['unheard-of', false, true, 'There is no tool unheard-of.'],
    ])
    expect(resultTo(1)).toMatchObject({ isError: true })
  },
)

test('a reader has no tool that changes anything, and answers in the form that is asked for', async () => {
  const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] }
  const { prompt, server } = await open([{ structured: { answer: '42' } }, { structured: { answer: 42 } }], {
    readOnly: true,
    schema,
  })
  expect(await prompt()).toMatchObject({ outcome: 'done', structured: { answer: 42 } })
  const tools = server.requests[0]?.tools.map(({ name }) => name)
  expect(tools).toEqual(expect.arrayContaining(['read', 'glob', 'grep']))
  for (const name of ['edit', 'write', 'bash']) expect(tools).not.toContain(name)
})

test('an answer that breaks off is counted too, and each call that is made again has to be allowed', async () => {
  for (const provider of ['anthropic', 'openai-compatible'] as const) {
    let allowed = 0
    const { prompt, events, server } = await open(
      [
        { text: 'half an answer', usage: { input: 5_000, output: 40, cacheRead: 70 }, fault: { is: 'cut' } },
        { fault: { is: 'status', status: 529, retryAfterSeconds: 0 } },
        { text: 'Whole.', usage: { input: 10, output: 1 } },
      ],
      {
        settings: { provider, retries: 2 },
        beforeCall: async () => {
          allowed += 1
        },
      },
    )
    expect((await prompt('Count '.repeat(1_000))).outcome).toBe('done')
    expect([allowed, server.requests.length]).toEqual([3, 3])
    const used = events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
    expect(used).toHaveLength(2)
    // Where the protocol says at once what was asked, that is told, else what is guessed from the length.
    if (provider === 'anthropic') expect(used[0]).toMatchObject({ inputTokens: 5_000, cacheReadTokens: 70 })
    expect(used[0]?.inputTokens).toBeGreaterThan(1_500)
    expect(used[0]?.outputTokens).toBeGreaterThan(0)
    expect(used[1]).toMatchObject({ inputTokens: 10, outputTokens: 1 })
  }
})

test('a call that is made again counts for the turns and the budget', async () => {
  const cut = { text: 'half', usage: { input: 1_000_000, output: 1 }, fault: { is: 'cut' } } as const
  const turns = await open([cut, cut], { settings: { retries: 3 }, maxTurns: 1 })
  expect([(await turns.prompt()).outcome, turns.server.requests.length]).toEqual(['max_turns', 1])
  const budget = await open([cut, cut], { settings: { retries: 3 }, budgetUSD: 1 })
  expect([(await budget.prompt()).outcome, budget.server.requests.length]).toEqual(['budget', 1])
})

test('a plan with ids and places that are empty or far too long is followed all the same', async () => {
  const long = 'x'.repeat(80)
  const part = (id: string, dependsOn: string[]) => ({ id, text: `do ${id}`, dependsOn, by: 'self' })
  const plan = {
    tasks: [part('b', [long, '']), part(long, [''])],
    scope: ['', 'src', `a/${'y'.repeat(3_000)}`],
    why: 'w'.repeat(9_000),
  }
  const { prompt, events } = await open([
    { structured: plan },
    { text: 'One.' },
    { text: 'Two.' },
    { structured: { verdict: 'achieved', why: '', remaining: [], question: null } },
  ])
  const goal = { iterationsMax: 3, verifyCommand: null, guidance: [], plans: [], reflections: [] }
  expect(await prompt('go', goal)).toMatchObject({ outcome: 'done' })
  const planned = events.flatMap((event) => (event.is === 'planned' ? [event.plan] : []))
  expect(planned).toMatchObject([{ scope: ['src'], tasks: [{ dependsOn: [long.slice(0, 60)] }, {}] }])
  expect(Plan.safeParse(planned[0]).success).toBe(true)
})

test('what ends the turn for one sub-agent ends it for all of them, before the turn is over', async () => {
  const tasks = ['Break', 'Go on'].map((text, at) => ({ id: `${at}`, text, by: 'self' }))
  const waits = call('bash', { command: 'echo $$ > new; mv new pid; sleep 600' })
  const { prompt } = await open(async ({ messages }) => {
    const [{ text = '' } = {}] = messages
    if (text === 'go') return { toolCalls: [call('delegate', { tasks })] }
    if (text === 'Go on') return { toolCalls: [waits] }
    await vi.waitUntil(() => existsSync(join(cwd, 'pid')), 60_000)
    return { fault: { is: 'status', status: 400 } }
  })
  expect((await prompt()).outcome).toBe('invalid')
  expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false)
})

test('the check of a goal is confined like the tools', async (context) => {
  if (!(await needSandbox(context))) return
  const proof = join(tmpdir(), `native-proof-${randomUUID()}`)
  const part = { id: 'a', text: 'do it', dependsOn: [], by: 'self' }
  const { prompt } = await open(
    [
      { structured: { tasks: [part], scope: [], why: '' } },
      { text: 'One.' },
      { structured: { verdict: 'achieved', why: '', remaining: [], question: null } },
    ],
    { settings: { sandbox: 'required' } },
  )
  const verifyCommand = `touch ${proof} && test -e ${proof} && touch inside`
  const goal = { iterationsMax: 1, verifyCommand, guidance: [], plans: [], reflections: [] }
  expect(await prompt('go', goal)).toMatchObject({ goal: { outcome: 'goal_achieved' } })
  expect([existsSync(join(cwd, 'inside')), existsSync(proof)]).toEqual([true, false])
})

test('without a key and an endpoint it is not usable, and says what to set', async () => {
  const settings: NativeSettings = {
    provider: 'anthropic',
    model: 'm',
    baseURL: null,
    key: null,
    keyVariable: 'ANTHROPIC_API_KEY',
    stepsPerTurn: 1,
    parallel: 1,
    sandbox: 'off',
    prices: openPrices({}),
  }
  expect(await openNative(settings).probe()).toMatchObject({
    is: 'unusable',
    hint: expect.stringContaining('ANTHROPIC_API_KEY'),
  })
  expect(await openNative({ ...settings, key: 'k' }).probe()).toMatchObject({ is: 'usable' })
  const { server } = await open([])
  const local = { ...settings, provider: 'openai-compatible', baseURL: server.url } as const
  expect(await openNative(local).probe()).toMatchObject({ is: 'usable' })
  const gateway = { ...local, key: 'k', isPriced: () => false }
  expect(await openNative(gateway).probe()).toMatchObject({ note: expect.stringContaining('count as free') })
  expect(await openNative(gateway).probe()).toMatchObject({ note: expect.stringContaining('engines.prices') })
  expect([openNative(local).isFree?.(), openNative({ ...settings, key: 'k' }).isFree?.()]).toEqual([
    true,
    false,
  ])
  await server.close()
  close = null
  expect(await openNative(local).probe()).toMatchObject({
    is: 'unusable',
    why: expect.stringContaining(`Nobody answers at ${server.url}`),
  })
})

test('a link that leads out of the worktree is not followed, whatever the tool', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))
  writeFileSync(join(outside, 'secret.ts'), 'sum\n')
  symlinkSync(outside, join(cwd, 'link'))
  symlinkSync(join(outside, 'secret.ts'), join(cwd, 'file.ts'))
  const { prompt, observations } = await open([
    {
      toolCalls: [
        call('read', { filePath: 'link/secret.ts' }),
        call('read', { filePath: 'file.ts' }),
        call('write', { filePath: 'link/new.ts', content: 'x' }),
        call('edit', { filePath: 'file.ts', oldString: 'sum', newString: 'x' }),
        call('grep', { pattern: 'sum', path: 'link' }),
        call('grep', { pattern: '^sum' }),
        call('glob', { pattern: '**/*.ts' }),
        call('glob', { pattern: '*', path: 'link' }),
      ],
    },
  ])
  await prompt()
  expect(
    observations().map(({ tool, success, output }) => [tool, success, output.includes('secret')]),
  ).toEqual([
    ['read', false, true],
    ['read', false, false],
    ['write', false, false],
    ['edit', false, false],
    ['grep', false, false],
    ['grep', true, false],
    ['glob', true, false],
    ['glob', false, false],
  ])
  expect(existsSync(join(outside, 'new.ts'))).toBe(false)
  rmSync(outside, { recursive: true })
})

test('searches answer with what they found, or why they could not', async () => {
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'src', 'a.ts'), 'sum\n')
  const { prompt, observations } = await open([
    {
      toolCalls: [
        call('grep', { pattern: 'sum' }),
        call('grep', { pattern: 'sum', path: 'src', include: '*.ts' }),
        call('grep', { pattern: 'nothing like that' }),
        call('grep', { pattern: '(' }),
        call('glob', { pattern: '**/*.ts' }),
        call('glob', { pattern: '../*' }),
      ],
    },
  ])
  await prompt()
  expect(observations().map(({ success, output }) => [success, output.split('\n')[0]])).toEqual([
    [true, expect.stringContaining('src/a.ts:1:sum')],
    [true, 'src/a.ts:1:sum'],
    [true, 'Nothing found.'],
    [false, expect.stringContaining('The search failed')],
    [true, 'src/a.ts'],
    [false, 'The pattern has to stay in the working folder'],
  ])
})
