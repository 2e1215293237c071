import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import type { NewCost } from '@treadle/contracts/routes/costs'
import { openPrices } from '@treadle/engines/prices'
import {
  type PricedCost,
  runAdvice,
  runLog,
  runReserve,
  runSeries,
  runSettle,
  runTotals,
} from '@treadle/flow/supervise/spend/spend.run'
import { WORLD, type World } from '../world.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class CostsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('logCost')
  async log(@Given() { body }: GivenOf<'logCost'>): Promise<Answer<'logCost'>> {
    const { id, ...cost } = body
    const logged = await runLog(this.world, id ?? this.world.uuid(), this.priced(cost))
    if (logged.is !== 'duplicate') await this.world.budget.look(this.world)
    return logged
  }

  @Serve('costTotals')
  totals(@Given() { query }: GivenOf<'costTotals'>): Promise<Answer<'costTotals'>> {
    return runTotals(this.world, query.period)
  }

  @Serve('costSeries')
  series(@Given() { query }: GivenOf<'costSeries'>): Promise<Answer<'costSeries'>> {
    return runSeries(this.world, query.days)
  }

  @Serve('budgetAdvice')
  advice(@Given() _: GivenOf<'budgetAdvice'>): Promise<Answer<'budgetAdvice'>> {
    return runAdvice(this.world)
  }

  @Serve('reserveCost')
  async reserve(@Given() { body }: GivenOf<'reserveCost'>): Promise<Answer<'reserveCost'>> {
    const granting = await runReserve(this.world, body)
    if (granting.is === 'refused') this.lookSoon()
    return granting
  }

  @Serve('settleCost')
  async settle(@Given() { body }: GivenOf<'settleCost'>): Promise<Answer<'settleCost'>> {
    const { cost } = body
    const settled = await runSettle(this.world, { ...body, cost: cost === null ? null : this.priced(cost) })
    if (settled.settled || settled.next?.is === 'refused') this.lookSoon()
    return settled
  }

  /** Whoever did not say what a call has cost has it worked out. */
  private priced(cost: Omit<NewCost, 'id'>): PricedCost {
    if (cost.costUSD !== null) return { ...cost, costUSD: cost.costUSD }
    const { model, tokens } = cost
    const call = { model, inputTokens: tokens.input, outputTokens: tokens.output }
    const { usd, warning } = openPrices(this.world.config().engines.prices)(call)
    if (warning !== null) this.world.log.warn(warning)
    return { ...cost, costUSD: usd }
  }

  /** Not waited for: the agent that asks may be among those that are stopped. */
  private lookSoon(): void {
    void this.world.budget.look(this.world)
  }
}
