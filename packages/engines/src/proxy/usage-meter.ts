// What a call has used, read from the answer as it passes and never holding it up.
import { z } from 'zod'
import type { ModelApi } from './api-forms.ts'

export interface TokenCounts {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

const number = z.number().min(0).optional().catch(undefined)
const cached = z.looseObject({ cached_tokens: number }).optional().catch(undefined)
/** Every name that one of the APIs has for one of the counts. */
const UsageFigures = z.looseObject({
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
  prompt_tokens: number,
  completion_tokens: number,
  input_tokens_details: cached,
  prompt_tokens_details: cached,
  promptTokenCount: number,
  toolUsePromptTokenCount: number,
  candidatesTokenCount: number,
  thoughtsTokenCount: number,
  cachedContentTokenCount: number,
})
type UsageFigures = z.infer<typeof UsageFigures>

const inner = z.looseObject({ usage: z.unknown().optional() }).optional().catch(undefined)
const Event = z.looseObject({
  message: inner,
  response: inner,
  usage: z.unknown().optional(),
  usageMetadata: z.unknown().optional(),
})

const NOTHING: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export class UsageMeter {
  readonly #api: ModelApi
  readonly #isStream: boolean
  readonly #decoder = new TextDecoder()
  #rest = ''
  #counts = NOTHING
  isKnown = false

  constructor(api: ModelApi, isStream: boolean) {
    this.#api = api
    this.#isStream = isStream
  }

  get counts(): TokenCounts {
    return this.#counts
  }

  read(chunk: Buffer): void {
    this.#rest += this.#decoder.decode(chunk, { stream: true })
    if (!this.#isStream) return
    const lines = this.#rest.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:') && /usage/i.test(line)) this.#take(line.slice(5))
  }

  end(): void {
    if (!this.#isStream) this.#take(this.#rest)
    else if (this.#rest.startsWith('data:')) this.#take(this.#rest.slice(5))
  }

  #take(text: string): void {
    const data = parse(text)
    for (const one of Array.isArray(data) ? data : [data]) {
      const event = Event.safeParse(one)
      if (!event.success) continue
      const { message, response, usage, usageMetadata } = event.data
      const said = UsageFigures.safeParse(message?.usage ?? response?.usage ?? usage ?? usageMetadata)
      if (!said.success) continue
      this.isKnown = true
      this.#counts = COUNT[this.#api](said.data, this.#counts)
    }
  }
}

/** The figures of a later event are sums, not additions; what it does not say stays. */
const COUNT: Readonly<Record<ModelApi, (said: UsageFigures, before: TokenCounts) => TokenCounts>> = {
  anthropic: (said, before) => ({
    input: said.input_tokens ?? before.input,
    output: said.output_tokens ?? before.output,
    cacheRead: said.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: said.cache_creation_input_tokens ?? before.cacheWrite,
  }),
  gemini: (said) => {
    const { cachedContentTokenCount: cacheRead = 0, thoughtsTokenCount: thoughts = 0 } = said
    const input = (said.promptTokenCount ?? 0) + (said.toolUsePromptTokenCount ?? 0)
    return {
      input: Math.max(0, input - cacheRead),
      output: (said.candidatesTokenCount ?? 0) + thoughts,
      cacheRead,
      cacheWrite: 0,
    }
  },
  responses: openai,
  chat: openai,
}

function openai(said: UsageFigures): TokenCounts {
  const details = said.input_tokens_details ?? said.prompt_tokens_details
  const cacheRead = details?.cached_tokens ?? 0
  return {
    input: Math.max(0, (said.input_tokens ?? said.prompt_tokens ?? 0) - cacheRead),
    output: said.output_tokens ?? said.completion_tokens ?? 0,
    cacheRead,
    cacheWrite: 0,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
