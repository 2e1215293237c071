// Real programs and a model that never ends.
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'

const NAMES = Object.keys(PROGRAMS)

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
