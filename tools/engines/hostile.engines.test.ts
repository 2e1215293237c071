// Real programs and a model that never ends, or asks.
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const NAMES = Object.keys(PROGRAMS)
const PATIENCE_MS = 6 * 60_000

test.for(NAMES)('%s: a model that never ends is ended at its step limit', async (name) => {
  const crew = await crewOf(name, { limits: { steps: 6 }, answer: playScenario })
  await crew.add('loop')
  const { runs } = await crew.until(1, 'escalated')
  const steps = crew.server.requests.filter(({ tools }) => tools.length > 0)
  // One conversation for each attempt, and each has its limit.
  const attempts = runs.flatMap(({ history }) =>
    history.filter(({ phase }) => phase === 'build' || phase === 'improve'),
  )
  expect(attempts.length).toBeGreaterThan(0)
  expect(steps.length).toBeLessThanOrEqual(6 * attempts.length)
})

test('claude-code: what its own tool asks is asked of a person, and the answer reaches the model', async () => {
  const crew = await crewOf('claude-code', { answer: playScenario })
  await crew.add('form')
  const client = crew.client()
  const question = await eventually(
    'the question',
    async () => (await client.listQuestions({ query: { status: 'open' } })).items[0],
    PATIENCE_MS,
  )
  expect(question.text).toContain('Which way?')
  expect(question.options.map(({ label }) => label)).toEqual(['left', 'right'])
  await client.answerQuestion({ params: { id: question.id }, body: { text: 'right' } })
  await eventually(
    'that the model has heard it',
    async () =>
      crew.server.requests.some(({ messages }) =>
        messages.some(({ results }) => results.some(({ text }) => text.includes('right'))),
      ) || undefined,
    PATIENCE_MS,
  )
  expect(JSON.stringify(crew.server.requests)).not.toContain('"left"=')
})
