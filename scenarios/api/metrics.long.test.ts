// Metrics over the API and on the command line, of items that are really delivered and merged.
import { ApiError } from '@treadle/contracts/client'
import { verifies } from '@treadle/requirements/verifies'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { type Daemon, DRIVERS, daemonLog, startDaemon, treadle, usePlaces } from '../kit/daemon.ts'
import { begin, deliver, itemOf, path } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

const settings = { settings: { merge: { approval: 'human' } } } as const
/** What a completed item may take to be in the figures. */
const COUNTED_MS_MAX = 10_000

const figuresOf = ({ client }: Daemon, id = 'agent-1') =>
  client.agentMetrics({ params: { id }, query: { period: '24h' } })

async function merge(daemon: Daemon, file: string, usd: number): Promise<void> {
  const { client } = daemon
  const work = await begin(daemon)
  const { projectNumber, number: itemNumber } = work.ref
  const spent = {
    agentId: 'agent-1',
    projectNumber,
    itemNumber,
    tokens: { input: 1, output: 1 },
    costUSD: usd,
  }
  await client.logCost({ body: { ...spent, timestamp: new Date().toISOString() } })
  await deliver(daemon.workspace, work, { [file]: 'new\n' })
  await client.approveItem({ params: path(work.ref), body: { by: 'Ada' } })
  await eventually(`#${itemNumber} done`, async () =>
    (await itemOf(work)).state === 'done' ? true : undefined,
  )
}

describe.each(DRIVERS)('metrics on the %s database', (driver) => {
  const place = usePlaces(driver)
  const here = useInProcess(driver, settings)
  let started: Promise<{ daemon: Daemon; databaseUrl: string | undefined }> | undefined
  const open = (context: Parameters<typeof place>[0]) => {
    // What is done to the server's tables wants a database of its own.
    started ??=
      driver === 'embedded'
        ? here(context).then((daemon) => ({ daemon, databaseUrl: undefined }))
        : place(context, settings).then(async ({ workspace, databaseUrl }) => ({
            daemon: await startDaemon(workspace, databaseUrl),
            databaseUrl,
          }))
    return started
  }

  verifies(
    ['ORCH-5.4-7', 'AC-5.4.a'],
    'an item that is merged is in the figures of its agent within ten seconds, with its cost',
    async (context) => {
      const { daemon } = await open(context)
      const { client } = daemon
      await merge(daemon, 'one.txt', 1.25)
      const first = await eventually(
        'the item in the figures',
        async () => {
          const found = await figuresOf(daemon)
          return found.tasksCompleted.total === 1 ? found : undefined
        },
        COUNTED_MS_MAX,
      )
      expect(first).toMatchObject({
        agentId: 'agent-1',
        period: '24h',
        role: 'build',
        tasksCompleted: { total: 1, last24h: 1, last7d: 1, inPeriod: 1 },
        reviewPassRate: 1,
        reviewsPerItem: 1,
        mergePassRate: 1,
        costUSD: 1.25,
        costPerItemUSD: 1.25,
        errors: 0,
        errorsPerItem: 0,
        stale: null,
      })
      expect(first.averageCycleMs).toBeGreaterThan(0)
      await merge(daemon, 'two.txt', 0.25)
      const crew = await client.crewMetrics({ query: { period: '30d' } })
      expect(crew.summary).toMatchObject({
        completed: { total: 2, inPeriod: 2 },
        costUSD: 1.5,
        costPerItemUSD: 0.75,
      })
      expect(crew.loop).toMatchObject({ queueDepth: 0, level: 'low', target: { min: 3, max: 10 } })
      expect(crew.agents.find(({ agentId }) => agentId === 'agent-1')?.costUSD).toBe(1.5)
      const { days } = await client.costSeries({ query: { days: 7 } })
      expect(days).toHaveLength(7)
      expect(days.reduce((sum, { usd }) => sum + usd, 0)).toBe(1.5)
      expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
      const improvements = await eventually('the look back', async () => {
        const { items } = await client.listImprovementMetrics({ query: { metric: 'first_pass_success' } })
        return items.length === 2 ? items : undefined
      })
      expect(improvements.map(({ agentId, value }) => [agentId, value])).toEqual([
        ['agent-1', 1],
        ['agent-1', 1],
      ])
      expect((await figuresOf(daemon)).firstPassSuccess).toBe(1)
    },
  )

  test('who is not there has no figures, and a period that is none is refused', async (context) => {
    const { daemon } = await open(context)
    await expect(figuresOf(daemon, 'agent-99')).rejects.toThrow('There is no agent agent-99')
    const asked = await fetch(`${daemon.url}/api/metrics?period=1y`, {
      headers: { authorization: `Bearer ${daemon.token}` },
    })
    expect(asked.status).toBe(400)
  })

  // Only a server lets somebody else in; the embedded database is shown the same without a daemon.
  if (driver === 'server')
    verifies(
      ['ORCH-5.4-12', 'AC-5.4.e'],
      'with a table away the last figures are answered as stale, or a problem where there are none',
      async (context) => {
        const { daemon, databaseUrl } = await open(context)
        if (databaseUrl === undefined) throw new Error('a server has an address')
        const { client, workspace } = daemon
        const good = await client.crewMetrics({ query: { period: '24h' } })
        await onServer(databaseUrl, 'alter table treadle.improvement_metrics rename to away')
        const stale = await client.crewMetrics({ query: { period: '24h' } })
        expect(stale.summary).toEqual(good.summary)
        expect(stale.calculatedAt).toBe(good.calculatedAt)
        expect(stale.stale?.why).toContain('improvement_metrics')
        expect(Date.parse(stale.stale?.since ?? '')).toBeGreaterThan(Date.parse(good.calculatedAt))
        expect((await figuresOf(daemon)).stale).toEqual({ ...stale.stale })
        expect(daemonLog(workspace)).toContain('metrics could not be calculated')
        const none = await client.crewMetrics({ query: { period: '7d' } }).catch((error: unknown) => error)
        expect(none).toBeInstanceOf(ApiError)
        expect(none).toMatchObject({
          status: 503,
          message: expect.stringContaining('there are none of before'),
        })
        // The crew does not notice: an item is added and claimed as ever.
        await begin(daemon)
        await onServer(databaseUrl, 'alter table treadle.away rename to improvement_metrics')
        expect((await figuresOf(daemon)).stale).toBeNull()
      },
    )

  test('the command line shows the same figures, side by side and of one agent', async (context) => {
    const { daemon } = await open(context)
    const { workspace } = daemon
    const crew = await treadle(workspace, ['metrics'])
    expect(crew.stdout).toMatch(/^agent-1\t2\t.*\$0\.75/m)
    expect(crew.stdout).toContain('Queue: 0 low (3 to 10 is right)')
    const one = await treadle(workspace, ['metrics', '1', '--period', '24h'])
    expect(one.stdout).toContain('2 (24 hours: 2, 7 days: 2, in all: 2)')
    const asJson = await treadle(workspace, ['metrics', 'agent-1', '--json'])
    expect(JSON.parse(asJson.stdout)).toMatchObject({ agentId: 'agent-1', tasksCompleted: { total: 2 } })
    expect((await treadle(workspace, ['metrics', '--period', '1y'])).code).toBe(2)
  })
})

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
