// A program that has no network but the proxy: a socket leads out of its sandbox, and everything else is out of reach.
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { openClaudeCode } from '../claude-code/engine.ts'
import { openPrices } from '../prices.ts'
import { startModelServer } from '../testing/model-server/server.ts'
import { TEST_PATH, taskOf } from '../testing/native.ts'
import { aloneRest } from './alone-rest.ts'
import { proxied } from './proxied.ts'
import { RestBook } from './rest-book.ts'

/** Says which of two addresses it reaches: that of its model, and a port of the machine. */
const PROGRAM = (port: number) => `#!/usr/bin/env node
const get = (url, more) => fetch(url, more).then(({ status }) => status, () => 'out of reach')
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', async (text) => {
  const line = JSON.parse(text)
  if (line.type === 'control_request')
    return say({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } })
  if (line.type !== 'user') return
  say({ type: 'system', subtype: 'init', session_id: 's1', model: 'claude-sonnet-4-5' })
  const { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: key } = process.env
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const model = await get(base + '/v1/messages', { method: 'POST', headers, body })
  const other = await get('http://127.0.0.1:${port}/')
  say({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: model + ', ' + other, modelUsage: {} })
}).on('close', () => process.exit(0))
`

async function reached(proxyOnly: readonly string[] | undefined): Promise<string> {
  const model = await startModelServer({ answer: () => ({ text: 'Hello.' }) })
  const other = createServer((_, response) => response.end('here'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const cwd = mkdtempSync(join(tmpdir(), 'proxy-only-'))
  onTestFinished(async () => {
    await model.close()
    other.closeAllConnections()
    other.close()
    rmSync(cwd, { recursive: true, force: true })
  })
  const command = join(cwd, 'claude')
  writeFileSync(command, PROGRAM((other.address() as AddressInfo).port))
  chmodSync(command, 0o755)
  const claude = {
    command,
    model: null,
    login: 'key',
    retries: 0,
    sandbox: 'required',
    access: { ANTHROPIC_API_KEY: 'the-real-key', ANTHROPIC_BASE_URL: model.url },
    prices: openPrices({}),
    env: { PATH: TEST_PATH },
  } as const
  const off = { sandbox: { mode: 'off' } } as const
  const settings = {
    'claude-code': claude,
    scripted: { scenario: null, ...off },
    repair: { budgetSeconds: 1, slowSeconds: 1, maxCandidates: 1, testTimeoutMs: 1_000, ...off },
    command: { run: null, responseFile: '', ...off },
    ...(proxyOnly === undefined ? {} : { proxyOnly }),
  }
  const book = new RestBook(
    () => new Date(),
    () => ({ firstMs: 40, maxMs: 200 }),
  )
  const world = { rest: aloneRest(book, 'claude-code'), holdMs: 5_000, models: null }
  const session = await proxied(openClaudeCode(claude), settings, world).open({
    cwd,
    env: { PATH: TEST_PATH },
    stallMs: 120_000,
    home: mkdtempSync(join(cwd, 'home-')),
    onEvent: () => undefined,
    onQuestion: async () => ({ text: '' }),
  })
  const { text } = await session.prompt(taskOf('look'))
  await session.stop(1_000)
  return text
}

test.for<[string, readonly string[] | undefined, string]>([
  ['with the network of the machine it reaches both', undefined, '200, 200'],
  ['without, its model alone', [], '200, out of reach'],
])('%s', { timeout: 120_000 }, async ([, proxyOnly, found], context: TestContext) => {
  if (!(await needSandbox(context))) return
  expect(await reached(proxyOnly)).toBe(found)
})
