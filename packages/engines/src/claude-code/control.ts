// Questions of Claude Code while it works: may this tool run, what does a person choose, may I go on.
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { formHead, nameOf, PARTS_MAX, partOf } from '../form.ts'
import { bounded } from '../scripted/window.ts'

export const INITIALIZE = {
  subtype: 'initialize',
  hooks: {
    PreToolUse: [{ hookCallbackIds: ['pre'], timeout: 86_400 }],
    PostToolUse: [{ hookCallbackIds: ['post'], timeout: 86_400 }],
    PostToolUseFailure: [{ hookCallbackIds: ['post'], timeout: 86_400 }],
  },
}

export const ASK_TOOL = 'AskUserQuestion'

const Asked = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: z.string().min(1),
        header: z.string().nullish(),
        multiSelect: z.boolean().nullish(),
        options: z.array(z.looseObject({ label: z.string(), description: z.string().nullish() })).default([]),
      }),
    )
    .min(1),
})

export interface Wish {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** One question with answers to choose from, a form of several, or leave to use a tool. */
export function questionOf({ id, tool, input }: Wish): EngineQuestion {
  const asked = tool === ASK_TOOL ? Asked.safeParse(input) : null
  if (asked?.success !== true) {
    const shown = tool === 'Bash' && typeof input.command === 'string' ? input.command : JSON.stringify(input)
    const title = `May ${tool} be used? ${shown}`.slice(0, 2_000)
    return { id, kind: 'permission', title, options: ['allow', 'deny'], tool, input: bounded(shown) }
  }
  const parts = asked.data.questions.slice(0, PARTS_MAX).map((each) =>
    partOf({
      name: each.question,
      title: each.question,
      header: each.header,
      multiple: each.multiSelect === true,
      options: each.options,
    }),
  )
  return { id, kind: 'form', ...formHead(parts), tool, input: bounded(JSON.stringify(input)), parts }
}

export type Permission =
  | { readonly behavior: 'allow'; readonly updatedInput: unknown }
  | { readonly behavior: 'deny'; readonly message: string }

export function permissionOf({ tool, input }: Wish, answer: EngineAnswer): Permission {
  const { text, allow = true, values, unasked } = answer
  const asked = tool === ASK_TOOL ? Asked.safeParse(input) : null
  // A made-up answer would pass for a person's: the model is told that there is none.
  if (asked?.success === true && unasked !== undefined) return { behavior: 'deny', message: unasked }
  if (!allow || (text === 'deny' && tool !== ASK_TOOL))
    return {
      behavior: 'deny',
      message: text === '' || text === 'deny' ? 'A person did not allow this.' : text,
    }
  if (asked?.success !== true) return { behavior: 'allow', updatedInput: answer.input ?? input }
  const { questions } = asked.data
  const said = questions.flatMap(({ question }) => {
    const value = values?.[nameOf(question)] ?? (questions.length === 1 ? text : undefined)
    return value === undefined ? [] : [[question, Array.isArray(value) ? value.join(', ') : String(value)]]
  })
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(said) } }
}

/** Words that came with a yes: they are for the turn, not for the tool. */
export function wordsOf(question: EngineQuestion, { text, allow = true }: EngineAnswer): string | null {
  if (!allow || question.kind !== 'permission' || text === '' || question.options.includes(text)) return null
  return text
}
