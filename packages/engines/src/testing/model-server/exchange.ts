// What is asked of the model server and what it answers, whichever protocol it came by.

export type WireName = 'anthropic' | 'responses' | 'chat' | 'gemini'

interface ModelCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

interface ModelResult {
  readonly callId: string
  readonly text: string
  readonly isError: boolean
}

/** Neighbours of one role are one message. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly results: readonly ModelResult[]
}

interface ModelTool {
  readonly name: string
  /** Takes text instead of an object. */
  readonly isFreeForm: boolean
}

export interface ModelRequest {
  readonly wire: WireName
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** JSON schema that the answer has to keep to. */
  readonly schema: unknown
  readonly isStreamed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

interface ModelUsage {
  /** Without what came from, or went into, the cache. */
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export type ModelFault =
  | {
      readonly is: 'status'
      readonly status: number
      readonly retryAfterSeconds?: number
      readonly message?: string
    }
  /** The connection breaks in the middle of the answer. */
  | { readonly is: 'cut' }
  /** Nothing ever comes. */
  | { readonly is: 'silent' }

export interface ModelReply {
  readonly text?: string
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[]
  /** Sent as the protocol says for an answer with a schema. */
  readonly structured?: unknown
  readonly usage?: Partial<ModelUsage>
  /** Before the first byte. */
  readonly delayMs?: number
  /** Instead of an answer. */
  readonly fault?: ModelFault
}

/** A reply with every part in its place. */
export interface SentReply {
  readonly id: string
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly usage: ModelUsage
}

export interface Wire {
  /** Null: this is not addressed to it. */
  read(path: string, body: unknown): Omit<ModelRequest, 'wire' | 'headers' | 'body'> | null
  /** The events of a streamed answer, ready for the line. */
  stream(said: SentReply, request: ModelRequest): readonly string[]
  whole(said: SentReply, request: ModelRequest): unknown
  error(status: number, message: string): unknown
}

const noUsage: ModelUsage = { input: 300, output: 60, cacheRead: 0, cacheWrite: 0 }

export function sayingOf(reply: ModelReply, request: ModelRequest, id: number): SentReply {
  const calls = (reply.toolCalls ?? []).map((call, index) => ({ id: `call_${id}_${index}`, ...call }))
  const usage = { ...noUsage, ...reply.usage }
  const base = { id: `msg_${id}`, text: reply.text ?? '', calls, usage }
  if (reply.structured === undefined) return base
  // Where a protocol, or a program, has no schema of its own, the answer is the input of a tool.
  const tool = request.tools.find(({ name }) => name === 'StructuredOutput' || name === 'json')
  if (tool === undefined) return { ...base, text: JSON.stringify(reply.structured) }
  return { ...base, calls: [...calls, { id: `call_${id}_s`, name: tool.name, input: reply.structured }] }
}

/** Neighbours of one role are put together. */
export function merged(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const whole: ModelMessage[] = []
  for (const message of messages) {
    const last = whole.at(-1)
    if (last?.role !== message.role) whole.push(message)
    else
      whole[whole.length - 1] = {
        role: last.role,
        text: [last.text, message.text].filter((text) => text !== '').join('\n'),
        calls: [...last.calls, ...message.calls],
        results: [...last.results, ...message.results],
      }
  }
  return whole
}

export function message(
  role: ModelMessage['role'],
  parts: Partial<Omit<ModelMessage, 'role'>>,
): ModelMessage {
  return { role, text: '', calls: [], results: [], ...parts }
}

/** A text, or a list of blocks with text in them. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: unknown) => (isRecord(block) ? String(block.text ?? '') : '')).join('\n')
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON as a model writes it, which need not be right. */
export function readInput(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const sse = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
