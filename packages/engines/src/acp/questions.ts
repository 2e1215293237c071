// Questions of a program over ACP, in our words, and what it is answered.
import { randomUUID } from 'node:crypto'
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { formHead, PARTS_MAX, partOf, shortLabel } from '../form.ts'
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

const Choices = z.looseObject({
  enum: z.array(z.unknown()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(z.looseObject({ const: z.unknown(), title: z.string().nullish() })).optional(),
  anyOf: z.array(z.looseObject({ const: z.unknown(), title: z.string().nullish() })).optional(),
})

const Field = Choices.extend({
  type: z.string().optional(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  items: Choices.optional(),
})
type Field = z.infer<typeof Field>

const Form = z.looseObject({
  message: z.string().default(''),
  requestedSchema: z
    .looseObject({
      properties: z.record(z.string(), Field).default({}),
      required: z.array(z.string()).nullish(),
    })
    .optional(),
})

/** Each field of a form is a question of its own. */
export function formOf(params: unknown): EngineQuestion {
  const { message, requestedSchema } = Form.parse(params)
  const fields = Object.entries(requestedSchema?.properties ?? {}).slice(0, PARTS_MAX)
  const isAlone = fields.length === 1
  const parts = fields.map(([name, field]) => {
    const own = field.description || field.title || name
    return partOf({
      name,
      title: isAlone && message !== '' ? message : own,
      header: field.title ?? name,
      context: isAlone ? (field.description ?? '') : message,
      multiple: field.type === 'array',
      options: choicesOf(field).map(({ label }) => ({ label })),
    })
  })
  const title = (message || 'A question').slice(0, 2_000)
  const { options } = formHead(parts)
  const id = `acp-form-${randomUUID().slice(0, 8)}`
  const input = bounded(JSON.stringify(requestedSchema ?? {}))
  return { id, kind: 'form', title, options, input, ...(parts.length === 0 ? {} : { parts }) }
}

interface Choice {
  readonly label: string
  readonly value: unknown
}

function choicesOf(field: Field): Choice[] {
  if (field.type === 'boolean')
    return [
      { label: 'Yes', value: true },
      { label: 'No', value: false },
    ]
  const from = field.type === 'array' ? (field.items ?? field) : field
  const named = from.oneOf ?? from.anyOf
  if (named !== undefined)
    return named.map((each) => ({ label: each.title || String(each.const), value: each.const }))
  return (from.enum ?? []).map((value, at) => ({ label: from.enumNames?.[at] ?? String(value), value }))
}

export function answerForm(params: unknown, answer: EngineAnswer): unknown {
  const { text, allow = true, values, unasked } = answer
  if (!allow || unasked !== undefined) return { action: 'decline' }
  const fields = Object.entries(Form.parse(params).requestedSchema?.properties ?? {})
  const content = fields.flatMap(([name, field]) => {
    const given = values?.[name] ?? (fields.length === 1 ? text : undefined)
    return given === undefined ? [] : [[name, typedValue(field, given)]]
  })
  return { action: 'accept', content: Object.fromEntries(content) }
}

/** An answer in the type that its field has. */
function typedValue(field: Field, given: unknown): unknown {
  if (field.type === 'array')
    return (Array.isArray(given) ? given : [given]).map((each) => chosenIn(field, each))
  const chosen = chosenIn(field, given)
  const number = field.type === 'number' || field.type === 'integer' ? Number(chosen) : Number.NaN
  return Number.isNaN(number) ? chosen : number
}

function chosenIn(field: Field, given: unknown): unknown {
  const found = choicesOf(field).find(({ label }) => shortLabel(label) === given)
  return found === undefined ? given : found.value
}
