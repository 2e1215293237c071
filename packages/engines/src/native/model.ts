// Which model is asked, and by which protocol.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { messageOf } from '@treadle/flow/fault'
import type { SandboxSettings } from '../confined.ts'
import type { Prices } from '../prices.ts'

export interface NativeSettings extends SandboxSettings {
  readonly provider: 'anthropic' | 'openai-compatible'
  readonly model: string
  /** The endpoint; null: the usual one of the provider. */
  readonly baseURL: string | null
  /** The key; null: none is sent, as a local server may want it. */
  readonly key: string | null
  /** The environment variable that a key is looked for in, to name it to people. */
  readonly keyVariable: string
  readonly stepsPerTurn: number
  readonly parallel: number
  /** The catalogue alone, if left out. */
  readonly prices?: Prices
  /** Whether the settings or the catalogue know a price of a model; left out: they do. */
  readonly isPriced?: (model: string) => boolean
  /** How often a call is made again that the world broke; 2 if left out. */
  readonly retries?: number
}

/** As the settings of a workspace have it. */
export interface NativeConfig
  extends Pick<NativeSettings, 'provider' | 'model' | 'baseURL' | 'stepsPerTurn' | 'parallel'> {
  readonly keyVariable: string | null
}

const KEY_VARIABLES = { anthropic: 'ANTHROPIC_API_KEY', 'openai-compatible': 'OPENAI_API_KEY' }

/** The key is looked for under one name, and is the only thing that is taken from the environment. */
export function nativeSettings(
  config: NativeConfig,
  given: Pick<NativeSettings, 'sandbox' | 'show' | 'prices' | 'isPriced'>,
  env: Readonly<Record<string, string | undefined>>,
): NativeSettings {
  const keyVariable = config.keyVariable ?? KEY_VARIABLES[config.provider]
  const key = env[keyVariable]
  return { ...config, ...given, keyVariable, key: key === undefined || key === '' ? null : key }
}

const ENDPOINTS = {
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': 'https://api.openai.com/v1',
}

export function endpointOf({ provider, baseURL }: Pick<NativeSettings, 'provider' | 'baseURL'>): string {
  return baseURL === null ? ENDPOINTS[provider] : versioned(baseURL)
}

/** Key and endpoint are always said, because the library would look into our own environment for what is left out. */
export function openModel(settings: NativeSettings): LanguageModelV4 {
  const { provider, model, key } = settings
  const url = endpointOf(settings)
  if (provider === 'anthropic') return createAnthropic({ apiKey: key ?? '', baseURL: url })(model)
  return createOpenAICompatible({
    name: provider,
    baseURL: url,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(key === null ? {} : { apiKey: key }),
  })(model)
}

/** A server of one's own: it asks for no key, or it is on this machine and its model has no price. */
export function costsNothing({ provider, model, baseURL, key, isPriced }: NativeSettings): boolean {
  if (baseURL === null) return false
  return (
    (provider === 'openai-compatible' && key === null) || (isLoopback(baseURL) && isPriced?.(model) === false)
  )
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

const REACH_MS = 3_000

/**
 * The reason why the endpoint cannot be used; null: somebody is there and takes the key, as far as a list of models
 * shows. Asked only of an endpoint of one's own.
 */
export async function whyUnreachable({ provider, baseURL, key }: NativeSettings): Promise<string | null> {
  if (baseURL === null) return null
  const headers: Record<string, string> =
    provider === 'anthropic' ? { 'x-api-key': key ?? '' } : { authorization: `Bearer ${key ?? ''}` }
  try {
    const answer = await fetch(`${versioned(baseURL)}/models`, {
      headers: key === null ? {} : headers,
      signal: AbortSignal.timeout(REACH_MS),
    })
    await answer.body?.cancel()
    return answer.status === 401 ? `${baseURL} does not take the key.` : null
  } catch (error) {
    return `Nobody answers at ${baseURL}: ${messageOf(error)}.`
  }
}

/** People give an endpoint with its version and without. */
function versioned(url: string): string {
  const trimmed = url.replace(/\/+$/, '')
  return /\/v\d+[a-z]*$/.test(trimmed) ? trimmed : `${trimmed}/v1`
}
