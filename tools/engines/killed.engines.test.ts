// Kill -9 in the middle of a turn, of the agent and of the daemon: the same conversation goes on, as the model sees it,
// and nothing is merged twice.
import type { ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { type Crew, crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const PATIENCE_MS = 6 * 60_000
const NAMES = Object.keys(PROGRAMS)

const isStep = ({ tools, schema }: ModelRequest) => tools.length > 0 && schema === null
const answersIn = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'assistant').length
const callsIn = ({ messages }: ModelRequest) => messages.flatMap(({ calls }) => calls.map(({ id }) => id))
const requestsIn = ({ messages }: ModelRequest) =>
  messages.map(({ text }) => text.split('[[s:edit]]').length - 1).reduce((sum, each) => sum + each, 0)

/** A crew whose model thinks about its third answer until it is let go. */
async function thinking(name: string) {
  const go = Promise.withResolvers<void>()
  const steps: ModelRequest[] = []
  const crew: Crew = await crewOf(name, {
    answer: async (request) => {
      if (!isStep(request)) return playScenario(request)
      steps.push(request)
      if (answersIn(request) === 2) await go.promise
      return playScenario(request)
    },
  })
  await crew.add('edit')
  const held = await eventually(
    'the middle of the turn',
    () => steps.find((each) => answersIn(each) === 2),
    PATIENCE_MS,
  )
  return { crew, steps, held, go: () => go.resolve() }
}

/** What was merged is right, once. */
async function mergedOnce(crew: Crew) {
  const { item, runs } = await crew.merged(1)
  expect([item.attempts, runs.length]).toEqual([1, 1])
  expect(crew.workspace.git('log', '--merges', '--format=%s', 'main').split('\n')).toHaveLength(1)
  expect(crew.workspace.git('show', 'main:sum.mjs')).toContain('a + b')
}

test.for(NAMES)('%s: the agent is killed in the middle of a turn', async (name) => {
  const { crew, steps, held, go } = await thinking(name)
  const before = steps.length
  await crew.killAgent()
  go()
  const next = await eventually('that it goes on', () => steps[before], PATIENCE_MS)
  // The model sees what it has done before, and the request itself once, not told anew.
  expect(callsIn(next)).toEqual(expect.arrayContaining(callsIn(held)))
  expect(requestsIn(next)).toBe(1)
  await mergedOnce(crew)
})

test.for(NAMES)('%s: the daemon is killed in the middle of a turn', async (name) => {
  const { crew, steps, held, go } = await thinking(name)
  const before = steps.length
  await crew.killDaemon()
  go()
  const next = await eventually('that it goes on', () => steps[before], PATIENCE_MS)
  expect(callsIn(next)).toEqual(expect.arrayContaining(callsIn(held)))
  expect(requestsIn(next)).toBe(1)
  await mergedOnce(crew)
})
