// What the machine has for the crew: fewer agents claim while memory or load is over a limit, and calls of models are
// one pool for all. Over the API; agents are played by hand.
import { randomUUID } from 'node:crypto'
import type { AgentId } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import { addItem, begin, build, itemOf, take } from '../kit/hand-agent.ts'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { changeSettings } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

/** No machine has so much, and every one has more than 1 MB. */
const MORE_THAN_THERE_IS = 2_000_000_000
const LITTLE = 1

const open = useInProcess('any', {
  settings: { limits: { sweepMs: 300, memoryFreeMb: LITTLE, loadPerCore: 10_000, callsAtOnce: 2 } },
})

const resourcesOf = async ({ client }: InProcessDaemon) => {
  const { resources } = await client.workspace()
  if (resources === null) throw new Error('the daemon does not say what the machine has')
  return resources
}

const untilPressed = (daemon: InProcessDaemon, isPressed: boolean) =>
  eventually(`pressure: ${isPressed}`, async () => {
    const found = await resourcesOf(daemon)
    return found.pressure.length > 0 === isPressed ? found : undefined
  })

const told = async ({ client }: InProcessDaemon, type: 'resources.short' | 'resources.enough') =>
  (await client.events({ query: { type } })).items.map(({ event }) => event)

verifies(
  'ORCH-S5-24',
  'while memory is short one agent works at a time: work in hand goes on, nobody adds to it, and everybody is told',
  async (context) => {
    const daemon = await open(context)
    const { client, workspace } = daemon
    const calm = await untilPressed(daemon, false)
    expect(calm).toMatchObject({ since: null, calls: { atOnce: 2, underWay: 0, waiting: 0 } })
    expect(calm.memoryFreeMb).toBeGreaterThan(0)
    expect(calm.cores.count).toBeGreaterThan(0)
    expect(await told(daemon, 'resources.short')).toEqual([])

    await changeSettings(daemon, { limits: { memoryFreeMb: MORE_THAN_THERE_IS } })
    const short = await untilPressed(daemon, true)
    expect(short.pressure).toEqual([
      expect.stringMatching(/^memory is short: \d+ MB are free, \d+ MB are wanted/),
    ])
    expect(Date.parse(short.since ?? '')).toBeGreaterThan(0)
    // Nobody is at work, so one may begin; the second may not, and is told why.
    expect((await client.workspace()).holds).toEqual([])
    const work = await begin(daemon, { title: 'The one' })
    const waiting = await addItem(client, { title: 'Another' })
    await expect(take(daemon, waiting, 'agent-2')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('memory is short'),
    })
    const [hold] = (await client.workspace()).holds
    expect(hold).toContain('until there is enough, one agent works at a time')
    // What is in hand goes on: reports and signs of life are taken as ever.
    await build(work)
    expect((await itemOf(work)).state).toBe('verifying')
    const beat = await client.heartbeat({ params: { id: 'agent-1' }, body: beatOf('agent-1') })
    expect(beat.runId).toBe(work.claim.run.id)

    const status = await run(workspace, ['status'])
    expect(status.stdout).toContain('One agent works at a time: memory is short: ')
    expect(status.stdout).not.toContain('No new item is claimed')
    expect(JSON.parse((await run(workspace, ['status', '--json'])).stdout).resources.pressure).toHaveLength(1)
    const doctor = await run(workspace, ['doctor', '--no-try', '--json'])
    const { findings } = JSON.parse(doctor.stdout) as {
      findings: { what: string; is: string; found: string }[]
    }
    expect(findings.find(({ what }) => what === 'machine')).toMatchObject({
      is: 'note',
      found: expect.stringContaining('memory is short'),
    })
    expect(await told(daemon, 'resources.short')).toEqual([
      expect.objectContaining({ memory: true, load: false, why: expect.stringContaining('memory is short') }),
    ])

    await changeSettings(daemon, { limits: { memoryFreeMb: LITTLE } })
    await untilPressed(daemon, false)
    await take(daemon, waiting, 'agent-2')
    expect(await told(daemon, 'resources.short')).toHaveLength(1)
    const ended = await eventually('the end is told', async () => {
      const found = await told(daemon, 'resources.enough')
      return found.length > 0 ? found : undefined
    })
    expect(ended).toHaveLength(1)
    expect((await run(workspace, ['status'])).stdout).not.toContain('One agent works')
  },
)

verifies(
  'ORCH-S5-24',
  'calls of models are one pool: so many are under way at once, the others go in their order as soon as one ends',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const call = (n: number) => {
      const id = randomUUID()
      const asked = { id, agentId: `agent-${n}` as AgentId, pid: 1_000 + n, model: 'some-model' }
      return {
        id,
        ask: (waitMs = 0) => client.beginModelCall({ body: { ...asked, waitMs } }),
        goesOn: () => client.beginModelCall({ body: { ...asked, goesOn: true } }),
        end: () => client.endModelCall({ params: { id } }),
      }
    }
    const counts = async () => (await resourcesOf(daemon)).calls
    const [one, two, three, four] = [call(3), call(4), call(5), call(6)] as const
    expect([await one.ask(), await two.ask()]).toEqual([{ is: 'go' }, { is: 'go' }])
    expect(await three.ask()).toEqual({ is: 'wait', ahead: 0 })
    expect(await four.ask()).toEqual({ is: 'wait', ahead: 1 })
    expect(await counts()).toEqual({ atOnce: 2, underWay: 2, waiting: 2 })
    expect((await run(daemon.workspace, ['status'])).stdout).toContain('2 calls of models wait for a turn')
    // Both wait for their turn; who asked first has it first, and at once.
    const third = three.ask(30_000)
    const fourth = four.ask(30_000)
    await two.end()
    expect(await third).toEqual({ is: 'go' })
    expect(await counts()).toEqual({ atOnce: 2, underWay: 2, waiting: 1 })
    await one.end()
    expect(await fourth).toEqual({ is: 'go' })
    expect(await one.end()).toEqual({})

    // A call that this daemon has never heard of, of before its start say, counts as soon as it is told.
    const earlier = call(7)
    expect(await earlier.goesOn()).toEqual({ is: 'go' })
    expect(await counts()).toEqual({ atOnce: 2, underWay: 3, waiting: 0 })
    await three.end()
    const last = call(8)
    expect(await last.ask()).toEqual({ is: 'wait', ahead: 0 })
    for (const each of [four, earlier, last]) await each.end()
    expect(await counts()).toEqual({ atOnce: 2, underWay: 0, waiting: 0 })
  },
)

test('who hangs up does not keep the next from its turn', async (context) => {
  const daemon = await open(context)
  const { url, token } = daemon
  const post = (n: number, waitMs: number, signal?: AbortSignal) =>
    fetch(`${url}/api/model-calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: randomUUID(), agentId: `agent-${n}`, pid: n, model: 'm', waitMs }),
      ...(signal === undefined ? {} : { signal }),
    })
  const counts = async () => (await resourcesOf(daemon)).calls
  await changeSettings(daemon, { limits: { callsAtOnce: 1 } })
  await eventually('an empty pool', async () => {
    const { waiting, underWay } = await counts()
    return waiting + underWay === 0 ? true : undefined
  })
  expect(await (await post(1, 0)).json()).toEqual({ is: 'go' })
  const leaving = new AbortController()
  const gone = post(2, 60_000, leaving.signal).catch(() => 'gone')
  await eventually('one waits', async () => ((await counts()).waiting === 1 ? true : undefined))
  leaving.abort()
  expect(await gone).toBe('gone')
  await eventually('nobody waits', async () => ((await counts()).waiting === 0 ? true : undefined))
})

function beatOf(agentId: AgentId) {
  return {
    agentId,
    status: 'working' as const,
    currentProjectNumber: null,
    timestamp: new Date().toISOString(),
    memoryUsage: 1,
    cpuUsage: 0,
    pid: process.pid,
    engine: 'none',
    phase: null,
    tasksCompleted: 0,
    errorCount: 0,
    lastError: null,
  }
}
