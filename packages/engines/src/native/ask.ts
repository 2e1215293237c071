// The tool with which the model asks a person.
import { z } from 'zod'
import { makeTool, type Tool } from './tools/tool.ts'
import type { NativeTurn } from './turn.ts'

export function askTool(turn: NativeTurn): Tool {
  return makeTool({
    name: 'ask',
    description:
      'Asks a person, and waits for the answer. Only for what you cannot find out or decide yourself.',
    isReading: true,
    input: z.object({
      question: z.string().min(1).max(2_000),
      options: z
        .array(z.string().min(1).max(500))
        .max(50)
        .optional()
        .describe('To choose from; left out: words'),
    }),
    async run({ question, options = [] }) {
      const kind = options.length === 0 ? ('guidance' as const) : ('choice' as const)
      const { text, values } = await turn.ask({ kind, title: question, options })
      const answer = text === '' && values !== undefined ? JSON.stringify(values) : text
      if (answer === '') return { output: 'Nobody answered. Decide yourself.', success: false }
      turn.answered(options.length === 0 ? answer : `${question} ${answer}`)
      return { output: answer }
    },
  })
}
