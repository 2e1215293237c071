// The Responses protocol, as far as programs use it that keep the conversation themselves.
import { z } from 'zod'
import {
  isRecord,
  type ModelMessage,
  type ModelRequest,
  merged,
  message,
  readInput,
  type SentReply,
  sse,
  textOf,
  type Wire,
} from './exchange.ts'

const Body = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  stream: z.boolean().default(false),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.string().optional() }))]),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
  text: z.looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() }).nullish(),
})

export const responses: Wire = {
  read(path, json) {
    if (!path.endsWith('/responses')) return null
    const body = Body.parse(json)
    const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
    return {
      model: body.model,
      system: body.instructions ?? '',
      messages: merged(items.filter(isRecord).flatMap(readItem)),
      tools: [...body.tools, ...items.filter(isRecord).filter(isToolList)].flatMap(toolsIn),
      schema: body.text?.format?.schema ?? null,
      isStreamed: body.stream,
    }
  },
  stream(said, request) {
    const whole = wholeOf(said, request)
    const created = { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }
    const items = whole.output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      ...(item.type === 'message' ? [textDelta(said, index, item.id)] : []),
      { type: 'response.output_item.done', output_index: index, item },
    ])
    return [created, ...items, { type: 'response.completed', response: whole }].map((event) =>
      sse(event, event.type),
    )
  },
  whole: wholeOf,
  error: (status, text) => ({ error: { message: text, type: typeOf(status), code: typeOf(status) } }),
}

/** Newer models of Codex are given their tools as an item of the conversation, in name spaces. */
const isToolList = ({ type }: Readonly<Record<string, unknown>>) => type === 'additional_tools'

function toolsIn(tool: Readonly<Record<string, unknown>>): ModelRequest['tools'] {
  if (Array.isArray(tool.tools)) return tool.tools.filter(isRecord).flatMap(toolsIn)
  return [{ name: String(tool.name ?? tool.type), isFreeForm: tool.type === 'custom' }]
}

/** What the protocols of this family call an error. */
export function typeOf(status: number): string {
  if (status === 401) return 'invalid_api_key'
  if (status === 402) return 'insufficient_quota'
  if (status === 429) return 'rate_limit_exceeded'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

function readItem(item: Readonly<Record<string, unknown>>): ModelMessage[] {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call': {
      const input = readInput(item.arguments ?? item.input)
      return [message('assistant', { calls: [{ id: String(item.call_id), name: String(item.name), input }] })]
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const text = typeof item.output === 'string' ? item.output : textOf(item.output)
      return [message('user', { results: [{ callId: String(item.call_id), text, isError: false }] })]
    }
    case 'message':
    case undefined:
      return [message(item.role === 'assistant' ? 'assistant' : 'user', { text: textOf(item.content) })]
    default:
      return []
  }
}

function wholeOf(said: SentReply, { model, tools }: ModelRequest) {
  const text = { type: 'output_text', text: said.text, annotations: [] }
  const shown = said.text === '' && said.calls.length > 0 ? [] : [text]
  const id = said.id
  const output = [
    ...shown.map((part) => ({
      type: 'message' as const,
      id,
      role: 'assistant',
      status: 'completed',
      content: [part],
    })),
    ...said.calls.map((call) => callItem(call, tools.find(({ name }) => name === call.name)?.isFreeForm)),
  ]
  const { input, output: written, cacheRead, cacheWrite } = said.usage
  return {
    id: `resp_${id}`,
    object: 'response',
    status: 'completed',
    model,
    output,
    usage: {
      input_tokens: input + cacheRead + cacheWrite,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cacheRead + cacheWrite + written,
    },
  }
}

function callItem({ id, name, input }: SentReply['calls'][number], isFreeForm = false) {
  const base = { id: `item_${id}`, call_id: id, name, status: 'completed' }
  return isFreeForm
    ? { type: 'custom_tool_call' as const, ...base, input: String(input) }
    : { type: 'function_call' as const, ...base, arguments: JSON.stringify(input) }
}

function textDelta({ text }: SentReply, index: number, id: string) {
  return {
    type: 'response.output_text.delta',
    output_index: index,
    content_index: 0,
    item_id: id,
    delta: text,
  }
}
