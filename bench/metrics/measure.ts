// How long the metrics take after a month of a busy crew, and how long claims take beside them.
import { randomUUID } from 'node:crypto'
import { type Item, NewItem } from '@treadle/contracts/item'
import { MetricsPeriod } from '@treadle/contracts/metrics'
import { bindAdvance } from '@treadle/flow/advance'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import { crewMetrics, PERIOD_MS } from '@treadle/flow/supervise/metrics/rates'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { type OpenStore, openStore, type StoreTarget } from '@treadle/store/connect'
import { percentile, round, table } from '../start/numbers.ts'
import { lifeOf, type Plan } from './life.ts'

/** What an answer may take (AC-5.4.b). */
export const LIMIT_MS = 1_000
const CLAIMS = 50

interface Timing {
  readonly name: string
  readonly p50: number
  readonly p99: number
}

export interface Measured {
  readonly metrics: readonly Timing[]
  readonly claims: readonly Timing[]
  /** Counted in the 30 days. */
  readonly completed: number
}

export async function measure(
  target: StoreTarget,
  plan: Plan & { turns: number; schema?: string },
): Promise<Measured> {
  // The daily export of all that was just written would be measured instead.
  const maintenanceMs = 3_600_000
  const { schema = 'treadle' } = plan
  const store = await openStore(target, { now: () => new Date(), schema, maintenanceMs })
  try {
    await store.receive(lifeOf(plan, new Date()))
    const metrics: Timing[] = []
    for (const period of MetricsPeriod.options)
      metrics.push(await timed(`metrics of ${period}`, plan.turns, () => ask(store, period)))
    const alone = await timed('a claim alone', CLAIMS, await claiming(store))
    const beside = await besideMetrics(store, await claiming(store))
    const { summary } = await ask(store, '30d')
    return { metrics, claims: [alone, beside], completed: summary.completed.inPeriod }
  } finally {
    await store.close()
  }
}

async function ask(store: OpenStore, period: MetricsPeriod) {
  const now = new Date()
  const since = new Date(now.getTime() - PERIOD_MS[period])
  return crewMetrics(await store.metrics.tally({ now, since }), { period, now, target: { min: 3, max: 10 } })
}

/** Somebody asks for the month again and again meanwhile. */
async function besideMetrics(store: OpenStore, claim: () => Promise<void>): Promise<Timing> {
  let over = false
  const asking = (async () => {
    while (!over) await ask(store, '30d')
  })()
  const found = await timed('a claim while metrics are asked for', CLAIMS, claim).finally(() => {
    over = true
  })
  await asking
  return found
}

async function claiming(store: OpenStore): Promise<() => Promise<void>> {
  const config = () => sampleConfig()
  const now = () => new Date()
  const world = {
    store,
    now,
    uuid: randomUUID,
    ...bindAdvance({ store, now, config, consequences: CONSEQUENCES }),
  }
  const free: Item[] = []
  for (let n = 0; n < CLAIMS; n += 1)
    free.push(await store.items.add(NewItem.parse({ title: 'free', projectNumber: 2 }), new Date()))
  return async () => {
    const item = free.pop()
    if (item === undefined) throw new Error('no item is left to claim')
    const { projectNumber, number } = item
    const found = await runClaim(world, {
      item: { projectNumber, number },
      agentId: 'agent-1',
      requestId: null,
    })
    if (found.is !== 'claimed') throw new Error(found.is)
  }
}

async function timed(name: string, turns: number, act: () => Promise<unknown>): Promise<Timing> {
  const took: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const started = performance.now()
    await act()
    took.push(performance.now() - started)
  }
  return { name, p50: percentile(took, 50), p99: percentile(took, 99) }
}

export function printed(title: string, { metrics, claims, completed }: Measured): string {
  const row = ({ name, p50, p99 }: Timing, limit: string) => [name, round(p50), round(p99), limit]
  return table(`${title}, ${completed} items completed`, [
    ['', 'p50 ms', 'p99 ms', 'p50 to the limit'],
    ...metrics.map((timing) => row(timing, (timing.p50 / LIMIT_MS).toFixed(2))),
    ...claims.map((timing) => row(timing, '')),
  ])
}
