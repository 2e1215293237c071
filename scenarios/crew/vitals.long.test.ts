// Heartbeats and health, as a real agent and ten played ones give them, and what is seen without a daemon.
import type { AgentStatus, Heartbeat } from '@treadle/contracts/agent'
import { verifies } from '@treadle/requirements/verifies'
import { expectWithin, timed } from '@treadle/requirements/within'
import { expect } from 'vitest'
import { untilAgent } from '../kit/agents.ts'
import { treadle } from '../kit/daemon.ts'
import { isAlive, kill, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  letGo,
  session,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const shop = useShops()
const SOON = { heartbeatMs: 100, degradedMs: 4_000, unresponsiveMs: 12_000 }

verifies(
  ['AC-1.3.a', 'AC-1.3.b'],
  'an agent beats with its status from start to stop; when it goes silent it is degraded, then unresponsive',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1)], settings: { limits: SOON } })
    const daemon = await up(workspace, 1)
    const beats = async () => (await daemon.client.heartbeats({ params: { id: 'agent-1' } })).items
    const tenOf = (status: AgentStatus) =>
      eventually(`ten heartbeats that say ${status}`, async () => {
        const items = await beats()
        return items.length === 10 && items.every((beat) => beat.status === status) ? items : undefined
      })
    await tenOf('idle')
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    const working = await tenOf('working')
    expect(new Set(working.map(({ timestamp }) => timestamp)).size).toBe(10)
    expect(
      working.every(({ currentProjectNumber, memoryUsage }) => currentProjectNumber === 1 && memoryUsage > 0),
    ).toBe(true)
    const { pid } = await untilAgent(daemon, 'well', ({ health }) => health === 'healthy')
    process.kill(pid ?? 0, 'SIGSTOP')
    const seen: string[] = []
    await eventually('the end of its health', async () => {
      const { agents, degraded, unresponsive } = await daemon.client.crewHealth()
      const health = agents[0]?.health ?? ''
      if (seen.at(-1) !== health) seen.push(health)
      if (health === 'degraded') expect([degraded, unresponsive]).toEqual([1, 0])
      return unresponsive === 1 ? true : undefined
    })
    expect(seen.slice(-3)).toEqual(['healthy', 'degraded', 'unresponsive'])
    process.kill(pid ?? 0, 'SIGCONT')
    letGo(workspace, 'go-1')
    await until(daemon, 1, 'done')
    await tenOf('idle')
    await told(workspace, 'agent', 'stop', '1')
    expect((await beats())[0]?.status).toBe('stopped')
  },
)

verifies(
  ['ORCH-1.3-9', 'AC-1.3.e'],
  'ten agents beat at the same time over the API: none is lost, and one question tells how all of them are',
  async () => {
    const workspace = shop({ scripts: [] })
    const { client } = await up(workspace, 0)
    const ids = Array.from({ length: 10 }, (_, index) => `agent-${index + 1}`)
    const beat = (agentId: string, n: number): Heartbeat => ({
      agentId,
      status: 'idle',
      currentProjectNumber: null,
      timestamp: new Date().toISOString(),
      memoryUsage: 64,
      cpuUsage: n,
      pid: 4_000 + n,
      engine: 'scripted',
      phase: null,
      tasksCompleted: n,
      errorCount: 0,
      lastError: null,
      drained: false,
    })
    const sent = ids.flatMap((id) => Array.from({ length: 10 }, (_, n) => ({ id, n })))
    await Promise.all(sent.map(({ id, n }) => client.heartbeat({ params: { id }, body: beat(id, n) })))
    for (const id of ids) {
      const { items } = await client.heartbeats({ params: { id } })
      expect(items.map(({ tasksCompleted }) => tasksCompleted).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, n) => n),
      )
    }
    const health = await client.crewHealth()
    expect(health).toMatchObject({ healthy: 10, degraded: 0, unresponsive: 0 })
    await expectWithin(500, () => timed(() => client.crewHealth()))
    expect(health.agents.map(({ agentId }) => agentId)).toEqual(ids)
    expect(
      health.agents.every(({ memoryUsage, timestamp }) => memoryUsage === 64 && timestamp !== null),
    ).toBe(true)
    const strange = client.heartbeat({ params: { id: 'agent-1' }, body: beat('agent-2', 0) })
    await expect(strange).rejects.toMatchObject({ status: 400, code: 'bad_request' })
  },
)

verifies(
  ['AC-1.3.c', 'ORCH-S1-6', 'ORCH-S1-7'],
  'no daemon answers: the user is warned, and reads from the session files what the agents go on with',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const daemon = await up(workspace, 2)
    await addRepair(daemon, 1)
    const held = await untilHolding(daemon, 1)
    const agents = (await daemon.client.listAgents()).items
    kill(daemon.pid)
    await waitGone(daemon.pid)
    const ended = await treadle(workspace, ['status'])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/The daemon does not answer/)
    expect(ended.stdout).toMatch(new RegExp(`${held.claimedByAgentId} .*: working, on #1 \\(building\\)`))
    const seen = await told<{ running: boolean; sessions: { agentId: string; status: string }[] }>(
      workspace,
      'status',
    )
    expect(seen.running).toBe(false)
    expect(seen.sessions.map(({ agentId }) => agentId)).toEqual(['agent-1', 'agent-2'])
    letGo(workspace, 'go-1')
    const n = Number(held.claimedByAgentId?.slice('agent-'.length))
    await eventually('the next phase in the session file', () =>
      session(workspace, n).currentPhase === 'verifying' ? true : undefined,
    )
    expect(agents.every(({ pid }) => isAlive(pid ?? 0))).toBe(true)
    const again = await up(workspace, 2)
    expect((await again.client.listAgents()).items.map(({ pid }) => pid)).toEqual(
      agents.map(({ pid }) => pid),
    )
    await until(again, 1, 'done')
  },
)
