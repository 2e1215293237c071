// The tool with which the model asks a person.
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { formHead, nameOf, partOf } from '../form.ts'
import { makeTool, type Tool } from './tools/tool.ts'
import type { NativeTurn } from './turn.ts'

const Described = z.object({
  label: z.string().min(1).max(200),
  description: z.string().max(2_000).optional(),
})
type Option = string | z.infer<typeof Described>

/** Descriptions and several choices are what a form has; a plain choice stays one. */
function questionOf(
  title: string,
  options: readonly Option[],
  multiple: boolean,
): Omit<EngineQuestion, 'id'> {
  if (options.length === 0) return { kind: 'guidance', title, options: [] }
  const plain = options.filter((option) => typeof option === 'string')
  if (!multiple && plain.length === options.length) return { kind: 'choice', title, options: plain }
  const described = options.map((option) => (typeof option === 'string' ? { label: option } : option))
  const parts = [partOf({ name: title, title, multiple, options: described })]
  return { kind: 'form', ...formHead(parts), parts }
}

function answerIn(question: string, { text, values }: Pick<EngineAnswer, 'text' | 'values'>): string {
  const value = values?.[nameOf(question)]
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'string') return value
  return text === '' && values !== undefined ? JSON.stringify(values) : text
}

export function askTool(turn: NativeTurn): Tool {
  return makeTool({
    name: 'ask',
    description:
      'Asks a person, and waits for the answer. Only for what you cannot find out or decide yourself.',
    isReading: true,
    input: z.object({
      question: z.string().min(1).max(2_000),
      options: z
        .array(z.union([z.string().min(1).max(500), Described]))
        .max(50)
        .optional()
        .describe('To choose from, each a label or a label with a description; left out: words'),
      multiple: z.boolean().optional().describe('Whether several options may be chosen'),
    }),
    async run({ question, options = [], multiple = false }) {
      const said = await turn.ask(questionOf(question, options, multiple))
      if (said.unasked !== undefined) return { output: said.unasked, success: false }
      const answer = answerIn(question, said)
      if (answer === '') return { output: 'Nobody answered. Decide yourself.', success: false }
      turn.answered(options.length === 0 ? answer : `${question} ${answer}`)
      return { output: answer }
    },
  })
}
