// What a turn of somebody else's program is when it is stopped, held, or ends without a word about its costs.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineEvent, EngineOpen } from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { atSomePace } from '@treadle/requirements/pace'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAcp } from '../acp/engine.ts'
import { openClaudeCode } from '../claude-code/engine.ts'
import { driven } from '../driven.ts'
import { openPrices } from '../prices.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifetime-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PATH = '/usr/bin:/bin'
const task = { text: 'go', item: null, attempt: 1, testCommand: null, failures: [], evidence: [] }
const goal = { iterationsMax: 1, verifyCommand: null, guidance: [], plans: [], reflections: [] }

function program(text: string): string {
  const path = join(folder, 'program')
  writeFileSync(path, `#!${process.execPath}\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Notes each line that it is sent. */
const MUTE = `
const fs = require('node:fs')
fs.writeFileSync('pid', String(process.pid))
process.stdin.on('data', (data) => fs.appendFileSync('heard', data))
setInterval(() => undefined, 1000)`

/** Answers a prompt at once, with this reason to stop. */
const talker = (stopReason: string) => `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {} },
  'session/new': { sessionId: 's1' },
  'session/prompt': { stopReason: '${stopReason}' },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  require('node:fs').appendFileSync('heard', method + '\\n')
  if (id !== undefined) send({ id, result: answers[method] })
})`

const shared = { sandbox: 'off' as const, access: {}, prices: openPrices({}), env: { PATH } }
const claudeCode = (command: string) =>
  openClaudeCode({ ...shared, command, model: null, retries: 1, login: 'own' })
const acp = (command: string) => openAcp('acp', { ...shared, command: [command], model: null })

const heard = () => (existsSync(join(folder, 'heard')) ? readFileSync(join(folder, 'heard'), 'utf8') : '')

async function open(engine: Engine, more: Partial<EngineOpen> = {}) {
  const events: EngineEvent[] = []
  const session = await engine.open({
    cwd: folder,
    home: join(folder, 'home'),
    env: { PATH, HOME: folder },
    stallMs: 20_000,
    onEvent: (event) => void events.push(event),
    onQuestion: async () => ({ text: '' }),
    ...more,
  })
  return { session, events }
}

test.each([
  ['claude-code', claudeCode, 0],
  ['claude-code', claudeCode, 300],
  ['acp', acp, 300],
] as const)('%s that is stopped while it starts is gone, and was never asked', async (_, engine, afterMs) => {
  const { session } = await open(engine(program(MUTE)))
  const ended = session.prompt(task)
  await sleep(afterMs)
  await session.stop(500)
  expect(await ended).toMatchObject({ outcome: 'interrupted' })
  const pid = existsSync(join(folder, 'pid')) ? Number(readFileSync(join(folder, 'pid'), 'utf8')) : null
  expect(pid === null || !isAlive(pid)).toBe(true)
  expect(heard()).not.toMatch(/"type":"user"|session\/prompt/)
})

test.each([
  ['claude-code', claudeCode],
  ['acp', acp],
] as const)(
  '%s that is interrupted while it starts is not asked, and can be asked again',
  async (_, engine) => {
    const { session } = await open(engine(program(MUTE)))
    const ended = session.prompt(task)
    await session.interrupt()
    rmSync(join(folder, 'pid'), { force: true })
    expect(await ended).toMatchObject({ outcome: 'interrupted' })
    expect(heard()).not.toMatch(/"type":"user"|session\/prompt/)
    const again = session.prompt(task)
    await vi.waitUntil(() => existsSync(join(folder, 'pid')), { timeout: 60_000 })
    await session.stop(500)
    expect((await again).outcome).not.toBe('done')
  },
)

test('an answer that was cut off reaches no goal', async () => {
  const { session } = await open(driven(acp(program(talker('max_tokens')))))
  const end = await session.prompt({ ...task, goal })
  expect(end.goal?.outcome).toBe('max_iterations')
  await session.stop(500)
})

test('a program that does not say what it has used is told of, once', async () => {
  const { session, events } = await open(acp(program(talker('end_turn'))))
  expect(await session.prompt(task)).toMatchObject({ outcome: 'done' })
  await session.prompt(task)
  const words = events.flatMap((event) => (event.is === 'noted' ? [event.text] : []))
  expect(words).toEqual([expect.stringContaining('limits.assumedCallUSD')])
  await session.stop(500)
})

test('to wait for money is not to be silent, and a turn that is over is not asked afterwards', () =>
  atSomePace(async (unitMs) => {
    rmSync(join(folder, 'heard'), { force: true })
    const money = Promise.withResolvers<void>()
    const isFirst = [money.promise]
    const beforeCall = async () => isFirst.pop()
    const { session } = await open(acp(program(talker('end_turn'))), { stallMs: unitMs, beforeCall })
    const ended = session.prompt(task)
    const how = await Promise.race([ended, sleep(3 * unitMs, null)])
    expect(how).toBeNull()
    await session.interrupt()
    expect(await ended).toMatchObject({ outcome: 'interrupted' })
    expect(await session.prompt(task)).toMatchObject({ outcome: 'done' })
    money.resolve()
    await sleep(200)
    expect(heard().match(/session\/prompt/g)).toHaveLength(1)
    await session.stop(500)
  }))
