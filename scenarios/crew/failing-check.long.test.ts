// A health check that cannot be made holds nobody up: a table that it needs is taken away under a crew at work.
import { needPostgres } from '@treadle/requirements/need-postgres'
import { verifies } from '@treadle/requirements/verifies'
import { Client } from 'pg'
import { afterAll, expect } from 'vitest'
import { agentOf } from '../kit/agents.ts'
import { daemonLog, startDaemon } from '../kit/daemon.ts'
import { makeDatabase, type OwnDatabase } from '../kit/database.ts'
import { addRepair, letGo, slowRepair, until, untilHolding, useShops } from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'

const databases: OwnDatabase[] = []
// After the daemon, which is ended by what is registered later.
afterAll(async () => {
  for (const database of databases) await database.drop()
})
const shop = useShops()

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

verifies(
  ['ORCH-5.2-14', 'AC-5.2.f'],
  'a check that fails is logged and skipped, the others are made, and the agent works on to the end',
  async (context) => {
    const database = await makeDatabase(needPostgres(context))
    databases.push(database)
    const settings = { limits: { heartbeatMs: 100 }, monitoring: { checkMs: 300 } }
    const workspace = shop({ scripts: [slowRepair(1)], settings })
    const daemon = await startDaemon(workspace, database.url)
    const { client } = daemon
    await client.startAgents({ body: { count: 1 } })
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    await run(database.url, 'alter table treadle.cost_entries rename to cost_entries_away')
    const report = await eventually('a skipped check', async () => {
      const found = await client.healthChecks()
      return found.skipped.length > 0 ? found : undefined
    })
    expect(report.skipped).toEqual([{ check: 'budget', why: expect.stringContaining('cost_entries') }])
    const made = new Set(report.checks.map(({ check }) => check))
    expect([...made].toSorted()).toEqual(
      ['crew', 'data', 'error_rate', 'git', 'loop', 'queue', 'responsiveness', 'stuck'].toSorted(),
    )
    expect(daemonLog(workspace)).toContain('a health check could not be made and is skipped')
    const { lastHeartbeatAt: before } = await agentOf(daemon)
    await eventually('a later sign of life', async () =>
      (await agentOf(daemon)).lastHeartbeatAt === before ? undefined : true,
    )
    letGo(workspace, 'go-1')
    await until(daemon, 1, 'done')
    await run(database.url, 'alter table treadle.cost_entries_away rename to cost_entries')
    await eventually('nothing skipped', async () =>
      (await client.healthChecks()).skipped.length === 0 ? true : undefined,
    )
  },
)
