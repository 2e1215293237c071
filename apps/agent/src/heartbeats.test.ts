// Signs of life over real HTTP: what they carry, that they go on, and what happens while nobody listens.
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentWanted, Heartbeat } from '@treadle/contracts/agent'
import { createClient } from '@treadle/contracts/client'
import { Config } from '@treadle/contracts/config'
import { idleSession, type SessionFile } from '@treadle/contracts/session-file'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, expect, test } from 'vitest'
import { clock } from './compose.ts'
import { Heartbeats } from './heartbeats.ts'
import { PauseGate } from './pause-gate.ts'

class Daemon {
  readonly heard: Heartbeat[] = []
  wanted: AgentWanted = 'running'
  #server: Server | null = null
  port = 0

  async listen(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      this.heard.push(Heartbeat.parse(JSON.parse(await text(request))))
      response.setHeader('connection', 'close')
      response.end(JSON.stringify({ wanted: this.wanted, runId: null }))
    })
    await new Promise<void>((done) => this.#server?.listen(this.port, '127.0.0.1', done))
    const address = this.#server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
  }

  async goAway(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.closeAllConnections()
    if (server !== null) await new Promise((done) => server.close(done))
  }
}

const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function open(everyMs = 60_000) {
  const daemon = new Daemon()
  await daemon.listen()
  const logged: string[] = []
  const written: Partial<SessionFile>[] = []
  const client = createClient({ url: `http://127.0.0.1:${daemon.port}`, token: 't', timeoutMs: 60_000 })
  const heartbeats: Heartbeats = new Heartbeats(
    {
      id: 'agent-3',
      engine: 'scripted',
      home: { client: () => client },
      clock,
      session: {
        update: async (patch) => {
          written.push(patch)
          return { is: 'written' }
        },
      },
      everyMs,
      log: (message) => logged.push(message),
      heldRun: () => null,
      onLost: () => undefined,
      onWanted: (wanted) => gate.hear(wanted),
    },
    idleSession('agent-3', new Date().toISOString()),
  )
  const gate = new PauseGate({
    clock,
    tell: () => heartbeats.say({}, true),
    show: (paused) => heartbeats.pause(paused),
  })
  ends.push(
    () => heartbeats.stop(),
    () => daemon.goAway(),
  )
  return { daemon, heartbeats, gate, logged, written }
}

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; !what() && tries < 6_000; tries += 1) await sleep(10)
  expect(what()).toBe(true)
}

verifies(
  'ORCH-1.3-2',
  'a heartbeat carries who, what, on which item, when, memory and processor',
  async () => {
    const { daemon, heartbeats } = await open()
    const before = Date.now()
    heartbeats.change({ status: 'working', currentProjectNumber: 42, currentPhase: 'building' })
    await until(() => daemon.heard.length === 1)
    const [beat] = daemon.heard
    expect(beat).toMatchObject({ agentId: 'agent-3', status: 'working', currentProjectNumber: 42 })
    expect(Date.parse(beat?.timestamp ?? '')).toBeGreaterThanOrEqual(before)
    // This process takes some memory, and has been busy since it started.
    expect(beat?.memoryUsage).toBeGreaterThan(10)
    expect(beat?.cpuUsage).toBeGreaterThanOrEqual(0)
    const spin = performance.now() + 100
    while (performance.now() < spin);
    heartbeats.change({})
    await until(() => daemon.heard.length === 2)
    expect(daemon.heard[1]?.cpuUsage).toBeGreaterThan(0)
  },
)

verifies(
  'ORCH-1.3-1',
  'unless told otherwise a heartbeat is due every 30 s, and they come by themselves',
  async () => {
    expect(Config.parse({}).limits.heartbeatMs).toBe(30_000)
    const { daemon, heartbeats } = await open(40)
    heartbeats.change({ status: 'working' })
    heartbeats.start()
    await until(() => daemon.heard.length >= 4)
    expect(new Set(daemon.heard.map(({ status }) => status))).toEqual(new Set(['working']))
  },
)

verifies(
  'ORCH-1.3-8',
  'nobody listens: one warning, the work goes on, and the last word is told later',
  async () => {
    const { daemon, heartbeats, logged, written } = await open()
    await daemon.goAway()
    heartbeats.change({ status: 'working', currentProjectNumber: 7 })
    await until(() => logged.length === 1)
    for (let n = 1; n <= 5; n += 1) heartbeats.change({ tasksCompleted: n })
    expect(await heartbeats.say({ currentPhase: 'verifying' })).toBeNull()
    expect(logged).toEqual([expect.stringMatching(/^warning: heartbeat: .* work goes on$/)])
    expect(written).toHaveLength(7)
    await daemon.listen()
    await until(() => daemon.heard.length > 0)
    expect(daemon.heard.at(-1)).toMatchObject({
      currentProjectNumber: 7,
      tasksCompleted: 5,
      phase: 'verifying',
    })
    await until(() => logged.length === 2)
    expect(logged[1]).toMatch(/^the daemon answers again after \d+ ms$/)
  },
)

test('beats arrive in the order in which they were said', async () => {
  const { daemon, heartbeats } = await open()
  for (let n = 1; n <= 20; n += 1) heartbeats.change({ tasksCompleted: n })
  await until(() => daemon.heard.length === 20)
  expect(daemon.heard.map(({ tasksCompleted }) => tasksCompleted)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
})

test('a pause shows at once, holds at the checkpoint, and ends when something else is wanted', async () => {
  const { daemon, heartbeats, gate, written } = await open()
  const never = new AbortController().signal
  heartbeats.change({ status: 'working' })
  await until(() => daemon.heard.length === 1)
  await gate.checkpoint(never)
  daemon.wanted = 'paused'
  const waiting = gate.pausing
  heartbeats.change({})
  await until(() => waiting.aborted)
  await until(() => daemon.heard.at(-1)?.status === 'paused')
  expect(written.at(-1)?.status).toBe('paused')
  let through = false
  const passing = gate.checkpoint(never).then(() => (through = true))
  await until(() => daemon.heard.at(-1)?.drained === true)
  expect(through).toBe(false)
  daemon.wanted = 'running'
  await passing
  await until(() => daemon.heard.at(-1)?.status === 'working')
  expect(gate.pausing.aborted).toBe(false)
})

test('an agent that is to end does not wait at the checkpoint', async () => {
  const { daemon, heartbeats, gate } = await open()
  daemon.wanted = 'paused'
  await heartbeats.say({})
  const ending = new AbortController()
  const passing = gate.checkpoint(ending.signal)
  ending.abort()
  await passing
})
