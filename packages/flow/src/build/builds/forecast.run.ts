// What a build is likely to cost, asked of the crew's own past.
import type { BuildForecast } from '@treadle/contracts/build'
import type { BuildWorld } from './build-world.ts'
import { type FinishedItem, forecastOf } from './forecast.ts'

/** As many finished items are looked at, the newest. */
const FINISHED_MAX = 100
const BUILDS_MAX = 100
const RUNS_MAX = 20
const HOUR_MS = 3_600_000

export async function runForecast(
  { store, config }: Pick<BuildWorld, 'store' | 'config'>,
  tasks: number,
): Promise<BuildForecast> {
  const { items } = await store.items.board({ openMax: 0, endedMax: FINISHED_MAX })
  const finished: FinishedItem[] = []
  for (const item of items.filter(({ state }) => state === 'done')) {
    const runs = await store.runs.ofItem(item, RUNS_MAX)
    const ms = runs.reduce(
      (sum, { startedAt, endedAt }) =>
        sum + (endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt)),
      0,
    )
    const usd = runs.flatMap(({ usage }) => usage).reduce((sum, each) => sum + (each.usd ?? 0), 0)
    if (runs.length > 0) finished.push({ usd, hours: ms / HOUR_MS })
  }
  const builds = (await store.builds.list(BUILDS_MAX)).filter(({ status }) => status === 'completed')
  return forecastOf({ tasks, agents: config().agents.maxConcurrent, finished, builds })
}
