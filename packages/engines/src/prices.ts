// Prices of calls where the engine does not say them: the settings first, then a catalogue that needs no network.
import { calcPrice, findProvider, type ModelPrice, type Provider } from '@pydantic/genai-prices'
import { fromMicros, toMicros } from '@treadle/contracts/cost'
import type { Usage } from '@treadle/contracts/run'

export interface OwnPrice {
  /** Dollars for a million tokens. */
  readonly inputUSD: number
  readonly outputUSD: number
}

export type PricedCall = Omit<Usage, 'usd' | 'durationMs'>

export interface Priced {
  readonly usd: number
  /** Why this is not the price of that model; null: it is. */
  readonly warning: string | null
}

export type Prices = (call: PricedCall) => Priced

/** Providers whose models are looked through for the dearest, where not even the provider is known. */
const PROVIDERS = ['anthropic', 'openai', 'google']
/** A text in the cache is written at one and a quarter, and read at a tenth, where nothing else is known. */
const CACHE_WRITE = 1.25
const CACHE_READ = 0.1
const MILLION = 1_000_000

export function openPrices(own: Readonly<Record<string, OwnPrice>>): Prices {
  const providerOf = rememberProvider()
  return (call) => {
    const { usd, warning } = priced(call, own, providerOf)
    return { usd: fromMicros(toMicros(usd)), warning }
  }
}

/** The charge of a call: the engine's own word, or else its price. */
export function chargeOf(prices: Prices, usage: Usage): Priced {
  return usage.usd === null ? prices(usage) : { usd: usage.usd, warning: null }
}

type FindProvider = (modelId: string) => Provider | undefined

/** The provider of a model, looked for once for calls of the same one in a row: the catalogue is long. */
function rememberProvider(): FindProvider {
  let last: { readonly modelId: string; readonly provider: Provider | undefined } | null = null
  return (modelId) => {
    if (last?.modelId !== modelId) last = { modelId, provider: findProvider({ modelId }) }
    return last.provider
  }
}

function priced(call: PricedCall, own: Readonly<Record<string, OwnPrice>>, providerOf: FindProvider): Priced {
  const name = plainName(call.model)
  for (const key of [call.model, name])
    if (Object.hasOwn(own, key) && own[key] !== undefined)
      return { usd: byHand(call, own[key]), warning: null }
  const maker = providerOf(name)
  const found = maker === undefined ? null : calcPrice(tokensOf(call), name, { provider: maker })
  if (found !== null) return { usd: found.total_price, warning: null }
  const provider = call.provider === undefined ? maker : findProvider({ providerId: call.provider })
  const usd = byHand(call, dearestOf(provider))
  const whose = provider === undefined ? 'known' : provider.name
  return {
    usd,
    warning: `No price is known for the model ${call.model}; it is taken for the dearest ${whose} one.`,
  }
}

/** The catalogue counts what came from, or went into, the cache as input too. */
function tokensOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: PricedCall) {
  return {
    input_tokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
  }
}

function byHand(call: PricedCall, { inputUSD, outputUSD }: OwnPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = call
  const input = inputTokens + cacheReadTokens * CACHE_READ + cacheWriteTokens * CACHE_WRITE
  return (input * inputUSD + outputTokens * outputUSD) / MILLION
}

function dearestOf(provider: Provider | undefined): OwnPrice {
  const looked = PROVIDERS.flatMap((providerId) => findProvider({ providerId }) ?? [])
  const providers = provider === undefined || provider.models.length === 0 ? looked : [provider]
  const plain = providers.flatMap(({ models }) =>
    models.flatMap(({ prices }) => (Array.isArray(prices) ? prices.map((each) => each.prices) : [prices])),
  )
  return {
    inputUSD: Math.max(...plain.map(({ input_mtok }) => perMillion(input_mtok))),
    outputUSD: Math.max(...plain.map(({ output_mtok }) => perMillion(output_mtok))),
  }
}

function perMillion(price: ModelPrice[string]): number {
  if (price === undefined) return 0
  return typeof price === 'number' ? price : Math.max(price.base, ...price.tiers.map((tier) => tier.price))
}

/** anthropic/claude-sonnet-4-5-20250929[1m] is claude-sonnet-4-5. */
export function plainName(model: string): string {
  const bare = model.toLowerCase().replace(/\[[^\]]*\]$/, '')
  const last = bare.slice(bare.lastIndexOf('/') + 1)
  return last.replace(/[-@]20\d{6}$|-20\d\d-\d\d-\d\d$/, '').replace(/(?<=^claude-.*\d)\.(?=\d)/, '-')
}
