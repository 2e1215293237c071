// Our own engine behind the proxy: a model on the loopback, and what a turn comes to.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineEvent, EngineOpen, TurnLimits } from '@treadle/flow/ports/engine'
import { afterEach, expect, test } from 'vitest'
import type { EngineSettings } from '../catalogue.ts'
import { openNative } from '../native/engine.ts'
import { chargeOf, openPrices } from '../prices.ts'
import type { ModelReply, ModelRequest } from '../testing/model-server/exchange.ts'
import { startModelServer } from '../testing/model-server/server.ts'
import { TEST_PATH, taskOf, testNativeSettings } from '../testing/native.ts'
import { aloneRest } from './alone-rest.ts'
import { type ProxyWorld, proxied } from './proxied.ts'
import { RestBook } from './rest-book.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Given extends Pick<Partial<EngineOpen>, 'beforeCall'> {
  readonly limits?: TurnLimits
  readonly world?: Partial<ProxyWorld>
  readonly model?: string
}

async function open(
  answer: (request: ModelRequest) => ModelReply,
  { limits = {}, world, model = 'claude-sonnet-4-5', ...options }: Given = {},
) {
  const server = await startModelServer({ answer })
  const cwd = mkdtempSync(join(tmpdir(), 'proxied-'))
  closing.push(
    () => server.close(),
    () => rmSync(cwd, { recursive: true, force: true }),
  )
  const native = testNativeSettings(server.url, {
    model,
    key: 'the-real-key',
    stepsPerTurn: 50,
    parallel: 1,
    retries: 2,
  })
  const settings: EngineSettings = {
    native,
    scripted: { scenario: null, sandbox: { mode: 'off' } },
    repair: {
      budgetSeconds: 1,
      slowSeconds: 1,
      maxCandidates: 1,
      testTimeoutMs: 1_000,
      sandbox: { mode: 'off' },
    },
    command: { run: null, responseFile: '', sandbox: { mode: 'off' } },
  }
  const book = new RestBook(
    () => new Date(),
    () => ({ firstMs: 40, maxMs: 200 }),
  )
  const engine = proxied(openNative(native), settings, {
    rest: aloneRest(book, 'native'),
    holdMs: 5_000,
    models: null,
    ...world,
  })
  const events: EngineEvent[] = []
  const session = await engine.open({
    cwd,
    env: { PATH: TEST_PATH },
    stallMs: 30_000,
    limits,
    onEvent: (event) => events.push(event),
    onQuestion: async () => ({ text: '' }),
    ...options,
  })
  closing.push(() => session.stop(100))
  return { engine, session, server, events, prompt: () => session.prompt(taskOf('go')) }
}

const step = (at: number): ModelReply => ({
  toolCalls: [{ name: 'bash', input: { command: `echo ${at}`, description: 'Go on' } }],
})

test('each call is counted once, with its price, and goes out with the key', async () => {
  let at = 0
  const { prompt, server, events } = await open(() => (++at < 3 ? step(at) : { text: 'Done.' }))
  expect(await prompt()).toMatchObject({ outcome: 'done', text: 'Done.' })
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(Array(3).fill('the-real-key'))
  const used = events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
  expect(used).toHaveLength(3)
  expect(used[0]).toMatchObject({ inputTokens: 300, outputTokens: 60, provider: 'anthropic' })
  expect(used[0]?.usd).toBeGreaterThan(0)
})

test('at the limit of its steps the turn is over, and the next turn has its own', async () => {
  let at = 0
  const { prompt, server } = await open(() => step(++at), { limits: { steps: 3 } })
  expect(await prompt()).toMatchObject({ outcome: 'max_turns', text: expect.stringContaining('3 steps') })
  expect(server.requests).toHaveLength(3)
  expect(await prompt()).toMatchObject({ outcome: 'max_turns' })
  expect(server.requests).toHaveLength(6)
})

test('trouble is told while it lasts, and the turn goes on where it was', async () => {
  const overloaded: ModelReply = { fault: { is: 'status', status: 529 } }
  const replies = [step(1), overloaded, overloaded, step(2)]
  const { prompt, events } = await open(() => replies.shift() ?? { text: 'Done.' })
  expect(await prompt()).toMatchObject({ outcome: 'done' })
  const retries = events.filter(({ is }) => is === 'retrying')
  expect(retries.length).toBeGreaterThanOrEqual(2)
  expect(events.filter(({ is }) => is === 'used')).toHaveLength(3)
})

test('trouble that outlasts the hold ends the turn as trouble, not as success', async () => {
  const { prompt } = await open(() => ({ fault: { is: 'status', status: 503 } }), { world: { holdMs: 200 } })
  expect(await prompt()).toMatchObject({ outcome: 'overloaded', restsUntil: expect.any(String) })
})

test('an engine says whether its limits hold', async () => {
  const { engine } = await open(() => ({ text: 'ok' }))
  expect(engine.holdsLimits).toBe(true)
  expect(await engine.probe()).toMatchObject({ note: expect.stringContaining('through the proxy') })
})

test('a price that nobody knows is left to whoever books it, so that it is booked as assumed', async () => {
  const { prompt, events } = await open(() => ({ text: 'Done.' }), { model: 'house-model-7' })
  expect(await prompt()).toMatchObject({ outcome: 'done' })
  const used = events.flatMap((event) => (event.is === 'used' ? [event.usage] : []))
  expect(used).toMatchObject([{ model: 'house-model-7', usd: null }])
  expect(used.map((usage) => chargeOf(openPrices({}), usage).assumed)).toEqual([true])
})
