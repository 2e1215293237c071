// The proxy before a model on the loopback: what it counts, holds, ends and refuses, without any program.

import type { TurnLimits } from '@treadle/flow/ports/engine'
import { afterEach, expect, test } from 'vitest'
import type { ModelReply, ModelRequest } from '../testing/model-server/exchange.ts'
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts'
import { aloneRest } from './alone-rest.ts'
import { ModelProxy, type ProxyEvent, type ProxyOptions } from './model-proxy.ts'
import { RestBook } from './rest-book.ts'
import { googleUpstream, versionedUpstream } from './upstream.ts'

const KEY = 'the-real-key'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const crewBook = () =>
  new RestBook(
    () => new Date(),
    () => ({ firstMs: 40, maxMs: 200 }),
  )

async function serve(
  answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>,
): Promise<ModelServer> {
  const server = await startModelServer({ answer })
  closing.push(() => server.close())
  return server
}

async function open(
  server: ModelServer,
  given: Partial<ProxyOptions> & { limits?: TurnLimits; book?: RestBook } = {},
) {
  const events: ProxyEvent[] = []
  const { limits = {}, book = crewBook(), ...options } = given
  const proxy = new ModelProxy({
    token: 'run-token',
    upstreams: {
      anthropic: versionedUpstream({ url: server.url, headers: { 'x-api-key': KEY } }),
      openai: versionedUpstream({ url: `${server.url}/v1`, headers: { authorization: `Bearer ${KEY}` } }),
      google: googleUpstream({ url: server.url, headers: { 'x-goog-api-key': KEY } }),
    },
    rest: aloneRest(book, 'native'),
    holdMs: 5_000,
    models: null,
    priceOf: () => ({ usd: 0.4 }),
    onEvent: (event) => events.push(event),
    ...options,
  })
  closing.push(() => proxy.close())
  const url = await proxy.open()
  return { url, proxy, turn: proxy.begin(limits), events }
}

const tool = { name: 'bash', description: '', input_schema: { type: 'object' } }
const asked = { model: 'claude-x', max_tokens: 10, stream: true, tools: [tool] }
const messages = [{ role: 'user', content: 'go' }]

async function ask(url: string, body: object = {}, { path = '/v1/messages', token = 'run-token' } = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': token, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, messages, ...body }),
  })
  return { status: answer.status, text: await answer.text() }
}

test('the provider hears the key and the program only knows its token', async () => {
  const server = await serve(() => ({
    text: 'Hello.',
    usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 1 },
  }))
  const { url, events } = await open(server)
  expect(await ask(url)).toMatchObject({ status: 200, text: expect.stringContaining('Hello.') })
  expect(server.requests[0]?.headers['x-api-key']).toBe(KEY)
  expect(JSON.stringify(server.requests)).not.toContain('run-token')
  const used = events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
  expect(used).toMatchObject([
    {
      model: 'claude-x',
      provider: 'anthropic',
      inputTokens: 7,
      outputTokens: 3,
      cacheReadTokens: 2,
      usd: 0.4,
    },
  ])
})

const said = 'The turn has made 2 steps'
const chat = {
  path: '/v1/chat/completions',
  body: { messages, tools: [{ type: 'function', function: tool }] },
}
const dialects = [
  ['anthropic', { path: '/v1/messages', body: { messages } }],
  ['chat', chat],
  [
    'responses',
    { path: '/v1/responses', body: { input: 'go', tools: [{ type: 'function', name: 'bash' }] } },
  ],
  [
    'gemini',
    {
      path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'go' }] }],
        tools: [{ functionDeclarations: [{ name: 'bash' }] }],
      },
    },
  ],
] as const

test.each(dialects)(
  'over %s calls are counted and the one past the limit gets a last message',
  async (_, { path, body }) => {
    const server = await serve(() => ({ toolCalls: [{ name: 'bash', input: {} }] }))
    const { url, turn, events } = await open(server, { limits: { steps: 2 } })
    const answers = []
    for (let call = 0; call < 3; call += 1) answers.push(await ask(url, body, { path }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(server.requests).toHaveLength(2)
    expect(answers[2]?.text).toContain(said)
    expect(answers[2]?.text).not.toContain('"bash"')
    expect(events.filter(({ is }) => is === 'used')).toHaveLength(2)
    expect(turn.judge({ outcome: 'done', text: '' })).toMatchObject({
      outcome: 'max_turns',
      text: expect.stringContaining(said),
    })
  },
)

test('a call without tools is no step', async () => {
  const server = await serve(() => ({ text: 'A title.' }))
  const { url } = await open(server, { limits: { steps: 1 } })
  for (let call = 0; call < 3; call += 1) await ask(url, { tools: [] })
  await ask(url)
  expect(server.requests).toHaveLength(4)
})

test('money that is used up ends the turn', async () => {
  const server = await serve(() => ({ text: 'Dear.' }))
  const { url, turn } = await open(server, { limits: { usd: 1 } })
  for (let call = 0; call < 5; call += 1) await ask(url)
  expect(server.requests).toHaveLength(3)
  expect(turn.judge({ outcome: 'done', text: '' })).toMatchObject({ outcome: 'budget' })
})

test('nothing but calls of models goes through', async () => {
  const server = await serve(() => ({ text: 'no' }))
  const { url, turn } = await open(server, { models: ['claude'] })
  const tried = [
    await ask(url, {}, { token: 'wrong' }),
    await ask(url, {}, { path: '/v1/files' }),
    await ask(url, {}, { path: '/v1/models/%2e%2e/files' }),
    await ask(url, {}, { path: '//other.example/v1/organizations' }),
    await ask(url, { model: 'gpt-dear' }),
  ]
  expect(tried.map(({ status }) => status)).toEqual([401, 404, 404, 404, 400])
  expect(server.requests).toHaveLength(0)
  // Whatever the program makes of it: to try again would be the same again.
  for (const outcome of ['done', 'network'] as const)
    expect(turn.judge({ outcome, text: '' })).toMatchObject({
      outcome: 'invalid',
      text: expect.stringContaining('gpt-dear'),
    })
})

test('a quota that is used up is no rate that passes', async () => {
  const message = 'You exceeded your current quota (insufficient_quota)'
  const server = await serve(() => ({ fault: { is: 'status', status: 429, message } }))
  const { url, turn } = await open(server)
  expect((await ask(url)).status).toBe(429)
  expect(turn.judge({ outcome: 'rate_limited', text: '' }).outcome).toBe('billing')
})

test('what runs at the provider is taken out of a call, said once, and the rest goes on', async () => {
  const server = await serve(() => ({ text: 'fine' }))
  const { url, events } = await open(server)
  const own = { name: 'bash', input_schema: { type: 'object' } }
  const fetcher = { type: 'web_fetch_20250910', name: 'web_fetch' }
  const call = { mcp_servers: [{ url: 'https://other.example' }], tools: [own, fetcher] }
  expect((await ask(url, call)).status).toBe(200)
  expect((await ask(url, { tools: [fetcher] })).status).toBe(200)
  expect(server.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['bash'], []])
  expect(JSON.stringify(server.requests)).not.toContain('other.example')
  const said = events.flatMap((event) => (event.is === 'refused' ? [event.why] : []))
  expect(said).toEqual([expect.stringContaining('mcp_servers'), expect.stringContaining('web_fetch')])
})

test('a provider that is overloaded is waited for inside the call, and one call of the crew tries', async () => {
  let left = 6
  const server = await serve(() => {
    left -= 1
    return left >= 0 ? { fault: { is: 'status', status: 529 } } : { text: 'Back.' }
  })
  const book = crewBook()
  const crew = [await open(server, { book }), await open(server, { book })]
  const all = await Promise.all(crew.flatMap(({ url }) => [ask(url), ask(url)]))
  expect(all.map(({ status, text }) => [status, text.includes('Back.')])).toEqual(Array(4).fill([200, true]))
  // The first four go out together, then one by one.
  expect(server.requests).toHaveLength(6 + 4)
  expect(crew[0]?.events.some(({ is }) => is === 'resting')).toBe(true)
  expect(book.list()).toEqual([])
})

test('a time that the provider names is kept to', async () => {
  let at = 0
  const server = await serve(() => {
    if (at > 0) return { text: `after ${performance.now() - at} ms` }
    at = performance.now()
    return { fault: { is: 'status', status: 429, retryAfterSeconds: 1 } }
  })
  const { url } = await open(server)
  const { text } = await ask(url)
  expect(Number(/after (\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(950)
})

test('when the hold is over the turn ends with a last message and says until when the model rests', async () => {
  const server = await serve(() => ({ fault: { is: 'status', status: 529 } }))
  const { url, turn } = await open(server, { holdMs: 300, pingMs: 50 })
  const { status, text } = await ask(url)
  expect(status).toBe(200)
  expect(text).toContain('event: ping')
  expect(text).toContain('could not serve claude-x')
  expect(turn.judge({ outcome: 'done', text: 'All is well.' })).toMatchObject({
    outcome: 'overloaded',
    restsUntil: expect.any(String),
  })
})

test('a key that is refused is no success, whatever the program says', async () => {
  const server = await serve(() => ({ fault: { is: 'status', status: 403 } }))
  const { url, turn } = await open(server)
  expect(await ask(url)).toMatchObject({ status: 403 })
  expect(turn.judge({ outcome: 'done', text: '' })).toMatchObject({ outcome: 'auth' })
})

test('a turn that ended before any call went out says so, and one whose call failed does not', async () => {
  const server = await serve(() => ({ fault: { is: 'status', status: 400 } }))
  const { url, turn } = await open(server)
  expect(turn.judge({ outcome: 'interrupted', text: '' })).toMatchObject({ hasAsked: false })
  await ask(url)
  expect(turn.judge({ outcome: 'interrupted', text: '' }).hasAsked).toBeUndefined()
})

test('a call that waits for money is ended with a last message when the turn is interrupted', async () => {
  const server = await serve(() => ({ text: 'never' }))
  const { url, proxy, turn } = await open(server, { beforeCall: () => new Promise(() => undefined) })
  const asking = ask(url)
  while (!proxy.finish('It was interrupted.')) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await asking).toMatchObject({ status: 200, text: expect.stringContaining('It was interrupted.') })
  expect(server.requests).toHaveLength(0)
  expect(turn.judge({ outcome: 'done', text: '' })).toMatchObject({ outcome: 'interrupted' })
})

/** A call whose program can go away. */
function leaving(url: string) {
  const away = new AbortController()
  const init = {
    method: 'POST',
    headers: { 'x-api-key': 'run-token', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ ...asked, messages }),
    signal: away.signal,
  }
  const ended = fetch(`${url}/v1/messages`, init).then(
    async (answer) => answer.text().catch(() => 'cut'),
    () => 'gone',
  )
  return { leave: () => away.abort(), ended }
}

/** As many as one program may have under way. */
const PLACES = 8

test('a program that leaves while its answer is about to come gives its place back', async () => {
  const server = await serve(() => ({ text: 'x'.repeat(200_000) }))
  const asking = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  let left = PLACES
  const book = aloneRest(crewBook(), 'native')
  const { url } = await open(server, {
    rest: {
      ...book,
      async succeeded(place, sentAt) {
        if (--left === 0) asking.resolve()
        if (left >= 0) await going.promise
        await book.succeeded(place, sentAt)
      },
    },
  })
  const calls = Array.from({ length: PLACES }, () => leaving(url))
  await asking.promise
  for (const { leave } of calls) leave()
  await Promise.all(calls.map(({ ended }) => ended))
  // The proxy hears of it a moment later than the program.
  await new Promise((resolve) => setTimeout(resolve, 100))
  going.resolve()
  expect(await ask(url)).toMatchObject({ status: 200 })
})

test('a free place goes to a call that still waits, not to one whose program has gone', async () => {
  const held: (() => void)[] = []
  const server = await serve(
    () => new Promise<ModelReply>((resolve) => held.push(() => resolve({ text: 'Done.' }))),
  )
  const { url, events } = await open(server)
  const holding = () => events.findLast((event) => event.is === 'holding')
  const first = Array.from({ length: PLACES }, () => ask(url))
  await expect.poll(() => held.length).toBe(PLACES)
  const gone = leaving(url)
  await expect.poll(holding).toMatchObject({ calls: 1 })
  const waits = ask(url)
  await expect.poll(holding).toMatchObject({ calls: 2 })
  gone.leave()
  await gone.ended
  await expect.poll(holding).toMatchObject({ calls: 1 })
  held.shift()?.()
  await expect.poll(() => held.length).toBe(PLACES)
  for (const go of held) go()
  expect(await waits).toMatchObject({ status: 200 })
  await Promise.all(first)
})

test('a turn that is ended while a call waits for a place ends that call and nothing hangs', async () => {
  const held: (() => void)[] = []
  const server = await serve(
    () => new Promise<ModelReply>((resolve) => held.push(() => resolve({ text: 'Done.' }))),
  )
  const { url, proxy, events } = await open(server)
  const first = Array.from({ length: PLACES }, () => ask(url))
  await expect.poll(() => held.length).toBe(PLACES)
  const waits = ask(url)
  await expect.poll(() => events.findLast((event) => event.is === 'holding')).toMatchObject({ calls: 1 })
  expect(proxy.finish('The turn was interrupted.')).toBe(true)
  expect((await waits).text).toContain('The turn was interrupted.')
  for (const go of held) go()
  await Promise.all(first)
})

test('a program that leaves as it is let try leaves the try to the next', async () => {
  const server = await serve(() => ({ text: 'Hello.' }))
  const book = crewBook()
  const inner = aloneRest(book, 'native')
  const place = { provider: new URL(server.url).host, model: 'claude-x' }
  book.failed(place, { cause: 'overloaded', why: 'it answers 529', retryAfterMs: 0 }, 'native')
  const asking = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  let isFirst = true
  const { url } = await open(server, {
    rest: {
      ...inner,
      async ask(asked) {
        const answer = await inner.ask(asked)
        if (answer.is !== 'try' || !isFirst) return answer
        isFirst = false
        asking.resolve()
        await going.promise
        return answer
      },
    },
  })
  const call = leaving(url)
  await asking.promise
  call.leave()
  await call.ended
  await new Promise((resolve) => setTimeout(resolve, 100))
  going.resolve()
  expect(await ask(url)).toMatchObject({ status: 200, text: expect.stringContaining('Hello.') })
})

test('a program that hangs up before the answer begins has made a step and pays for it', async () => {
  const over = Promise.withResolvers<ModelReply>()
  closing.push(() => over.resolve({ text: 'Too late.' }))
  const server = await serve(() => over.promise)
  const { url, turn, events } = await open(server, { limits: { steps: 2 } })
  const used = () => events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
  for (const calls of [1, 2]) {
    const call = leaving(url)
    await expect.poll(() => server.requests.length).toBe(calls)
    call.leave()
    await call.ended
    await expect.poll(() => used().length, { timeout: 5_000 }).toBe(calls)
  }
  // Nobody knows what it came to.
  expect(used()).toMatchObject(Array(2).fill({ model: 'claude-x', provider: 'anthropic', usd: null }))
  expect(turn.steps).toBe(2)
  expect(turn.usd).toBeGreaterThan(0)
  expect((await ask(url)).text).toContain(said)
  expect(server.requests).toHaveLength(2)
})
