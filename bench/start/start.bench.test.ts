// How soon the daemon answers, what it weighs, and what a move costs, on both databases in one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, type TestContext, test } from 'vitest'
import { type Daemon, DRIVERS, type DriverName, stopDaemon, usePlaces } from '../../scenarios/kit/daemon.ts'
import { keepCost, measureCost, printedCost } from './cost.ts'
import { addItems, memoryIdle, memoryOf, timeMoves, timeStart, timeUpdates } from './measure.ts'
import { median, percentile, ratio, round, table } from './numbers.ts'

const STARTS = 3
const ITEMS = 200
const MOVES = 300

const places = { embedded: usePlaces('embedded'), server: usePlaces('server') }
const templates = mkdtempSync(join(tmpdir(), 'treadle-bench-'))
afterAll(() => rmSync(templates, { recursive: true, force: true }))

const print = (text: string) => process.stdout.write(text)

test('from treadle up to the first answer', async (context) => {
  const later: Record<DriverName, number[]> = { embedded: [], server: [] }
  const first: Record<DriverName, number[]> = { embedded: [], server: [] }
  const bare: number[] = []
  for (let turn = 0; turn < STARTS; turn += 1) {
    bare.push(await startOnce(context, 'embedded', false))
    for (const driver of DRIVERS) {
      const place = await places[driver](context)
      const start = await timeStart(place.workspace, place.databaseUrl)
      first[driver].push(start.ms)
      await stopDaemon(start.daemon)
      const again = await timeStart(place.workspace, place.databaseUrl)
      later[driver].push(again.ms)
      await stopDaemon(again.daemon)
    }
  }
  const base = median(later.server)
  const row = (name: string, took: number[]) => [
    name,
    round(median(took), 0),
    round(Math.min(...took), 0),
    round(Math.max(...took), 0),
    ratio(median(took), base),
  ]
  print(
    table(`treadle up to first /health, ms, ${STARTS} starts each`, [
      ['', 'median', 'min', 'max', 'to later on PostgreSQL'],
      row('embedded, first, no template', bare),
      row('embedded, first, from template', first.embedded),
      row('embedded, later', later.embedded),
      row('PostgreSQL, first', first.server),
      row('PostgreSQL, later', later.server),
    ]),
  )
  expect(
    Math.min(...bare, ...first.embedded, ...later.embedded, ...first.server, ...later.server),
  ).toBeGreaterThan(0)
})

async function startOnce(
  context: TestContext,
  driver: DriverName,
  sharesTemplates: boolean,
): Promise<number> {
  const { workspace, databaseUrl } = await places[driver](context, { sharesTemplates })
  const { ms, daemon } = await timeStart(workspace, databaseUrl)
  await stopDaemon(daemon)
  return ms
}

interface Found {
  readonly idle: number
  readonly filled: number
  readonly moves: number[]
  readonly updates: number[]
}

test('memory, and the cost of a move', async (context) => {
  const found: Partial<Record<DriverName, Found>> = {}
  for (const driver of DRIVERS) {
    const place = await places[driver](context)
    const { daemon } = await timeStart(place.workspace, place.databaseUrl)
    found[driver] = await measure(daemon, place.databaseUrl)
    await stopDaemon(daemon)
  }
  const { embedded, server } = found
  if (embedded === undefined || server === undefined) throw new Error('a driver was not measured')
  const memory = (name: string, of: (one: Found) => number) => [
    name,
    round(of(embedded), 0),
    round(of(server), 0),
    ratio(of(embedded), of(server)),
  ]
  const head = ['', 'embedded', 'PostgreSQL', 'ratio']
  print(
    table('memory of the daemon, MiB resident', [
      head,
      memory('idle', ({ idle }) => idle),
      memory(`after ${ITEMS} items`, ({ filled }) => filled),
    ]),
  )
  const cost = (name: string, of: (one: Found) => number) => [
    name,
    round(of(embedded), 2),
    round(of(server), 2),
    ratio(of(embedded), of(server)),
  ]
  const p = (of: (one: Found) => number[], percent: number) => (one: Found) => percentile(of(one), percent)
  const over = (percent: number) => (one: Found) =>
    percentile(one.moves, percent) / percentile(one.updates, percent)
  const times = (percent: number) => [
    `move to update, p${percent}`,
    `${round(over(percent)(embedded))} x`,
    `${round(over(percent)(server))} x`,
    '',
  ]
  print(
    table(`one move over the API, and one bare update, ms, ${MOVES} each`, [
      head,
      cost(
        'move, p50',
        p(({ moves }) => moves, 50),
      ),
      cost(
        'move, p95',
        p(({ moves }) => moves, 95),
      ),
      cost(
        'bare update, p50',
        p(({ updates }) => updates, 50),
      ),
      cost(
        'bare update, p95',
        p(({ updates }) => updates, 95),
      ),
      times(50),
      times(95),
    ]),
  )
  expect(embedded.moves).toHaveLength(MOVES)
  expect(server.moves).toHaveLength(MOVES)
})

async function measure(daemon: Daemon, databaseUrl: string | undefined): Promise<Found> {
  const idle = await memoryIdle(daemon)
  await addItems(daemon, ITEMS)
  const filled = memoryOf(daemon)
  const moves = await timeMoves(daemon, MOVES)
  const target =
    databaseUrl === undefined
      ? ({ is: 'embedded', dir: join(templates, 'store') } as const)
      : ({ is: 'server', url: databaseUrl } as const)
  return { idle, filled, moves, updates: await timeUpdates(target, templates, MOVES) }
}

test('what a start costs and what waits weighs, beside the limits', async () => {
  const cost = await measureCost(STARTS)
  keepCost(cost)
  print(printedCost(cost))
  expect(cost.daemonMb).toHaveLength(STARTS)
  expect(cost.agentsMb).toBeGreaterThan(0)
})
