// The lines that Claude Code writes, as far as they are used. What is not known is left out, so that a newer one works.
import { z } from 'zod'

const ApiUsage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
})
export type ApiUsage = z.infer<typeof ApiUsage>

const ModelUsage = z.record(
  z.string(),
  z.looseObject({
    inputTokens: z.number().default(0),
    outputTokens: z.number().default(0),
    cacheReadInputTokens: z.number().default(0),
    cacheCreationInputTokens: z.number().default(0),
    costUSD: z.number().default(0),
  }),
)
export type ModelUsage = z.infer<typeof ModelUsage>

const parent = z.string().nullish()
const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])

const System = z.looseObject({
  type: z.literal('system'),
  subtype: z.string(),
  session_id: z.string().optional(),
  model: z.string().optional(),
  claude_code_version: z.string().optional(),
  attempt: z.number().optional(),
  retry_delay_ms: z.number().optional(),
  error_status: z.number().nullish(),
  error: z.unknown().optional(),
  task_id: z.string().optional(),
})

const Assistant = z.looseObject({
  type: z.literal('assistant'),
  message: z.looseObject({ content: Content }),
  parent_tool_use_id: parent,
  /** authentication_failed, billing_error, rate_limit, … */
  error: z.unknown().optional(),
})

const User = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content: Content }),
  parent_tool_use_id: parent,
  tool_use_result: z.unknown().optional(),
})

const StreamEvent = z.looseObject({
  type: z.literal('stream_event'),
  event: z.looseObject({
    type: z.string(),
    message: z.looseObject({ id: z.string(), model: z.string(), usage: ApiUsage.optional() }).optional(),
    usage: ApiUsage.optional(),
    delta: z.looseObject({ text: z.string().optional() }).optional().catch(undefined),
  }),
  parent_tool_use_id: parent,
})

const Result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().default(false),
  terminal_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  num_turns: z.number().default(0),
  result: z.string().nullish(),
  errors: z.array(z.unknown()).default([]),
  structured_output: z.unknown().optional(),
  modelUsage: ModelUsage.default({}),
  model_usage_since_last_result: ModelUsage.optional(),
  /** Words that came too late for this turn and have one of their own. */
  queued_turn_count: z.number().default(0),
})
export type Result = z.infer<typeof Result>

const ControlRequest = z.looseObject({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({
    subtype: z.string(),
    tool_name: z.string().optional(),
    tool_use_id: z.string().optional(),
    input: z.looseObject({}).optional(),
    callback_id: z.string().optional(),
  }),
})
export type ControlRequest = z.infer<typeof ControlRequest>

const RateLimit = z.looseObject({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.looseObject({ status: z.string(), resetsAt: z.number().nullish() }),
})

const Line = z.discriminatedUnion('type', [
  System,
  Assistant,
  User,
  StreamEvent,
  Result,
  ControlRequest,
  RateLimit,
])
export type Line = z.infer<typeof Line>

/** A line of its output; null if it is nothing that we know, or no JSON at all. */
export function readLine(text: string): Line | null {
  try {
    const read = Line.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
