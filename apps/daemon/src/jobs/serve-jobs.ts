// The daemon's own stages: one handler per queue, and the loop that supervises.
import { readdirSync } from 'node:fs'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { runTrain } from '@treadle/flow/merge/train.run'
import type { JobData, JobName } from '@treadle/flow/ports/jobs'
import { type ReviewWorld, runReview } from '@treadle/flow/review/review.run'
import { runCoordinate } from '@treadle/flow/supervise/coordinate/coordinate.run'
import type { PmWorld } from '@treadle/flow/supervise/coordinate/pm-world'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { runThoughtSweep } from '@treadle/flow/supervise/thoughts.run'
import { sweepIncident } from '../orders/sweep-incident.ts'
import { sweepPlanned } from '../orders/sweep-planned.ts'
import { sweepRollback } from '../orders/sweep-rollback.ts'
import type { World } from '../world.ts'
import { sweepBuilds, workOnBuild } from './builds.ts'
import { type Examining, examineFor } from './examine.ts'
import { sweepIdeas } from './ideas.ts'
import { learnFrom, sweepLessons } from './learning.ts'
import { sweepCategories } from './look.ts'
import { questionWorld, sweepQuestions } from './questions.ts'
import { sweepSpecifications, tellRefused, workOnSpecification } from './specifications.ts'
import { thinking } from './thinking.ts'
import { sweepUnattended } from './unattended.ts'
import { takeInLessons } from './waiting-lessons.ts'

type Handlers = { readonly [N in JobName]: (job: JobData[N], signal: AbortSignal) => Promise<void> }

export function jobHandlers(world: World): Handlers {
  // Merges of one repository go one after the other: each is tested on what the one before it landed.
  let train: Promise<void> = Promise.resolve()
  // A second job about the same item waits for the first, and then finds that all is done.
  const reviews = new Map<string, Promise<void>>()
  const suites: Examining['suites'] = new Map()
  return {
    review: ({ item }, signal) =>
      inTurn(reviews, `${item.projectNumber}/${item.number}`, async () => {
        if (await isHere(world, item)) await runReview(reviewWorld(world, suites, signal), item)
      }),
    merge: ({ item }, signal) => {
      const mine = train.then(async () => {
        if (!(await isHere(world, item))) return
        const merging = mergeWorld(world, signal)
        // Another daemon may have the same repository, as a worktree of its own.
        await world.git.withLease(merging.signal, () => runTrain(merging, item))
      })
      train = mine.catch(() => undefined)
      return mine
    },
    learn: (job) => learnFrom(world, job),
    spec: (job) => workOnSpecification(world, job),
    build: (job) => workOnBuild(world, job),
    coordinate: (job) => runCoordinate(pmWorld(world), job),
  }
}

async function inTurn(
  turns: Map<string, Promise<void>>,
  key: string,
  act: () => Promise<void>,
): Promise<void> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(act)
  const settled = mine.catch(() => undefined)
  turns.set(key, settled)
  try {
    await mine
  } finally {
    if (turns.get(key) === settled) turns.delete(key)
  }
}

function reviewWorld(world: World, suites: Examining['suites'], signal: AbortSignal): ReviewWorld {
  return {
    ...world,
    examine: examineFor(world, { checks: world.reviewChecks, suites, signal }),
  }
}

/** With several daemons on one database, whose repositories differ, the one that has the change merges it. */
async function isHere({ store, git, log }: World, ref: ItemRef): Promise<boolean> {
  const head = store.driver === 'server' ? ((await store.items.find(ref))?.headCommit ?? null) : null
  if (head === null || (await git.commitOf(head)) !== null) return true
  // The sweep sends the job again, until the right one has it or the deadline makes it a person's.
  log.info({ item: ref, head }, 'this repository has no such commit; left to the daemon that has')
  return false
}

function pmWorld(world: World): PmWorld {
  const { crew } = world
  return {
    ...world,
    isElsewhere: (row) => crew.isElsewhere(row),
    restart: async (id) => {
      const known = (await world.store.agents.find(id)) !== null
      await crew.order(id, known ? 'restart' : 'start')
    },
  }
}

function mergeWorld(world: World, signal: AbortSignal) {
  return {
    ...world,
    signal: AbortSignal.any([signal, world.stopping]),
    platform: { os: process.platform, arch: process.arch, node: process.version },
    scratch: (name: string) => `${world.paths.worktrees}/${name}`,
    sleep: (ms: number, ending?: AbortSignal) => world.clock.sleep(ms, ending),
  }
}

/** What a daemon that was killed in the middle of a merge or a review left behind; nothing else uses these names. */
export async function clearScratch(world: World): Promise<void> {
  for (const name of readdirSync(world.paths.worktrees)) {
    const bare = /^\.?(merge-\d+-\d+|review-\d+-\d+(?:-base)?)/.exec(name)?.[1]
    if (bare !== undefined) await world.git.discardCheckout(`${world.paths.worktrees}/${bare}`)
  }
}

/** A job that failed for good becomes a question to a person. */
export async function jobDied(
  world: World,
  name: JobName,
  job: JobData[JobName],
  why: string,
): Promise<void> {
  world.log.error({ job: name, ...job, why }, 'job failed for good')
  // What could not be learned is no finding about an item, or about a specification.
  // Nor about a build: the sweep looks at it again.
  if (name === 'learn' || name === 'build' || 'build' in job || 'event' in job) return
  if ('subject' in job) return tellRefused(world, job, why)
  await world.advance({
    item: job.item,
    eventId: world.uuid(),
    fence: null,
    agentId: null,
    move: { type: 'item.escalated', why: `${name} failed: ${why}`.slice(0, 4_000) },
  })
}

/** What agents had under way ends with their processes; a call that waits may be the next. */
async function sweepCalls({ store, modelCalls, callsList }: World): Promise<void> {
  const { underWay, waiting } = modelCalls.counts()
  if (underWay + waiting === 0) return
  const rows = new Map((await store.agents.list()).map((row) => [row.id, row]))
  if (modelCalls.keepOnly(({ agentId, pid }) => (rows.get(agentId)?.pid ?? pid) === pid)) callsList.call()
}

export function startSupervisor(world: World): () => Promise<void> {
  const healthOf = async (id: AgentId) => {
    const row = await world.store.agents.find(id)
    // Being told to stop is no sickness, but such an agent will not finish what it holds.
    return row === null || row.status === 'stopped' ? null : world.crew.healthOf(row)
  }
  const isFrozen = async (id: AgentId) => (await world.store.agents.find(id))?.frozenAt != null
  let running: Promise<void> = Promise.resolve()
  let callOff: () => void = () => undefined
  const sweepItems = async () => {
    const swept = await runSweep({ ...world, healthOf, isFrozen })
    if (swept.deadlines + swept.leases > 0) world.log.info(swept, 'swept')
  }
  /** The crew comes first; what fails of one does not keep the others from being done. */
  const duties: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['budget', () => world.budget.sweep(world)],
    ['crew', () => world.crew.tick()],
    ['cores', () => world.crew.keepToCores()],
    ['pressure', () => world.pressure.look()],
    ['calls', () => sweepCalls(world)],
    ['reviewers', () => world.crew.followReviewer()],
    ['items', sweepItems],
    ['rollback', () => sweepRollback(world)],
    ['incident', () => sweepIncident(world)],
    ['planned rollback', () => sweepPlanned(world, questionWorld(world))],
    ['thoughts', () => runThoughtSweep({ ...thinking(world), isFrozen })],
    ['unattended', () => sweepUnattended(world)],
    ['questions', () => sweepQuestions(world)],
    ['ideas', () => sweepIdeas(world)],
    ['lessons left behind', () => takeInLessons(world)],
    ['promotions', () => sweepLessons(world)],
    ['specifications', () => sweepSpecifications(world)],
    ['builds', () => sweepBuilds(world)],
    ['categories', () => sweepCategories(world)],
  ]
  const round = async () => {
    for (const [what, duty] of duties)
      await duty().catch((error: unknown) => world.log.error({ err: error, what }, 'sweep'))
    if (!world.stopping.aborted) schedule()
  }
  const schedule = () => {
    callOff = world.clock.after(world.config().limits.sweepMs, () => {
      running = round()
    })
  }
  running = round()
  return async () => {
    callOff()
    await running
  }
}
