// Deliveries that are judged, on a real store with a clock that tests move: built, claimed, answered, swept.
import { randomUUID } from 'node:crypto'
import type { RunReport } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { report } from '@treadle/flow/report.run'
import { runReview } from '@treadle/flow/review/review.run'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import {
  claimFactOf,
  endThought,
  lockSubject,
  readThought,
  type ThoughtEndWorld,
  whyNotFor,
} from '@treadle/flow/supervise/thought-ends.run'
import { runThoughtSweep } from '@treadle/flow/supervise/thoughts.run'
import { COMMIT, green } from '@treadle/flow/work/testing/sample'
import { runAnswerThought, runClaimThought, type ThoughtWorld } from '@treadle/flow/work/thought.run'
import type { FlowWorld } from './world.ts'

export const REVIEWER = { merge: { approval: 'reviewer' }, engines: { reviewer: 'scripted' } }
export const CRITERIA = [{ id: null, text: 'The sum of nothing is 0', status: 'pending' }] as const
const BEAT = {
  agentId: 'review-agent',
  status: 'reviewing',
  currentProjectNumber: null,
  timestamp: new Date(0).toISOString(),
  memoryUsage: 1,
  cpuUsage: 1,
  pid: 1,
  engine: 'scripted',
  phase: null,
  tasksCompleted: 0,
  errorCount: 0,
  lastError: null,
  drained: false,
} as const
const PROVEN = [green(), green('witness')]
export const APPROVAL =
  '{"status":"APPROVED","criteria":[{"id":"C1","met":true,"evidence":"src/sum.ts:2","quote":"two"}]}'

export async function delivered(
  world: FlowWorld,
  acceptance: Item['acceptance'] = [...CRITERIA],
): Promise<Review> {
  const ref = await world.add()
  const item = await world.store.items.find(ref)
  if (item === null) throw new Error('no item')
  await world.store.items.save({ ...item, acceptance })
  await build(world, ref, 'agent-1')
  return latest(world, ref)
}

export async function build(world: FlowWorld, item: ItemRef, agentId: string): Promise<Item> {
  const claim = await runClaim(world, { item, agentId, requestId: null })
  if (claim.is !== 'claimed') throw new Error(claim.is)
  const branch = `${agentId}/project-${item.number}`
  const reports: RunReport[] = [
    { type: 'build.started', branch, base: COMMIT },
    { type: 'build.finished', summary: 'Sealed the valve', checkpoint: COMMIT },
    { type: 'verify.passed', branch, head: COMMIT, gates: PROVEN, pushed: false, pushNote: null },
  ]
  for (const event of reports)
    await report(world, { runId: claim.run.id, eventId: randomUUID(), fence: claim.fence, event })
  await runReview(world, item)
  return claim.item
}

export async function latest(world: FlowWorld, of: ItemRef): Promise<Review> {
  const review = await world.store.reviews.latest(of)
  if (review === null) throw new Error('no review')
  return review
}

export const refOf = ({ projectNumber, issueNumber: number }: Review) => ({ projectNumber, number })

export const itemOf = (world: FlowWorld, review: Review) => world.store.items.find(refOf(review))

export const typesOf = async (world: FlowWorld, review: Review) =>
  (await world.store.events.ofItem(refOf(review), 100)).map(({ event }) => event.type)
/** As the daemon has it, but for talks about ideas, and with files that say two lines. */
export function thinking(world: FlowWorld): FlowWorld & ThoughtWorld {
  const changed = ['src/sum.ts']
  const change = changed.map((path) => `+++ b/${path}\n@@ -0,0 +1,2 @@\n+one\n+two\n`).join('')
  const source = { fileAt: async () => 'one\ntwo\n', diff: async () => ({ files: changed, text: change }) }
  const git = { commitOf: async (commit: string) => commit, mergeBase: async () => 'base' }
  const ends = { ...world, source, git, target: 'main' } as unknown as ThoughtEndWorld
  return {
    ...(world as FlowWorld),
    wait: (ms) => world.wait(ms),
    add: () => world.add(),
    lockSubject: (thought) => lockSubject(ends, thought),
    endThought: (thought, ending) => endThought(ends, thought, ending),
    readAnswer: (thought, end) => readThought(ends, thought, end),
    whyNot: (thought, agentId) => whyNotFor(ends, thought, agentId),
    claimFact: (thought) => claimFactOf(ends, thought),
  }
}
/** Its thought is claimed; null: it is not to be had. */
export async function claim(world: FlowWorld, { id }: Pick<Review, 'id'>, agentId = 'review-agent') {
  const thoughtId = (await world.store.reviews.find(id))?.judgement?.thoughtId ?? randomUUID()
  const claimed = await runClaimThought(thinking(world), { id: thoughtId, agentId })
  return claimed.is === 'claimed' ? world.store.reviews.find(id) : null
}

export async function held(world: FlowWorld): Promise<Review> {
  const review = await claim(world, await delivered(world))
  if (review === null) throw new Error('not to be claimed')
  return review
}

export async function answer(
  world: FlowWorld,
  { id, judgement }: Review,
  text: string,
  fence = judgement?.fence,
) {
  const end = { is: 'answered', text, structured: null, model: 'm-1' } as const
  const held = { id: judgement?.thoughtId ?? randomUUID(), agentId: 'review-agent', fence: fence ?? 0 }
  const { is } = await runAnswerThought(thinking(world), { ...held, end })
  return { is, review: await world.store.reviews.find(id) }
}
/** All that is looked at by itself, while the reviewer gives signs of life. */
export async function sweep(world: FlowWorld, isFrozen = false): Promise<void> {
  await runSweep(world)
  await world.store.agents.ensure('review-agent', world.time)
  await world.store.agents.beat('review-agent', BEAT, world.time)
  await runThoughtSweep({ ...thinking(world), isFrozen: async () => isFrozen })
}
