// A conversation goes on in the next run of its item, as the model sees it: after the item was given back because of
// its provider, and after its delivery was sent back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelRequest } from '@treadle/engines/testing/model-server/exchange'
import { playScenario } from '@treadle/engines/testing/model-server/scenarios'
import { expect, test } from 'vitest'
import { crewOf, PROGRAMS } from '../../scenarios/kit/program-crew.ts'
import { eventually } from '../../scenarios/kit/wait.ts'

const PATIENCE_MS = 6 * 60_000
/** Gemini does not find a conversation within the minute in which it began. */
const AFTER_MS: Readonly<Record<string, number>> = { gemini: 61_000 }
const NAMES = Object.keys(PROGRAMS)

const isStep = ({ tools, schema }: ModelRequest) => tools.length > 0 && schema === null
const answersIn = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'assistant').length
const callsIn = ({ messages }: ModelRequest) => messages.flatMap(({ calls }) => calls.map(({ id }) => id))
const requestsIn = ({ messages }: ModelRequest) =>
  messages.map(({ text }) => text.split('[[s:edit]]').length - 1).reduce((sum, each) => sum + each, 0)

test.for(NAMES)('%s: an item that was given back goes on where its conversation was', async (name) => {
  let isDown = true
  const restMs = AFTER_MS[name] ?? 1_000
  const steps: ModelRequest[] = []
  const crew = await crewOf(name, {
    limits: { providerHoldMs: 2_000, providerRestMs: restMs, providerRestMsMax: restMs },
    answer: (request) => {
      if (isDown && answersIn(request) >= 2)
        return { fault: { is: 'status', status: name === 'gemini' ? 503 : 529 } }
      if (isStep(request)) steps.push(request)
      return playScenario(request)
    },
  })
  await crew.add('edit')
  const isGivenBack = async () => {
    const { events } = await crew.show(1)
    return events.some(({ event }) => event.type === 'claim.released') ? true : undefined
  }
  await eventually('that it is given back', isGivenBack, PATIENCE_MS)
  const before = steps.length
  const known = steps.flatMap(callsIn)
  isDown = false
  const next = await eventually('that it goes on', () => steps[before], PATIENCE_MS)
  expect(callsIn(next)).toEqual(expect.arrayContaining(known))
  expect(requestsIn(next)).toBe(1)
  const { item } = await crew.merged(1)
  expect(item.attempts).toBe(1)
  expect(crew.workspace.git('show', 'main:sum.mjs')).toContain('a + b')
})

test.for(NAMES)('%s: rework goes on in the conversation that made the delivery', async (name) => {
  const steps: ModelRequest[] = []
  const crew = await crewOf(name, {
    answer: (request) => {
      if (isStep(request)) steps.push(request)
      return playScenario(request)
    },
  })
  await crew.add('edit')
  await crew.until(1, 'in_review')
  await sleep(AFTER_MS[name] ?? 0)
  const before = steps.length
  const known = steps.flatMap(callsIn)
  const feedback = 'Leave a note. [[s:run echo sums > note.txt]]'
  await crew.client().rejectItem({ params: { projectNumber: 1, issueNumber: 1 }, body: { feedback } })
  const next = await eventually('that it goes on', () => steps[before], PATIENCE_MS)
  expect(callsIn(next)).toEqual(expect.arrayContaining(known))
  expect(requestsIn(next)).toBe(1)
  await crew.merged(1)
  expect(crew.workspace.git('show', 'main:sum.mjs')).toContain('a + b')
  expect(crew.workspace.git('show', 'main:note.txt')).toBe('sums')
})
