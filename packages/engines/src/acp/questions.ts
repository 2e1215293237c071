// Questions of a program over ACP, in our words, and what it is answered.
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { bounded } from '../scripted/window.ts'

const Permission = z.looseObject({
  toolCall: z.looseObject({
    toolCallId: z.string().default(''),
    title: z.string().nullish(),
    kind: z.string().nullish(),
    rawInput: z.unknown().optional(),
  }),
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string(), name: z.string().nullish() })),
})

export interface PermissionWish {
  readonly callId: string
  readonly toolCall: unknown
  readonly options: z.infer<typeof Permission>['options']
  readonly question: EngineQuestion
}

export function permissionOf(params: unknown): PermissionWish {
  const { toolCall, options } = Permission.parse(params)
  const tool = (toolCall.kind ?? 'tool').slice(0, 100)
  const command = (toolCall.rawInput as { command?: unknown } | null)?.command
  const shown =
    typeof command === 'string' ? command : (toolCall.title ?? JSON.stringify(toolCall.rawInput ?? {}))
  const question: EngineQuestion = {
    id: `acp-${toolCall.toolCallId}`.slice(0, 100),
    kind: 'permission',
    title: `May ${tool} be used? ${shown}`.slice(0, 2_000),
    options: ['allow', 'deny'],
    tool,
    input: bounded(shown),
  }
  return { callId: toolCall.toolCallId, toolCall, options, question }
}

/** Once, never for always: what a program may do is decided each time. */
export function answerPermission({ options }: PermissionWish, { allow = true }: EngineAnswer): unknown {
  const wanted = allow ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const chosen = wanted.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0]
  if (chosen === undefined) return { outcome: { outcome: 'cancelled' } }
  return { outcome: { outcome: 'selected', optionId: chosen.optionId } }
}

const Form = z.looseObject({
  message: z.string().default(''),
  requestedSchema: z
    .looseObject({
      properties: z.record(z.string(), z.looseObject({ enum: z.array(z.unknown()).optional() })).default({}),
    })
    .optional(),
})

export function formOf(params: unknown): EngineQuestion {
  const { message, requestedSchema } = Form.parse(params)
  const fields = Object.values(requestedSchema?.properties ?? {})
  const options = fields.flatMap((field) => (field.enum ?? []).map((each) => String(each).slice(0, 500)))
  return {
    id: `acp-form-${Date.now()}`,
    kind: 'form',
    title: (message || 'A question').slice(0, 2_000),
    options: options.slice(0, 50),
    input: bounded(JSON.stringify(requestedSchema ?? {})),
  }
}

export function answerForm(params: unknown, { text, allow = true, values }: EngineAnswer): unknown {
  if (!allow) return { action: 'decline' }
  const names = Object.keys(Form.parse(params).requestedSchema?.properties ?? {})
  const content = Object.fromEntries(names.map((name) => [name, values?.[name] ?? text]))
  return { action: 'accept', content }
}
