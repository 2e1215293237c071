// One call of the model: made when it may be, streamed, counted, and made again where the world broke.

import { setTimeout as sleep } from 'node:timers/promises'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Effort } from '@treadle/contracts/item'
import { z } from 'zod'
import type { Prices } from '../prices.ts'
import { type CallFault, faultOf } from './errors.ts'
import { type Counts, countsOf, Meter } from './meter.ts'
import { type NativeTurn, TurnOver } from './turn.ts'

export type Message = LanguageModelV4Message
type Assistant = Extract<Message, { role: 'assistant' }>
type Part = Assistant['content'][number]

export interface Asking {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** JSON schema of the answer; null: it is free. */
  readonly schema: object | null
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface Answer {
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** As the conversation goes on with it. */
  readonly message: Assistant
  /** The answer was cut short because it was too long. */
  readonly isCut: boolean
}

export interface Caller {
  readonly model: LanguageModelV4
  /** How hard it thinks; null: as it does by itself. */
  readonly effort: Effort | null
  readonly retries: number
  readonly prices: Prices
}

const RETRY_MS = 500

/** A call that is made again is a call more: it has to be allowed and paid for like the first. */
export async function ask(turn: NativeTurn, caller: Caller, asking: Asking): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const tried = await turn.call(() => attempted(turn, () => once(turn, caller, asking)))
    if (tried.is === 'answered') return tried.answer
    const { end, mends, waitMs } = tried.fault
    if (!mends || attempt > caller.retries) throw new TurnOver(end)
    const delayMs = waitMs ?? RETRY_MS * 2 ** (attempt - 1)
    turn.tell({ is: 'retrying', attempt, delayMs, cause: end.outcome })
    await turn.unwatched(() => turn.within(sleep(delayMs)))
  }
}

type Attempted =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'broken'; readonly fault: CallFault }

async function attempted(turn: NativeTurn, make: () => Promise<Answer>): Promise<Attempted> {
  try {
    return { is: 'answered', answer: await make() }
  } catch (error) {
    if (error instanceof TurnOver) throw error
    // A call that breaks because the turn was ended is no fault of the provider's.
    turn.check()
    return { is: 'broken', fault: faultOf(error, new Date()) }
  }
}

async function once(turn: NativeTurn, { model, effort, prices }: Caller, asking: Asking): Promise<Answer> {
  const started = performance.now()
  const reasoning = effort === null ? {} : { reasoning: effort }
  const options = { ...optionsOf(asking, turn.signal), ...reasoning }
  const { stream } = await model.doStream(options)
  const tell = (counts: Counts | null) => {
    if (counts === null) return
    const counted = { ...counts, model: model.modelId, provider: providerOf(model) }
    const { usd, warning } = prices(counted)
    turn.spent(usd, warning)
    turn.tell({ is: 'used', usage: { ...counted, durationMs: performance.now() - started, usd } })
  }
  const heard = new Heard()
  const meter = new Meter()
  try {
    for await (const part of stream) {
      turn.alive()
      meter.take(part)
      heard.take(part)
      if (part.type === 'text-delta' && asking.schema === null) turn.tell({ is: 'piece', text: part.delta })
    }
    if (!heard.isWhole) throw new Error('the answer ended in the middle')
  } catch (error) {
    // The debts of a turn that was ended are settled by whoever ended it.
    turn.check()
    tell(meter.broken(JSON.stringify([options.prompt, options.tools]).length))
    throw error
  }
  const { usage, finish } = heard
  tell(usage === null ? null : countsOf(usage))
  if (finish === 'content-filter')
    throw new TurnOver({ outcome: 'refused', text: heard.text || 'The model refused to answer.' })
  if (heard.text !== '' && asking.schema === null) turn.tell({ is: 'text', text: heard.text })
  return heard.answer(finish === 'length')
}

/** Collects the parts of a stream. */
class Heard {
  readonly #parts: Part[] = []
  readonly #blocks = new Map<string, { type: 'text' | 'reasoning'; text: string; providerOptions?: object }>()
  readonly #calls: ToolCall[] = []
  usage: LanguageModelV4Usage | null = null
  finish: string | null = null
  text = ''

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#open(part.id, part.type === 'text-start' ? 'text' : 'reasoning')
        return
      case 'text-delta':
      case 'reasoning-delta':
        this.#add(part)
        return
      case 'text-end':
      case 'reasoning-end':
        this.#sign(part)
        return
      case 'tool-call':
        this.#call(part)
        return
      case 'finish':
        this.usage = part.usage
        this.finish = part.finishReason.unified
        return
      case 'error':
        throw part.error instanceof Error ? part.error : new StreamFault(part.error)
      default:
        return
    }
  }

  get isWhole(): boolean {
    return this.finish !== null && this.finish !== 'interrupted' && this.finish !== 'error'
  }

  answer(isCut: boolean): Answer {
    const content = this.#parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
    return { text: this.text, calls: this.#calls, message: { role: 'assistant', content }, isCut }
  }

  #open(id: string, type: 'text' | 'reasoning'): void {
    const block = { type, text: '' }
    this.#blocks.set(`${type} ${id}`, block)
    this.#parts.push(block as Part)
  }

  #add(part: Extract<LanguageModelV4StreamPart, { type: 'text-delta' | 'reasoning-delta' }>): void {
    const type = part.type === 'text-delta' ? 'text' : 'reasoning'
    const block = this.#blocks.get(`${type} ${part.id}`)
    if (block !== undefined) block.text += part.delta
    if (type === 'text') this.text += part.delta
    this.#sign(part)
  }

  /** A thought is only taken back with the provider's signature. */
  #sign(part: { type: string; id: string; providerMetadata?: object }): void {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning'
    const block = this.#blocks.get(`${type} ${part.id}`)
    if (block !== undefined && part.providerMetadata !== undefined)
      block.providerOptions = { ...block.providerOptions, ...part.providerMetadata }
  }

  #call(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): void {
    const input = readJson(part.input)
    this.#calls.push({ id: part.toolCallId, name: part.toolName, input })
    this.#parts.push({
      type: 'tool-call',
      toolCallId: part.toolCallId,
      toolName: part.toolName,
      // An input that is no object would be refused when the conversation is sent again.
      input: typeof input === 'object' && input !== null ? input : {},
    })
  }
}

/** An error that came as a part of an answer, with its type. */
class StreamFault extends Error {
  readonly type: string | undefined
  constructor(part: unknown) {
    const said = StreamError.safeParse(part)
    super(said.success ? said.data.message : JSON.stringify(part))
    this.type = said.data?.type
  }
}
const StreamError = z.looseObject({ type: z.string().optional(), message: z.string() })

/** JSON as a model writes it, which need not be right. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    return text
  }
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** The marks of a cache are set anew for each call: what is kept has none, so that they do not pile up. */
function optionsOf(asking: Asking, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  const { system, messages, tools, schema } = asking
  const last = messages.at(-1)
  const marked = last === undefined ? [] : [{ ...last, providerOptions: CACHED }]
  return {
    prompt: [
      { role: 'system', content: system, providerOptions: CACHED },
      ...messages.slice(0, -1),
      ...marked,
    ],
    abortSignal,
    includeRawChunks: true,
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(schema === null ? {} : { responseFormat: { type: 'json' as const, schema, name: 'answer' } }),
  }
}

function providerOf({ provider }: LanguageModelV4): string {
  const [name = ''] = provider.split('.')
  return name === 'openai-compatible' ? 'openai' : name
}
