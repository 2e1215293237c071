// Turns the updates of a session into events of ours. It does nothing else, so that recorded ones can be read again.
import type { Usage } from '@treadle/contracts/run'
import type { EngineEvent } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { unifiedDiff } from '../native/tools/diff.ts'
import { bounded, TextWindow } from '../scripted/window.ts'

const Block = z.looseObject({ type: z.string() })
const Fields = z.looseObject({
  toolCallId: z.string().default(''),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z.unknown().optional(),
  entries: z.array(z.looseObject({ content: z.string(), status: z.string() })).optional(),
  cost: z.looseObject({ amount: z.number() }).nullish(),
  _meta: z.looseObject({}).nullish(),
})
const Failed = z.looseObject({
  codex: z.looseObject({ threadStatus: z.looseObject({ type: z.literal('systemError') }) }),
})
const Update = Fields.extend({ sessionUpdate: z.string() })
type Update = z.infer<typeof Update>

const Tokens = z.looseObject({
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  cachedReadTokens: z.number().nullish(),
  cachedWriteTokens: z.number().nullish(),
})
const Quota = z.looseObject({
  quota: z.looseObject({
    token_count: z.looseObject({ input_tokens: z.number().default(0), output_tokens: z.number().default(0) }),
  }),
})
const ModelNamed = z.looseObject({
  quota: z.looseObject({ model_usage: z.array(z.looseObject({ model: z.string().min(1) })).min(1) }),
})
const Prompted = z.looseObject({ usage: Tokens.nullish(), _meta: z.unknown().optional() })

interface Call {
  tool: string
  input: string
  startedAt: number
  hasInput: boolean
  hasBegun: boolean
  denied: boolean
  diff: string | null
  content: string
  readonly streamed: TextWindow
}

export interface UpdatesOptions {
  now(): number
  onEvent(event: EngineEvent): void
}

const KINDS: Readonly<Record<string, string>> = {
  execute: 'execute',
  edit: 'edit',
  read: 'read',
  search: 'search',
}

export class Updates {
  readonly #options: UpdatesOptions
  readonly #calls = new Map<string, Call>()
  #words = ''
  #said = ''
  #hasFailed = false
  #costUSD = 0
  #toldUSD = 0

  constructor(options: UpdatesOptions) {
    this.#options = options
  }

  begin(): void {
    this.#said = ''
    this.#words = ''
    this.#hasFailed = false
  }

  /** The program said beside its answer that it could not go on. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** The last words of the turn. */
  get said(): string {
    this.#flush()
    return this.#said
  }

  deny(callId: string): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) call.denied = true
  }

  take(update: unknown): void {
    const read = Update.safeParse(update)
    if (!read.success) return
    const { data } = read
    switch (data.sessionUpdate) {
      case 'agent_message_chunk': {
        const text = textOf(data.content)
        this.#words += text
        if (text !== '') this.#options.onEvent({ is: 'piece', text: bounded(text) })
        return
      }
      case 'tool_call':
      case 'tool_call_update':
        this.tool(data)
        return
      case 'plan':
        this.#list(data)
        return
      case 'session_info_update':
        this.#hasFailed ||= Failed.safeParse(data._meta).success
        return
      case 'usage_update':
        this.#costUSD = Math.max(this.#costUSD, data.cost?.amount ?? 0)
        return
      default:
    }
  }

  /** Also what a permission is asked for: some programs tell of a call there first. */
  tool(given: unknown): void {
    const read = Fields.safeParse(given)
    if (!read.success || read.data.toolCallId === '') return
    const { data } = read
    this.#flush()
    const call = this.#calls.get(data.toolCallId) ?? this.#newCall(data.toolCallId)
    if (data.kind != null && call.tool === 'tool') call.tool = KINDS[data.kind] ?? data.kind
    this.#name(call, data)
    if (!call.hasBegun && call.input !== '') {
      call.hasBegun = true
      this.#options.onEvent({ is: 'began', callId: data.toolCallId, tool: call.tool, input: call.input })
    }
    call.streamed.add(streamedOf(data))
    call.content = textOf(data.content) || call.content
    call.diff = diffOf(data.content) ?? call.diff
    if (data.status === 'completed' || data.status === 'failed') this.#observe(call, data)
  }

  /** A call is named by what it is called with; titles are changed by programs as they like. */
  #name(call: Call, data: z.infer<typeof Fields>): void {
    const input = inputOf(data.rawInput)
    if (input !== null) {
      call.input = input
      call.hasInput = true
    } else if (!call.hasInput && data.title != null && data.title !== '') call.input = bounded(data.title)
  }

  #newCall(id: string): Call {
    const call: Call = {
      tool: 'tool',
      input: '',
      startedAt: this.#options.now(),
      hasInput: false,
      hasBegun: false,
      denied: false,
      diff: null,
      content: '',
      streamed: new TextWindow(),
    }
    this.#calls.set(id, call)
    return call
  }

  #observe(call: Call, { toolCallId, status, rawOutput }: Update | z.infer<typeof Fields>): void {
    this.#calls.delete(toolCallId)
    const output = rawText(rawOutput) || call.content || String(call.streamed)
    this.#options.onEvent({
      is: 'observed',
      observation: {
        tool: call.tool.slice(0, 100),
        input: call.input,
        output: bounded(output),
        durationMs: Math.max(0, this.#options.now() - call.startedAt),
        success: status === 'completed',
        ...(call.denied ? { denied: true } : {}),
        ...(call.diff === null ? {} : { diff: bounded(call.diff) }),
      },
    })
  }

  /** A program that was refused a call does not always tell how it ended. */
  end(): void {
    for (const [id, call] of [...this.#calls])
      if (call.denied) this.#observe(call, { toolCallId: id, status: 'failed', sessionUpdate: '' })
    this.#calls.clear()
  }

  #list({ entries = [] }: Update): void {
    const known = (status: string) =>
      status === 'completed' || status === 'in_progress' ? status : 'pending'
    this.#options.onEvent({
      is: 'listed',
      entries: entries.map(({ content, status }) => ({ text: content, status: known(status) })),
    })
  }

  /** The usage of the turn; null: the program does not say. */
  usage(answer: unknown, model: string, provider: string | null): Usage | null {
    const read = Prompted.safeParse(answer)
    const tokens = read.success ? (read.data.usage ?? quotaOf(read.data._meta)) : null
    const usd = this.#costUSD - this.#toldUSD
    this.#toldUSD = this.#costUSD
    if (tokens === null && usd <= 0) return null
    const named = ModelNamed.safeParse((answer as { _meta?: unknown } | null)?._meta)
    return {
      model: named.success ? (named.data.quota.model_usage[0]?.model ?? model) : model,
      ...(provider === null ? {} : { provider }),
      inputTokens: tokens?.inputTokens ?? 0,
      outputTokens: tokens?.outputTokens ?? 0,
      cacheReadTokens: tokens?.cachedReadTokens ?? 0,
      cacheWriteTokens: tokens?.cachedWriteTokens ?? 0,
      usd: usd > 0 ? usd : null,
    }
  }

  #flush(): void {
    const text = this.#words.trim()
    this.#words = ''
    if (text === '') return
    this.#said = text
    this.#options.onEvent({ is: 'text', text: bounded(text) })
  }
}

function quotaOf(meta: unknown): z.infer<typeof Tokens> | null {
  const read = Quota.safeParse(meta)
  if (!read.success) return null
  const { input_tokens: inputTokens, output_tokens: outputTokens } = read.data.quota.token_count
  return { inputTokens, outputTokens }
}

function inputOf(rawInput: unknown): string | null {
  const command = (rawInput as { command?: unknown } | null | undefined)?.command
  if (typeof command === 'string') return bounded(command)
  if (Array.isArray(command)) return bounded(String(command.at(-1) ?? ''))
  const isEmpty = rawInput === undefined || rawInput === null || JSON.stringify(rawInput) === '{}'
  return isEmpty ? null : bounded(JSON.stringify(rawInput))
}

function streamedOf({ _meta: meta }: z.infer<typeof Fields>): string {
  const delta = meta?.terminal_output_delta ?? meta?.terminal_output
  const data = (delta as { data?: unknown } | null)?.data
  return typeof data === 'string' ? data : ''
}

function rawText(output: unknown): string {
  if (typeof output === 'string') return output
  const fields = output as
    | { output?: unknown; formatted_output?: unknown; stdout?: unknown }
    | null
    | undefined
  const text = fields?.formatted_output ?? fields?.output ?? fields?.stdout
  return typeof text === 'string' ? text : ''
}

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks
    .map((block: unknown) => {
      const inner = (block as { content?: unknown } | null)?.content ?? block
      const read = Block.safeParse(inner)
      return read.success && read.data.type === 'text' ? String(read.data.text ?? '') : ''
    })
    .join('')
}

function diffOf(content: unknown): string | null {
  const blocks = Array.isArray(content) ? content : []
  const diffs = blocks.flatMap((block: unknown) => {
    const read = Block.safeParse(block)
    if (!read.success || read.data.type !== 'diff') return []
    const { path, oldText, newText } = read.data
    return [unifiedDiff(String(path), String(oldText ?? ''), String(newText ?? ''))]
  })
  return diffs.length === 0 ? null : diffs.join('\n')
}
