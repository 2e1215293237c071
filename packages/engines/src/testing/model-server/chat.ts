// The Chat Completions protocol, which most local servers speak.
import { z } from 'zod'
import {
  isRecord,
  type ModelMessage,
  merged,
  message,
  readInput,
  type SentReply,
  sse,
  textOf,
  type Wire,
} from './exchange.ts'
import { typeOf } from './responses.ts'

const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string() }) }))
    .nullish()
    .transform((tools) => tools ?? []),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ schema: z.unknown().optional() }).optional() })
    .nullish(),
})

export const chat: Wire = {
  read(path, json) {
    if (!path.endsWith('/chat/completions')) return null
    const body = Body.parse(json)
    const isSystem = (role: string) => role === 'system' || role === 'developer'
    return {
      model: body.model,
      system: body.messages.flatMap((each) => (isSystem(each.role) ? [textOf(each.content)] : [])).join('\n'),
      messages: merged(body.messages.filter(({ role }) => !isSystem(role)).map(readMessage)),
      tools: body.tools.map((tool) => ({ name: tool.function.name, isFreeForm: false })),
      schema: body.response_format?.json_schema?.schema ?? null,
      isStreamed: body.stream,
    }
  },
  stream(said, { model }) {
    const chunk = (more: object) => ({
      id: said.id,
      object: 'chat.completion.chunk',
      created: 0,
      model,
      ...more,
    })
    const choice = (delta: object, finish: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
    const calls = callsOf(said).map((call, index) => choice({ tool_calls: [{ index, ...call }] }))
    const text = said.text === '' ? [] : [choice({ content: said.text })]
    const chunks = [
      choice({ role: 'assistant', content: '' }),
      ...text,
      ...calls,
      choice({}, finishOf(said)),
      chunk({ choices: [], usage: usageOf(said) }),
    ]
    return [...chunks.map((each) => sse(each)), 'data: [DONE]\n\n']
  },
  whole: (said, { model }) => ({
    id: said.id,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.text,
          ...(said.calls.length > 0 ? { tool_calls: callsOf(said) } : {}),
        },
        finish_reason: finishOf(said),
      },
    ],
    usage: usageOf(said),
  }),
  error: (status, text) => ({ error: { message: text, type: typeOf(status), code: typeOf(status) } }),
}

function readMessage(each: Readonly<Record<string, unknown>>): ModelMessage {
  const text = textOf(each.content)
  if (each.role === 'tool')
    return message('user', { results: [{ callId: String(each.tool_call_id), text, isError: false }] })
  if (each.role !== 'assistant') return message('user', { text })
  const listed = Array.isArray(each.tool_calls) ? each.tool_calls.filter(isRecord) : []
  const calls = listed.flatMap(({ id, function: called }) =>
    isRecord(called)
      ? [{ id: String(id), name: String(called.name), input: readInput(called.arguments) }]
      : [],
  )
  return message('assistant', { text, calls })
}

const callsOf = ({ calls }: SentReply) =>
  calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))

const finishOf = ({ calls }: SentReply) => (calls.length > 0 ? 'tool_calls' : 'stop')

function usageOf({ usage }: SentReply) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  }
}
