// The API goes away while an agent works: the agent goes on, and tells everything once when it is back.
import { join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { isAlive, kill, readOrEmpty, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  allEvents,
  eventsOf,
  letGo,
  mergedOnMain,
  session,
  slowRepair,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()

verifies(
  'ORCH-S5-2',
  'an agent whose daemon is killed goes on alone, and its reports arrive once when there is one again',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const first = await up(workspace, 1)
    await addRepair(first, 1)
    await untilHolding(first, 1)
    const agentPid = await pidOf(first.client)
    kill(first.pid)
    await waitGone(first.pid)
    const killedAt = new Date().toISOString()
    letGo(workspace, 'go-1')
    await eventually('the delivery in the spool', () =>
      spooled(workspace).some(({ event }) => event.type === 'verify.passed') ? true : undefined,
    )
    const alone = await eventually('the next phase in the session file', () => {
      const now = session(workspace, 1)
      return now.currentPhase === 'verifying' ? now : undefined
    })
    expect(alone).toMatchObject({ status: 'working', currentProjectNumber: 1 })
    expect(alone.lastHeartbeat > killedAt).toBe(true)
    expect(mergedOnMain(workspace)).toEqual([])
    expect(isAlive(agentPid)).toBe(true)

    const written = spooled(workspace).map(({ eventId }) => eventId)
    const second = await up(workspace, 1)
    expect(second.pid).not.toBe(first.pid)
    expect((await until(second, 1, 'done')).attempts).toBe(1)
    expect(await pidOf(second.client)).toBe(agentPid)
    const events = await eventsOf(second, 1)
    const ids = (await allEvents(second)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of written) expect(ids).toContain(id)
    const moves = events.map(({ event }) => event.type).filter((type) => !type.startsWith('run.'))
    expect(moves).toEqual([
      'item.added',
      'claim.taken',
      'build.started',
      'build.finished',
      'verify.passed',
      'review.checked',
      'review.approved',
      'merge.landed',
    ])
    expect(mergedOnMain(workspace)).toEqual(['1/1'])
    const synced = await eventually('the end in the session file', () => {
      const now = session(workspace, 1)
      return now.status === 'idle' ? now : undefined
    })
    expect(synced).toMatchObject({ tasksCompleted: 1, errorCount: 0, currentProjectNumber: null })
  },
)

interface Spooled {
  readonly eventId: string
  readonly event: { readonly type: string }
}

function spooled({ paths }: Workspace): Spooled[] {
  const lines = readOrEmpty(join(paths.spool, 'agent-1.jsonl')).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Spooled)
}

async function pidOf(client: Awaited<ReturnType<typeof up>>['client']): Promise<number> {
  const [agent] = (await client.listAgents()).items
  expect(agent?.pid).toBeGreaterThan(0)
  return agent?.pid ?? 0
}
