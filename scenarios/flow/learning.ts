// Runs and lessons for tests of what is learned.
import { randomUUID } from 'node:crypto'
import { NewLesson } from '@treadle/contracts/lesson'
import { type GroupNote, type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { NOW } from '@treadle/flow/work/testing/sample'
import type { FlowWorld } from './world.ts'

export const group = (signature: string): GroupNote => ({
  id: signature.slice(0, 50),
  signature,
  cause: `one test ends with an error: ${signature}`,
  tests: ['adds'],
})
export const record = (phase: PhaseRecord['phase'], iteration: number, changes: Partial<PhaseRecord> = {}) =>
  phaseRecord({ phase, iteration, startedAt: NOW.toISOString(), durationMs: 1, outcome: 'done', ...changes })

/** A run at work, and a way to end it. */
export async function runIn(world: FlowWorld) {
  const item = await world.add()
  const claim = await runClaim(world, { item, agentId: 'agent-1', requestId: null })
  if (claim.is !== 'claimed') throw new Error(claim.is)
  const { id } = claim.run
  const end = async (outcome: string, changes: Parameters<typeof world.store.runs.patch>[1] = {}) => {
    const history = [record('build', 0)]
    await world.store.runs.patch(id, { history, ...changes, outcome, endedAt: NOW.toISOString() })
    const run = await world.store.runs.find(id)
    if (run === null) throw new Error('no run')
    return run
  }
  return { id, item, claim, end }
}

export const newLesson = async (store: FlowWorld['store'], given: Partial<NewLesson> = {}) => {
  const lesson = NewLesson.parse({ type: 'gotcha', topic: randomUUID(), content: randomUUID(), ...given })
  return (await store.lessons.record(lesson, NOW)).lesson
}
