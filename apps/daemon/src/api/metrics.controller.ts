import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { CrewMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import { type MetricsMemory, runMetrics } from '@treadle/flow/supervise/metrics/metrics.run'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class MetricsController {
  readonly world: World
  /** The last known figures live as long as the daemon. */
  readonly memory: MetricsMemory = new Map()
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('crewMetrics')
  crew(@Given() { query }: GivenOf<'crewMetrics'>): Promise<Answer<'crewMetrics'>> {
    return this.figures(query.period)
  }

  @Serve('agentMetrics')
  async agent(@Given() { params, query }: GivenOf<'agentMetrics'>): Promise<Answer<'agentMetrics'>> {
    const { agents } = await this.figures(query.period)
    const found = agents.find(({ agentId }) => agentId === params.id)
    if (found === undefined)
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no agent ${params.id}.`,
        hint: 'treadle agents lists those there are.',
      })
    return found
  }

  @Serve('listImprovementMetrics')
  async improvements(
    @Given() { query }: GivenOf<'listImprovementMetrics'>,
  ): Promise<Answer<'listImprovementMetrics'>> {
    return { items: await this.world.store.improvementMetrics.list(query) }
  }

  private async figures(asked: MetricsPeriod): Promise<CrewMetrics> {
    const { store, now, config, log } = this.world
    const measured = await runMetrics(
      {
        store,
        now,
        config,
        onFailing: (period, error) => log.error({ err: error, period }, 'metrics could not be calculated'),
        onMended: (period) => log.info({ period }, 'metrics can be calculated again'),
      },
      this.memory,
      asked,
    )
    if (measured.is === 'measured') return measured.figures
    throw new ProblemError(503, {
      code: 'store_unavailable',
      message: `The metrics could not be calculated, and there are none of before: ${measured.stale.why}`,
      hint: 'Try again; if it stays, see .treadle/logs/daemon.log',
    })
  }
}
