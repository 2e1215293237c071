// Prices of calls where the engine does not say them: the settings first, then a catalogue that needs no network.
import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices'
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
  /** Nothing is known that it could be worked out from: it is what the settings take a call to cost. */
  readonly assumed?: true
}

export type Prices = (call: PricedCall) => Priced

/** A text in the cache is written at one and a quarter, and read at a tenth, where nothing else is known. */
const CACHE_WRITE = 1.25
const CACHE_READ = 0.1
const MILLION = 1_000_000

/** What a call is taken to cost where nothing else is known, as `limits.assumedCallUSD` is by default. */
const ASSUMED_USD = 0.5

export function openPrices(own: Readonly<Record<string, OwnPrice>>, assumedUSD = ASSUMED_USD): Prices {
  const providerOf = rememberProvider()
  return (call) => {
    const price = priced(call, own, providerOf)
    if (price === null)
      return { usd: assumedUSD, warning: unknownWords(call.model, assumedUSD), assumed: true }
    return { usd: fromMicros(toMicros(price.usd)), warning: price.warning }
  }
}

function unknownWords(model: string, usd: number): string {
  return `No price is known for the model ${model}; a call is taken to cost $${usd.toFixed(2)}. Name its price in engines.prices.`
}

/** Whether the model has a price, of the settings or of the catalogue; a server of one's own may offer models that have none. */
export function isPriced(model: string, own: Readonly<Record<string, OwnPrice>>): boolean {
  const none = { model, inputTokens: 0, outputTokens: 0 }
  return exactly(none, own, findProvider({ modelId: plainName(model) })) !== null
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

/** Null: neither this model nor one like it is known. */
function priced(
  call: PricedCall,
  own: Readonly<Record<string, OwnPrice>>,
  providerOf: FindProvider,
): Priced | null {
  const name = plainName(call.model)
  const maker = providerOf(name)
  const usd = exactly(call, own, maker)
  if (usd !== null) return { usd, warning: null }
  const provider = call.provider === undefined ? maker : findProvider({ providerId: call.provider })
  const sibling = provider === undefined ? null : siblingOf(name, provider)
  if (provider === undefined || sibling === null) return null
  const found = calcPrice(tokensOf(call), sibling, { provider })
  if (found === null) return null
  const warning = `No price is known for the model ${call.model}; it is taken to cost as much as ${sibling}.`
  return { usd: found.total_price, warning }
}

/** By the settings, or else the catalogue; null: neither knows it. */
function exactly(
  call: PricedCall,
  own: Readonly<Record<string, OwnPrice>>,
  maker: Provider | undefined,
): number | null {
  const name = plainName(call.model)
  for (const key of [call.model, name])
    if (Object.hasOwn(own, key) && own[key] !== undefined) return byHand(call, own[key])
  const found = maker === undefined ? null : calcPrice(tokensOf(call), name, { provider: maker })
  return found === null ? null : found.total_price
}

/**
 * The newest model of the same family: gpt-6.1-sol is like gpt-6-sol, claude-sonnet-9 like the newest Sonnet. Models
 * of one family begin with the same word; the fewer other words differ, the nearer they are.
 */
function siblingOf(name: string, { models }: Provider): string | null {
  const asked = familyOf(name)
  const near = models
    .filter(({ id, prices }) => familyOf(id).words[0] === asked.words[0] && isTokenPriced(prices))
    .map(({ id }) => ({ id, ...familyOf(id) }))
    .sort(
      (one, other) => apart(one.words, asked.words) - apart(other.words, asked.words) || newer(one, other),
    )
  return near[0]?.id ?? null
}

interface Family {
  readonly words: readonly string[]
  readonly version: readonly number[]
}

function familyOf(id: string): Family {
  const parts = id.toLowerCase().split(/[^a-z0-9]+/)
  const words = parts.filter((part) => /[a-z]/.test(part) && !/^(latest|preview|v\d+)$/.test(part))
  return { words, version: parts.filter((part) => /^\d{1,3}$/.test(part)).map(Number) }
}

/** How many words only one of them has. */
function apart(one: readonly string[], other: readonly string[]): number {
  const only = (these: readonly string[], those: readonly string[]) =>
    these.filter((word) => !those.includes(word)).length
  return only(one, other) + only(other, one)
}

function newer({ version: one }: Family, { version: other }: Family): number {
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    const difference = (other[place] ?? 0) - (one[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Some models of the catalogue have prices of other things alone: pictures, searches. */
function isTokenPriced(prices: Provider['models'][number]['prices']): boolean {
  const plain = Array.isArray(prices) ? prices.map((each) => each.prices) : [prices]
  return plain.every(({ input_mtok, output_mtok }) => input_mtok !== undefined && output_mtok !== undefined)
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

/** anthropic/claude-sonnet-4-5-20250929[1m] is claude-sonnet-4-5. */
export function plainName(model: string): string {
  const bare = model.toLowerCase().replace(/\[[^\]]*\]$/, '')
  const last = bare.slice(bare.lastIndexOf('/') + 1)
  return last.replace(/[-@]20\d{6}$|-20\d\d-\d\d-\d\d$/, '').replace(/(?<=^claude-.*\d)\.(?=\d)/, '-')
}
