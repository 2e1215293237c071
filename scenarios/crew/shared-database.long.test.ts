// Two daemons on one PostgreSQL, each with a crew of its own: neither judges, ends or commands what is the other's.
import type { Agent } from '@treadle/contracts/agent'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { afterAll, expect, type TestContext, test, vi } from 'vitest'
import { announcedDaemon, type Daemon, treadle } from '../kit/daemon.ts'
import { makeDatabase, type OwnDatabase } from '../kit/database.ts'
import { everythingIn, isAlive, kill, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  itemNumber,
  letGo,
  session,
  slowRepair,
  until,
  untilHolding,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const databases: OwnDatabase[] = []
// After the daemons, which are ended by what is registered later.
afterAll(async () => {
  for (const database of databases) await database.drop()
})
const shop = useShops('file')
vi.setConfig({ testTimeout: 400_000 })
const scripts = [slowRepair(1), slowRepair(2)]

async function upOn(workspace: Workspace, database: string, agents: number): Promise<Daemon> {
  const args = ['up', '--detach', '--json', '--agents', String(agents)]
  const ended = await treadle(workspace, args, { DATABASE_URL: database })
  if (ended.code !== 0) throw new Error(ended.stderr)
  return announcedDaemon(workspace, ended.stdout)
}

async function running({ client }: Daemon): Promise<Agent[]> {
  return (await client.listAgents()).items.filter(({ wanted }) => wanted === 'running')
}

interface Crews {
  one: Daemon
  readonly other: Daemon
  readonly database: string
}
let opened: Promise<Crews> | undefined

/** Two workspaces with two agents and one agent, on one database; the tests run in their order with the same two. */
function twoCrews(context: TestContext): Promise<Crews> {
  const server = needPostgres(context)
  const open = async () => {
    const database = await makeDatabase(server)
    databases.push(database)
    const limits = { heartbeatMs: 200, degradedMs: 4_000, unresponsiveMs: 8_000 }
    const one = await upOn(shop({ scripts, settings: { limits } }), database.url, 2)
    const other = await upOn(shop({ scripts, settings: { limits } }), database.url, 1)
    return { one, other, database: database.url }
  }
  opened ??= open()
  return opened
}

test('the crews have different names, and orders to all concern one of them', async (context) => {
  const { one, other, database } = await twoCrews(context)
  expect((await running(one)).map(({ id }) => id)).toEqual(['agent-1', 'agent-2', 'agent-3'])
  const pids = new Map((await running(one)).map(({ id, pid }) => [id, pid ?? 0]))
  const folder = (id: string) => everythingIn(one.workspace).includes(pids.get(id) ?? 0)
  expect(['agent-1', 'agent-2', 'agent-3'].map(folder)).toEqual([true, true, false])

  const refused = await treadle(other.workspace, ['agent', 'restart', '1'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`agent-1 belongs to the daemon of `)
  expect(refused.stderr).toContain(one.workspace.root)
  const full = await treadle(other.workspace, ['up', '--detach', '--agents', '9'], { DATABASE_URL: database })
  expect(full.stderr).toContain('8 names are free')

  await treadle(other.workspace, ['stop-all', '--yes'])
  await waitGone(pids.get('agent-3') ?? 0)
  expect(isAlive(pids.get('agent-1') ?? 0) && isAlive(pids.get('agent-2') ?? 0)).toBe(true)
  expect((await running(one)).map(({ id }) => id)).toEqual(['agent-1', 'agent-2'])
})

test('an agent that dies is its own daemon’s affair; a silent one keeps its claim', async (context) => {
  const crews = await twoCrews(context)
  const { one, other, database } = crews
  const want = (order: 'start' | 'pause' | 'resume') =>
    other.client.wantAgent({ params: { id: 'agent-3', order }, body: { now: true } })
  await want('start')
  await want('pause')
  await addRepair(one, 1)
  const held = await untilHolding(one, 1)
  const holder = held.claimedByAgentId ?? 'agent-1'
  // Both the daemon and its agent are gone: the other one sees the row with a number that is no process.
  const gone = everythingIn(one.workspace)
  for (const pid of gone) kill(pid)
  for (const pid of gone) await waitGone(pid)
  const sweeps = 10
  for (let look = 0; look < sweeps; look += 1) {
    await new Promise((done) => setTimeout(done, 300))
    expect(await itemNumber(other, 1)).toMatchObject({ claimedByAgentId: holder, fence: held.fence })
  }
  const [row] = (await other.client.listAgents()).items.filter(({ id }) => id === holder)
  expect(row).toMatchObject({ wanted: 'running', errorCount: 0 })
  expect(everythingIn(other.workspace).filter((pid) => pid !== other.pid).length).toBeGreaterThan(0)

  // Its own daemon comes back, and the work goes on under the same claim.
  const again = await upOn(one.workspace, database, 2)
  crews.one = again
  letGo(one.workspace, 'go-1')
  expect(await until(again, 1, 'done')).toMatchObject({ runId: held.runId, fence: held.fence })
  expect(session(one.workspace, Number(holder.slice('agent-'.length))).status).toBe('idle')
  await want('resume')
})

test('the name of an agent whose daemon is gone for good can be freed by a person', async (context) => {
  const { one, other } = await twoCrews(context)
  const early = await treadle(other.workspace, ['agent', 'stop', '1'])
  expect(early.code).toBe(1)
  for (const id of ['agent-2', 'agent-3'])
    await (id === 'agent-2' ? one : other).client.wantAgent({
      params: { id, order: 'pause' },
      body: { now: true },
    })
  await addRepair(one, 2)
  expect(await untilHolding(one, 2)).toMatchObject({ claimedByAgentId: 'agent-1' })
  const gone = everythingIn(one.workspace)
  for (const pid of gone) kill(pid)
  for (const pid of gone) await waitGone(pid)
  await eventually(
    'its silence',
    async () => ((await treadle(other.workspace, ['agent', 'stop', '1'])).code === 0 ? true : undefined),
    60_000,
  )
  // What it held is nobody's, not the next one's of that name.
  expect(await itemNumber(other, 2)).toMatchObject({ claimedByAgentId: null, state: 'backlog' })
  await other.client.startAgents({ body: { count: 2 } })
  const alive = (await other.client.listAgents()).items.filter(({ pid }) => isAlive(pid ?? 0))
  expect(alive.map(({ id }) => id)).toEqual(['agent-1', 'agent-3'])
  letGo(other.workspace, 'go-2')
  expect(await until(other, 2, 'done')).toMatchObject({ fence: 2 })
})
