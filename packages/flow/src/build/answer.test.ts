import type { Guidance, Question } from '@treadle/contracts/paor'
import { expect, test } from 'vitest'
import type { EngineTask } from '../ports/engine.ts'
import type { GuidanceChannel } from '../ports/guidance.ts'
import { type AskingWorld, answerTo } from './answer.run.ts'

const TASK: EngineTask = {
  text: '',
  item: null,
  attempt: 1,
  testCommand: null,
  failures: [],
  evidence: [],
}
const detail = (labels: string[], more: object = {}) => ({
  type: 'blocking' as const,
  context: '',
  choices: labels.map((label) => ({ label, description: `about ${label}` })),
  allowFreeText: true,
  blocking: true,
  tags: [],
  ...more,
})
const FORM: Question = {
  id: 'r1',
  kind: 'form',
  title: 'Empty cart?\nWhich formats?',
  options: ['zero', 'null', 'csv', 'json'],
  tool: 'AskUserQuestion',
  parts: [
    { name: 'Empty cart?', title: 'Empty cart?', detail: detail(['zero', 'null'], { header: 'Cart' }) },
    { name: 'Which formats?', title: 'Which formats?', detail: detail(['csv', 'json'], { multiple: true }) },
  ],
}

/** People who answer each question as it comes. */
function people(answers: readonly Partial<Guidance>[]) {
  const asked: Question[] = []
  const left = [...answers]
  const channel: Partial<GuidanceChannel> = {
    put: (question) => ({ question, asked: false }),
    hear: (guidance) => guidance,
    answer: async ({ id }) => {
      const next = left.shift()
      return next === undefined ? null : { id, by: 'ada', text: '', answers: id, ...next }
    },
  }
  const world: AskingWorld = {
    guidanceChannel: channel as GuidanceChannel,
    signal: new AbortController().signal,
    note: () => undefined,
    say: async (report) => void (report.type === 'run.asked' && asked.push(report.question)),
  }
  return { world, asked }
}

test('each question of a form is put to a person with all that it has, and has an answer of its own', async () => {
  const { world, asked } = people([{ text: 'null' }, { text: '1, 2' }])
  expect(await answerTo(world, TASK, FORM)).toEqual({
    text: 'Cart: null\nWhich formats?: 1, 2',
    values: { 'Empty cart?': 'null', 'Which formats?': ['csv', 'json'] },
  })
  expect(asked).toMatchObject([
    {
      id: 'r1-1',
      kind: 'choice',
      title: 'Empty cart?',
      detail: {
        header: 'Cart',
        context: '1 of 2 that are asked together.',
        choices: [
          { label: 'zero', description: 'about zero' },
          { label: 'null', description: 'about null' },
        ],
      },
    },
    { id: 'r1-2', title: 'Which formats?', detail: { multiple: true } },
  ])
})

test('where nobody can be asked nothing is chosen, and the model is told so', async () => {
  const alone = { ...people([]).world, guidanceChannel: null }
  const answer = await answerTo(alone, TASK, FORM)
  expect(answer).toEqual({ text: '', unasked: expect.stringContaining('Nobody can be asked') })
  const choice: Question = { id: 'q', kind: 'choice', title: 'Which?', options: ['one', 'two'] }
  expect(await answerTo(alone, TASK, choice)).toMatchObject({ text: '' })
  const named = { ...choice, detail: detail(['one', 'two'], { defaultOption: 'two' }) }
  expect(await answerTo(alone, TASK, named)).toMatchObject({ text: 'two' })
})

test('what the system answered is told as such', async () => {
  const { world } = people([{ text: 'zero', by: 'treadle', how: 'judgement' }, { text: 'csv' }])
  expect(await answerTo(world, TASK, FORM)).not.toHaveProperty('isSystem')
  const { world: ruled } = people([{ text: 'one', by: 'treadle', how: 'default' }])
  const choice: Question = { id: 'q', kind: 'choice', title: 'Which?', options: ['one', 'two'] }
  expect(await answerTo(ruled, TASK, choice)).toEqual({ text: 'one', isSystem: true })
})

test('what the sandbox allows needs nobody, unless it is on the way to a goal', async () => {
  const { world, asked } = people([{ text: 'no, look in src' }])
  const leave: Question = { id: 'p', kind: 'permission', title: 'May it?', options: ['allow', 'deny'] }
  expect(await answerTo(world, TASK, leave)).toEqual({ text: 'allow', allow: true })
  expect(asked).toEqual([])
  const goal = { iterationsMax: 1, verifyCommand: null, guidance: [], plans: [], reflections: [] }
  expect(await answerTo(world, { ...TASK, goal }, leave)).toEqual({ text: 'look in src', allow: false })
})
