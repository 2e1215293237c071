// Real programs on bad days: a provider in trouble, a model that never ends, one that asks.
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { daemonLog } from '../../scenarios/kit/daemon.ts'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const NAMES = Object.keys(PROGRAMS)
const PATIENCE_MS = 6 * 60_000
const DOWN_MS = 30_000

type Crew = Awaited<ReturnType<typeof crewOf>>

async function delivered({ show, workspace }: Crew, number: number) {
  return eventually(
    `#${number} is delivered`,
    async () => {
      const shown = await show(number)
      const { state, reason } = shown.item
      if (state === 'escalated') throw new Error(`${reason}\n${daemonLog(workspace).slice(-2_000)}`)
      return state === 'in_review' ? shown : undefined
    },
    PATIENCE_MS,
  )
}

const typesOf = ({ events }: Awaited<ReturnType<Crew['show']>>) => events.map(({ event }) => event.type)

test.for(NAMES)('%s: an overload of the provider is waited out, and no item is lost to it', async (name) => {
  let downUntil = 0
  const crew = await crewOf(name, {
    agents: 2,
    answer: (request) => {
      // It begins in the middle of the first turn, not before it.
      if (downUntil === 0 && request.messages.length > 1) downUntil = Date.now() + DOWN_MS
      return downUntil > 0 && Date.now() < downUntil
        ? { fault: { is: 'status', status: name === 'gemini' ? 503 : 529 } }
        : playScenario(request)
    },
  })
  for (const _ of [1, 2]) await crew.add('edit')
  const resting = await eventually(
    'that the engine rests is told',
    async () =>
      typesOf(await crew.show(1)).includes('run.retrying') ||
      typesOf(await crew.show(2)).includes('run.retrying') ||
      undefined,
    PATIENCE_MS,
  )
  expect(resting).toBe(true)
  for (const number of [1, 2]) {
    const { item, runs } = await delivered(crew, number)
    expect(crew.workspace.git('show', `${item.headCommit}:sum.mjs`)).toContain('a + b')
    expect(runs).toHaveLength(1)
    expect(item.attempts).toBe(1)
  }
})

test.for(NAMES)('%s: a model that never ends is ended at its step limit', async (name) => {
  const crew = await crewOf(name, { limits: { steps: 6 }, answer: playScenario })
  await crew.add('loop')
  await eventually(
    'the turn is over',
    async () => ((await crew.show(1)).item.state === 'escalated' ? true : undefined),
    PATIENCE_MS,
  )
  const steps = crew.server.requests.filter(({ tools }) => tools.length > 0)
  // One conversation for each attempt, and each has its limit.
  const { runs } = await crew.show(1)
  const attempts = runs.flatMap(({ history }) =>
    history.filter(({ phase }) => phase === 'build' || phase === 'improve'),
  )
  expect(attempts.length).toBeGreaterThan(0)
  expect(steps.length).toBeLessThanOrEqual(6 * attempts.length)
})

test('claude-code: what its own tool asks is asked of a person, and the answer reaches the model', async () => {
  const crew = await crewOf('claude-code', { answer: playScenario })
  await crew.add('form')
  const { client } = crew
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
