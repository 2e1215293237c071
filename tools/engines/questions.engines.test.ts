// Every way in which a real program can ask: a person answers, and the model hears it.
import type { ModelReply, ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { type Crew, crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const PATIENCE_MS = 6 * 60_000
const NAMES = Object.keys(PROGRAMS)
/** Programs whose own tool for questions reaches people. */
const WITH_TOOL = ['claude-code']

const question = (crew: Crew) =>
  eventually(
    'the question',
    async () => (await crew.client().listQuestions({ query: { status: 'open' } })).items[0],
    PATIENCE_MS,
  )

async function answered(crew: Crew, text: string) {
  const { id } = await question(crew)
  await crew.client().answerQuestion({ params: { id }, body: { text } })
  const { items } = await crew.client().listQuestions({ query: {} })
  expect(items.map(({ status, answer }) => [status, answer?.how, answer?.text])).toEqual([
    ['answered', 'person', text],
  ])
}

const heard = (crew: Crew, words: string) =>
  eventually(
    `that the model has heard ${words}`,
    () => crew.server.requests.some(({ messages }) => JSON.stringify(messages).includes(words)) || undefined,
    PATIENCE_MS,
  )

test.for(WITH_TOOL)('%s: with its own tool for questions', async (name) => {
  const crew = await crewOf(name, { answer: playScenario })
  await crew.add('form')
  const { text, options } = await question(crew)
  expect(text).toContain('Which way?')
  expect(options.map(({ label }) => label)).toEqual(['left', 'right'])
  await answered(crew, 'right')
  await eventually(
    'that the model has heard it',
    () =>
      crew.server.requests.some(({ messages }) =>
        messages.some(({ results }) => results.some((each) => each.text.includes('right'))),
      ) || undefined,
    PATIENCE_MS,
  )
  expect(JSON.stringify(crew.server.requests)).not.toContain('"left"=')
})

const ASKED = {
  question: {
    type: 'blocking',
    text: 'Should the sum of nothing be zero?',
    context: 'The item does not say it.',
    options: [{ label: 'zero' }, { label: 'an error' }],
  },
}

/** Asks before it begins; told the answer, it does the work. */
function askingFirst(request: ModelRequest): ModelReply {
  const isAsked = request.messages.some(({ role, text }) => role === 'user' && text.includes('You asked:'))
  if (request.schema !== null || request.tools.length === 0) return playScenario(request)
  if (!isAsked) return { text: `Before I begin:\n\n${JSON.stringify(ASKED)}` }
  // What it said itself is no step of the work.
  const asked = request.messages.findIndex(
    ({ role, text }) => role === 'assistant' && text.includes('"question"'),
  )
  return playScenario({ ...request, messages: request.messages.filter((_, at) => at !== asked) })
}

test.for(NAMES)('%s: with JSON in its answer', async (name) => {
  const crew = await crewOf(name, { answer: askingFirst })
  await crew.add('edit')
  const { text, context, options } = await question(crew)
  expect([text, context]).toEqual([ASKED.question.text, ASKED.question.context])
  expect(options.map(({ label }) => label)).toEqual(['zero', 'an error'])
  await answered(crew, 'zero')
  await heard(crew, 'The answer: zero')
  await crew.merged(1)
})

/** A goal: plans, changes nothing at first, and asks in its verdict; told the answer, it does the work. */
function askingInVerdict(request: ModelRequest): ModelReply {
  const last = request.messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? ''
  const isAnswered = JSON.stringify(request.messages).includes('Zero, please')
  if (last.includes('# Now: the plan'))
    return reply(request, {
      tasks: [{ id: 'sum', text: 'Mend the sum', dependsOn: [], by: 'self' }],
      scope: [],
      why: 'It is wrong.',
    })
  if (last.includes('# Now: reflect'))
    return reply(
      request,
      isAnswered
        ? { verdict: 'achieved', why: 'The check is green.', remaining: [], question: null }
        : {
            verdict: 'needs_user',
            why: 'It is not said.',
            remaining: [],
            question: 'What is the sum of nothing?',
          },
    )
  const at = request.messages.findLastIndex(({ text }) => text.includes('# Now: carry out'))
  const order = request.messages[at]
  if (order === undefined) return playScenario(request)
  if (!isAnswered) return { text: 'I have to know more first.' }
  const since = [{ ...order, text: '[[s:edit]]' }, ...request.messages.slice(at + 1)]
  return playScenario({ ...request, messages: since })
}

const reply = ({ schema }: ModelRequest, value: unknown): ModelReply =>
  schema === null ? { text: JSON.stringify(value) } : { structured: value }

test.for(NAMES)('%s: with the verdict on a goal', async (name) => {
  const crew = await crewOf(name, { answer: askingInVerdict })
  await crew.client().startRun({ body: { goal: 'Mend the sum. [[s:edit]]', verify: 'node test.mjs' } })
  const { text } = await question(crew)
  expect(text).toContain('What is the sum of nothing?')
  await answered(crew, 'Zero, please')
  await heard(crew, 'Zero, please')
  await crew.until(1, 'in_review')
})
