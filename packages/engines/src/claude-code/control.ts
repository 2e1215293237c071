// Questions of Claude Code while it works: may this tool run, what does a person choose, may I go on.
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { z } from 'zod'
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
        question: z.string(),
        options: z.array(z.looseObject({ label: z.string() })).default([]),
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
  const { questions } = asked.data
  const title = questions
    .map(({ question }) => question)
    .join('\n')
    .slice(0, 2_000)
  const options = questions
    .flatMap((each) => each.options.map(({ label }) => label.slice(0, 500)))
    .slice(0, 50)
  return { id, kind: 'form', title, options, tool, input: bounded(JSON.stringify(input)) }
}

export type Permission =
  | { readonly behavior: 'allow'; readonly updatedInput: unknown }
  | { readonly behavior: 'deny'; readonly message: string }

export function permissionOf({ tool, input }: Wish, answer: EngineAnswer): Permission {
  const { text, allow = true, values } = answer
  if (!allow || (text === 'deny' && tool !== ASK_TOOL))
    return {
      behavior: 'deny',
      message: text === '' || text === 'deny' ? 'A person did not allow this.' : text,
    }
  const asked = tool === ASK_TOOL ? Asked.safeParse(input) : null
  if (asked?.success !== true) return { behavior: 'allow', updatedInput: answer.input ?? input }
  const said = asked.data.questions.map(({ question }) => [question, String(values?.[question] ?? text)])
  return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(said) } }
}

/** Words that came with a yes: they are for the turn, not for the tool. */
export function wordsOf(question: EngineQuestion, { text, allow = true }: EngineAnswer): string | null {
  if (!allow || question.kind !== 'permission' || text === '' || question.options.includes(text)) return null
  return text
}
