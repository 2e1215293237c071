import type { Engine, EngineAnswer, EngineOpen } from '@treadle/flow/ports/engine'
import { RIVALS_TAG } from '@treadle/repair/turn'
import { expect, test } from 'vitest'
import { FixQuestions } from './ask-person.ts'

const question = {
  id: 'rivals',
  kind: 'choice',
  title: "`isOdd('3')`: should this be true or false?",
  input: "isOdd('3')",
  options: ['true', 'false'],
  detail: { tags: [RIVALS_TAG] },
} as unknown as Parameters<EngineOpen['onQuestion']>[0]

async function asked(answer: string | null) {
  const said: string[] = []
  const questions = new FixQuestions({
    answer,
    hasTerminal: false,
    signal: new AbortController().signal,
    tell: (text) => said.push(text),
  })
  let heard: EngineAnswer | null = null
  const engine = {
    open: async ({ onQuestion }: EngineOpen) => {
      heard = await onQuestion(question)
    },
  } as unknown as Engine
  await questions.around(engine).open({} as EngineOpen)
  return {
    heard: heard as EngineAnswer | null,
    given: questions.asked?.answer,
    said: said.join('\n'),
    questions,
  }
}

test('an answer is taken for the question that it names, however its input is quoted', async () => {
  for (const answer of ["isOdd('3') = false", ' isOdd("3")  =  false ']) {
    const { heard, given, questions } = await asked(answer)
    expect(heard).toEqual({ text: 'false' })
    expect(given).toBe('false')
    expect(questions.unused).toBeNull()
  }
})

test.each(['true', "isOdd('5') = true", "isOdd('3')", "isOdd('3') ="])(
  'the answer %s to no question, or to another, is not used, and that is said',
  async (answer) => {
    const { heard, given, said, questions } = await asked(answer)
    expect(heard?.unasked).toBeTypeOf('string')
    expect(given).toBeNull()
    expect(questions.unused).toBe(answer)
    expect(said).toContain(`--answer "${answer}" was not used`)
  },
)

test('without an answer nothing is said about one', async () => {
  const { heard, said, questions } = await asked(null)
  expect([heard?.text, said, questions.unused]).toEqual(['', '', null])
})
