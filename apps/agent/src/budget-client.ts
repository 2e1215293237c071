// Reserves before a call and settles after it; while the daemon is away, at the worst case and on the agent's own book.
import { randomUUID } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import { asksModel } from '@treadle/contracts/config/engines'
import { usualModel } from '@treadle/contracts/config/models'
import { type CostId, type Reservation, THOUGHT_PROJECT } from '@treadle/contracts/cost'
import type { AgentId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { EngineOutcome, Usage } from '@treadle/contracts/run'
import type { Thought } from '@treadle/contracts/thought'
import { usd } from '@treadle/contracts/words/money'
import { chargeOf, openPrices } from '@treadle/engines/prices'
import { messageOf } from '@treadle/flow/fault'
import { type BudgetClient, decideRest, type Spending } from '@treadle/flow/ports/budget'
import type { Clock } from '@treadle/flow/ports/clock'
import type { CostBook, Settlement } from './cost-book.ts'
import type { Home } from './home.ts'

/** What a turn is paid for: an item under its claim, or a thought, which may be the judgement of an item's delivery. */
export type Hold =
  | { readonly item: ItemRef; readonly run: { readonly id: RunId }; readonly fence: number }
  | { readonly thought: string; readonly fence: number; readonly work: Thought['work'] }

export interface BudgetClientDeps {
  readonly id: AgentId
  readonly held: Hold
  readonly home: Home
  readonly book: CostBook
  readonly clock: Clock
  readonly config: Config
  readonly log: (message: string) => void
  /** What the last call of an engine has cost in an earlier run of this agent. */
  readonly lastCallUSD: Map<string, number>
}

type ReserveAnswer =
  /** `alone`: not by the daemon, which does not know of it yet. */
  | { readonly is: 'granted'; readonly id: CostId; readonly alone: boolean }
  | { readonly is: 'not_now'; readonly why: string; readonly isItemSpent: boolean }

export function openBudgetClient(deps: BudgetClientDeps): BudgetClient {
  const dearest = new Map<string, number>()
  return {
    begin: async (engine, { signal, stop }) => {
      const turn = new TurnSpending(deps, { engine, dearest }, stop)
      await turn.begin(signal)
      return turn
    },
  }
}

class TurnSpending implements Spending {
  readonly #deps: BudgetClientDeps
  readonly #engine: string
  /** What one call of an engine has cost at most in this run: the next may cost as much. */
  readonly #dearest: Map<string, number>
  readonly #stop: () => void
  /** The reservation of the call that may be under way. */
  #current: { readonly id: CostId; readonly alone: boolean } | null = null
  #calls = 0
  /** What this item may cost is spent. */
  #over: string | null = null
  readonly #warned = new Set<string>()
  #line: Promise<void> = Promise.resolve()

  constructor(
    deps: BudgetClientDeps,
    { engine, dearest }: { engine: string; dearest: Map<string, number> },
    stop: () => void,
  ) {
    this.#deps = deps
    this.#engine = engine
    this.#dearest = dearest
    this.#stop = stop
  }

  async begin(signal: AbortSignal): Promise<void> {
    const { clock, config, log } = this.#deps
    for (let said = ''; ; ) {
      const asked = await this.#ask(null)
      if (asked.is === 'granted') {
        this.#current = asked
        return
      }
      this.#over = asked.isItemSpent ? asked.why : null
      if (asked.isItemSpent) return
      if (asked.why !== said) log(`no call is made yet: ${asked.why}`)
      said = asked.why
      await clock.sleep(config.limits.pollMs, signal)
    }
  }

  used(usage: Usage): void {
    this.#calls += 1
    const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
    const input = usage.inputTokens + cacheReadTokens + cacheWriteTokens
    const tokens = { input, output: usage.outputTokens }
    const { engines, limits } = this.#deps.config
    const prices = openPrices(engines.prices, limits.assumedCallUSD)
    const { usd: costUSD, warning, assumed = false } = chargeOf(prices, usage)
    if (warning !== null && !this.#warned.has(warning)) this.#deps.log(`warning: ${warning}`)
    if (warning !== null) this.#warned.add(warning)
    this.#deps.lastCallUSD.set(this.#engine, costUSD)
    this.#dearest.set(this.#engine, Math.max(this.#dearest.get(this.#engine) ?? 0, costUSD))
    // A call that was not granted, because the engine was faster than the refusal, has cost money all the same.
    const cost = { ...this.#cost(usage.model, costUSD), tokens, assumed }
    this.#line = this.#line.then(() => this.#goOn(cost))
  }

  over(): string | null {
    return this.#over
  }

  ready(): Promise<void> {
    return this.#line
  }

  async end(outcome: EngineOutcome, hasAsked?: false): Promise<void> {
    await this.#line
    const current = this.#current
    this.#current = null
    if (current === null) return
    const { id, alone } = current
    const over = { outcome, calls: this.#calls, asksModel: asksModel(this.#engine), hasAsked }
    if (decideRest(over) === 'assume')
      return this.#tell({ id, cost: { ...this.#cost(this.#engine, this.#nextUSD()), assumed: true } })
    // The daemon may have heard of the assumption by now; that it cost nothing takes its place.
    await this.#tell({ id, cost: alone ? this.#cost(this.#engine, 0) : null })
  }

  async #goOn(cost: NonNullable<Settlement['cost']>): Promise<void> {
    const settled = { id: this.#current?.id ?? randomUUID(), cost }
    const mayAsk = this.#current !== null
    this.#current = null
    if (!mayAsk) return this.#tell(settled)
    const asked = await this.#ask(settled)
    if (asked.is === 'granted') {
      this.#current = asked
      return
    }
    this.#over = asked.isItemSpent ? asked.why : null
    this.#deps.log(`no further call is made: ${asked.why}`)
    this.#stop()
  }

  /** Settles a call if there was one, and asks for the next, in one step. */
  async #ask(settled: Settlement | null): Promise<ReserveAnswer> {
    const { home, book, held, id: agentId, log } = this.#deps
    const id = randomUUID()
    const next = {
      id,
      agentId,
      ...scopeOf(held),
      fence: held.fence,
      model: this.#engine,
      costUSD: this.#nextUSD(),
    }
    try {
      await book.flush()
      const answer =
        settled === null
          ? await home.client().reserveCost({ body: next })
          : (await home.client().settleCost({ body: { ...settled, next } })).next
      if (answer === null) throw new Error('the daemon gave no answer about the next call')
      book.hear(answer.shareUSD)
      return answer.is === 'granted'
        ? { is: 'granted', id, alone: false }
        : { is: 'not_now', why: answer.why ?? answer.is, isItemSpent: answer.isItemSpent === true }
    } catch (error) {
      log(`costs cannot be told: ${messageOf(error)}`)
      if (settled !== null) await book.keep(settled)
      return this.#assume(id)
    }
  }

  /** The daemon is away: the call is taken to cost the worst, as long as this agent's part of the budget covers that. */
  async #assume(id: CostId): Promise<ReserveAnswer> {
    const { book, config, log } = this.#deps
    const { assumedCallUSD } = config.limits
    const next = this.#nextUSD()
    const costUSD = next === 0 ? 0 : Math.max(assumedCallUSD, next)
    const left = book.leftUSD({ untold: assumedCallUSD, unknown: config.agents.dailyBudgetUSD })
    if (left < costUSD)
      return {
        is: 'not_now',
        why: `the daemon is away and ${usd(Math.max(0, left))} are left for this agent`,
        isItemSpent: false,
      }
    log(`warning: the daemon is away; the next call is taken to cost ${usd(costUSD)}`)
    await book.keep({ id, cost: { ...this.#cost(this.#engine, costUSD), assumed: true } })
    return { is: 'granted', id, alone: true }
  }

  async #tell(settled: Settlement): Promise<void> {
    const { home, book, log } = this.#deps
    await book.keep(settled)
    try {
      await home.client().settleCost({ body: settled })
      await book.drop(settled.id)
    } catch (error) {
      log(`costs are told later: ${messageOf(error)}`)
    }
  }

  /** What the next call may cost: as much as the dearest of this run, as the last of the run before, or as a first call of its model would. */
  #nextUSD(): number {
    const known = this.#dearest.get(this.#engine) ?? this.#deps.lastCallUSD.get(this.#engine)
    if (known !== undefined) return known
    return asksModel(this.#engine) ? firstCallUSD(this.#deps.config, this.#engine) : 0
  }

  #cost(model: string, costUSD: number): NonNullable<Settlement['cost']> {
    const { id, held, clock } = this.#deps
    const { item, runId, thoughtId } = scopeOf(held)
    return {
      agentId: id,
      projectNumber: item?.projectNumber ?? THOUGHT_PROJECT,
      itemNumber: item?.number ?? null,
      runId,
      thoughtId,
      model,
      tokens: { input: 0, output: 0 },
      costUSD,
      assumed: false,
      timestamp: clock.now().toISOString(),
    }
  }
}

function scopeOf(held: Hold): Pick<Reservation, 'item' | 'runId' | 'thoughtId'> {
  if ('thought' in held) {
    const { item = null, runId = null } = held.work ?? {}
    return { item, runId, thoughtId: held.thought }
  }
  const { projectNumber, number } = held.item
  return { item: { projectNumber, number }, runId: held.run.id, thoughtId: null }
}

/** A long prompt and a long answer; what calls really cost here is known after one of them. */
const FIRST_PROMPT_TOKENS = 15_000
const FIRST_ANSWER_TOKENS = 4_000

function firstCallUSD({ engines, limits }: Config, engine: string): number {
  const model = usualModel(engines.models, engine)
  if (model === null) return limits.assumedCallUSD
  const call = { model, inputTokens: FIRST_PROMPT_TOKENS, outputTokens: FIRST_ANSWER_TOKENS }
  return openPrices(engines.prices, limits.assumedCallUSD)(call).usd
}
