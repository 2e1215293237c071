// The usage of a conversation, told as it happens and set right when a turn ends, so that nothing is counted twice.
import type { Usage } from '@treadle/contracts/run'
import { type Prices, plainName } from '../prices.ts'
import type { ApiUsage, ModelUsage, Result } from './lines.ts'

interface Sum {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly usd: number
}

const nothing: Sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0 }
/** Less than what is counted. */
const TINY_USD = 0.000_000_5

export class UsageBook {
  readonly #prices: Prices
  readonly #tell: (usage: Usage) => void
  /** By whoever asks: the main agent, or one that it has started. */
  readonly #begun = new Map<string, { readonly model: string; readonly usage: ApiUsage }>()
  /** Told since the last result, by model. */
  #told = new Map<string, Sum>()
  /** The usage of the conversation at the last result; null: unknown, because it began before us. */
  #before: ModelUsage | null

  constructor(prices: Prices, isResumed: boolean, tell: (usage: Usage) => void) {
    this.#prices = prices
    this.#tell = tell
    this.#before = isResumed ? null : {}
  }

  begin(who: string, model: string, usage: ApiUsage): void {
    this.#begun.set(who, { model, usage })
  }

  /** The first count of a request knows the input, the last one the output. */
  end(who: string, usage: ApiUsage): void {
    const begun = this.#begun.get(who)
    if (begun === undefined) return
    this.#begun.delete(who)
    const all = { ...begun.usage, ...defined(usage) }
    const call = {
      model: begun.model,
      provider: 'anthropic',
      inputTokens: all.input_tokens ?? 0,
      outputTokens: all.output_tokens ?? 0,
      cacheReadTokens: all.cache_read_input_tokens ?? 0,
      cacheWriteTokens: all.cache_creation_input_tokens ?? 0,
    }
    const { usd } = this.#prices(call)
    const name = plainName(begun.model)
    this.#told.set(name, plus(this.#told.get(name) ?? nothing, { ...sumOf(call), usd }))
    this.#tell({ ...call, usd })
  }

  /** The program's own count goes; the part of it that was not told yet is told now. */
  settle({ modelUsage, model_usage_since_last_result: since }: Result): void {
    const before = this.#before
    const used = since === undefined ? before && sumsOf(modelUsage) : sumsOf(since)
    const base = since === undefined && before !== null ? sumsOf(before) : new Map<string, Sum>()
    for (const [name, whole] of used ?? []) {
      const known = plus(base.get(name) ?? nothing, this.#told.get(name) ?? nothing)
      const rest = minus(whole, known)
      if (rest.input + rest.output + rest.cacheRead + rest.cacheWrite === 0 && rest.usd < TINY_USD) continue
      this.#tell({
        model: name,
        provider: 'anthropic',
        inputTokens: rest.input,
        outputTokens: rest.output,
        cacheReadTokens: rest.cacheRead,
        cacheWriteTokens: rest.cacheWrite,
        usd: rest.usd,
      })
    }
    this.#told = new Map()
    this.#before = modelUsage
  }
}

function defined(usage: ApiUsage): ApiUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === 'number'))
}

const sumOf = (call: Omit<Usage, 'usd'>) => ({
  input: call.inputTokens,
  output: call.outputTokens,
  cacheRead: call.cacheReadTokens ?? 0,
  cacheWrite: call.cacheWriteTokens ?? 0,
})

function sumsOf(usage: ModelUsage): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const [model, used] of Object.entries(usage)) {
    const name = plainName(model)
    sums.set(
      name,
      plus(sums.get(name) ?? nothing, {
        input: used.inputTokens,
        output: used.outputTokens,
        cacheRead: used.cacheReadInputTokens,
        cacheWrite: used.cacheCreationInputTokens,
        usd: used.costUSD,
      }),
    )
  }
  return sums
}

const plus = (one: Sum, other: Sum): Sum => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  usd: one.usd + other.usd,
})

const minus = (whole: Sum, part: Sum): Sum => ({
  input: Math.max(0, whole.input - part.input),
  output: Math.max(0, whole.output - part.output),
  cacheRead: Math.max(0, whole.cacheRead - part.cacheRead),
  cacheWrite: Math.max(0, whole.cacheWrite - part.cacheWrite),
  usd: Math.max(0, whole.usd - part.usd),
})
