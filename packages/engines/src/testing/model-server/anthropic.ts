// The Messages protocol.
import { z } from 'zod'
import {
  isRecord,
  type ModelMessage,
  merged,
  message,
  type SentReply,
  sse,
  textOf,
  type Wire,
} from './exchange.ts'

const Body = z.looseObject({
  model: z.string(),
  system: z.unknown().optional(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() })
    .nullish(),
  output_format: z.looseObject({ schema: z.unknown().optional() }).nullish(),
})

export const anthropic: Wire = {
  read(path, json) {
    if (!path.endsWith('/messages')) return null
    const body = Body.parse(json)
    return {
      model: body.model,
      system: textOf(body.system),
      messages: merged(body.messages.map(readMessage)),
      tools: body.tools.map(({ name }) => ({ name, isFreeForm: false })),
      schema: body.output_config?.format?.schema ?? body.output_format?.schema ?? null,
      isStreamed: body.stream,
    }
  },
  stream(said, { model }) {
    const start = { ...envelope(said, model), content: [], stop_reason: null }
    const events: { type: string }[] = [
      {
        type: 'message_start',
        message: { ...start, usage: { ...usageOf(said), output_tokens: 1 } },
      } as never,
    ]
    for (const [index, block] of blocksOf(said).entries()) events.push(...eventsOf(block, index))
    const delta = { stop_reason: stopOf(said), stop_sequence: null }
    const end = { type: 'message_delta', delta, usage: usageOf(said) }
    return [...events, end, { type: 'message_stop' }].map((event) => sse(event, event.type))
  },
  whole: (said, { model }) => ({
    ...envelope(said, model),
    content: blocksOf(said),
    stop_reason: stopOf(said),
    usage: usageOf(said),
  }),
  error: (status, text) => ({
    type: 'error',
    error: {
      type: errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
      message: text,
    },
    request_id: 'req_model_server',
  }),
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function readMessage({ role, content }: { role: string; content?: unknown }): ModelMessage {
  if (role === 'assistant') {
    const calls = blocks(content, 'tool_use').map(({ id, name, input }) => ({
      id: String(id),
      name: String(name),
      input,
    }))
    return message('assistant', { text: textOf(content), calls })
  }
  const results = blocks(content, 'tool_result').map((block) => ({
    callId: String(block.tool_use_id),
    text: textOf(block.content),
    isError: block.is_error === true,
  }))
  return message('user', { text: textOf(content), results })
}

function blocks(content: unknown, type: string): Readonly<Record<string, unknown>>[] {
  return Array.isArray(content) ? content.filter(isRecord).filter((block) => block.type === type) : []
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

function blocksOf({ text, calls }: SentReply): Block[] {
  const said: Block[] = text === '' && calls.length > 0 ? [] : [{ type: 'text', text }]
  return [...said, ...calls.map((call): Block => ({ type: 'tool_use', ...call }))]
}

function eventsOf(block: Block, index: number): { type: string }[] {
  const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  return [
    { type: 'content_block_start', index, content_block: empty } as { type: string },
    { type: 'content_block_delta', index, delta } as { type: string },
    { type: 'content_block_stop', index } as { type: string },
  ]
}

const envelope = ({ id }: SentReply, model: string) => ({ id, type: 'message', role: 'assistant', model })

const stopOf = ({ calls }: SentReply) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const usageOf = ({ usage }: SentReply) => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_input_tokens: usage.cacheRead,
  cache_creation_input_tokens: usage.cacheWrite,
})
