// The usage of a call, also where its answer breaks off before it says so.
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '@treadle/contracts/run'
import { z } from 'zod'

export type Counts = Omit<Usage, 'model' | 'provider' | 'durationMs' | 'usd'>

/** Fewer than a token mostly has: what is guessed is rather too dear than too cheap. */
const CHARS_PER_TOKEN = 3

const count = z.int().min(0).optional().catch(undefined)
const RawUsage = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .optional()
  .catch(undefined)
/** One of our protocols says with its first words what it was asked. */
const Raw = z.looseObject({
  message: z.looseObject({ usage: RawUsage }).optional().catch(undefined),
  usage: RawUsage,
})

/** Listens to an answer as it comes. */
export class Meter {
  #chars = 0
  #first: z.infer<typeof RawUsage>
  #hasBegun = false
  #isRefused = false

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'raw': {
        const raw = Raw.safeParse(part.rawValue)
        this.#first ??= raw.data?.message?.usage ?? raw.data?.usage
        return
      }
      case 'response-metadata':
        this.#hasBegun = true
        return
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        this.#hasBegun = true
        this.#chars += part.delta.length
        return
      case 'error':
        this.#isRefused ||= !this.#hasBegun
        return
      default:
        return
    }
  }

  /** Counts of a call that broke off; null: there was an error instead of an answer, and nobody is charged for that. */
  broken(askedChars: number): Counts | null {
    if (this.#isRefused) return null
    const { input_tokens, output_tokens = 0, ...first } = this.#first ?? {}
    return {
      inputTokens: input_tokens ?? tokensIn(askedChars),
      outputTokens: Math.max(output_tokens, tokensIn(this.#chars)),
      ...cached(first.cache_read_input_tokens ?? 0, first.cache_creation_input_tokens ?? 0),
    }
  }
}

const tokensIn = (chars: number) => Math.ceil(chars / CHARS_PER_TOKEN)

const cached = (cacheReadTokens: number, cacheWriteTokens: number) => ({
  ...(cacheReadTokens > 0 ? { cacheReadTokens } : {}),
  ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
})

export function countsOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Counts {
  const { total = 0, noCache, cacheRead = 0, cacheWrite = 0 } = inputTokens
  return {
    inputTokens: noCache ?? Math.max(0, total - cacheRead - cacheWrite),
    outputTokens: outputTokens.total ?? 0,
    ...cached(cacheRead, cacheWrite),
  }
}
