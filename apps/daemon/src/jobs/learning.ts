// What learning needs of the daemon.
import type { Build } from '@treadle/contracts/build'
import { viewBuild } from '@treadle/flow/build/builds/view.run'
import { runConfirm, runConfirmed } from '@treadle/flow/learn/confirm.run'
import { type ImproveWorld, runImproveTemplates, runProposeTemplates } from '@treadle/flow/learn/improve.run'
import { runLearn } from '@treadle/flow/learn/learn.run'
import { runLookAtBuild, runLookBack } from '@treadle/flow/learn/look-back.run'
import { type PromoteWorld, runPromote, runPropose } from '@treadle/flow/learn/promote.run'
import type { TrialWorld } from '@treadle/flow/learn/trial.run'
import { runWeekly } from '@treadle/flow/learn/weekly.run'
import type { JobData, SubjectJob } from '@treadle/flow/ports/jobs'
import type { World } from '../world.ts'
import { questionWorld } from './questions.ts'
import { isKnownHere } from './specifications.ts'

export function trialWorld(world: World): TrialWorld {
  const { store, now, uuid, config, workspace, lessons } = world
  return { store, now, uuid, config, repository: workspace.id, recall: (query) => lessons.recall(query) }
}

function promoteWorld(world: World): PromoteWorld {
  const { git, source, target } = world
  return { questions: questionWorld(world), git, source, target }
}

function improveWorld(world: World): ImproveWorld {
  const { store, documents, config, workspace, now } = world
  return { store, questions: questionWorld(world), documents, config, workspace, now }
}

/** Beside the run, and never in its way: whatever goes wrong here is tried again, and at last left. */
export async function learnFrom(world: World, job: JobData['learn']): Promise<void> {
  const failed = 'subject' in job ? failedRunIn(job) : null
  if ('subject' in job && failed === null) return lookBack(world, job)
  const runId = 'subject' in job ? failed : (job.runId ?? null)
  if (runId === null) return
  const learned = await runLearn(world, runId)
  if (learned.is !== 'reviewed') return
  await runConfirm(questionWorld(world), learned.retrospective.learned)
  await runPropose(promoteWorld(world))
  await runProposeTemplates(improveWorld(world))
}

/** The run in which a task of a build failed; the event is told under its id. */
function failedRunIn({ type, eventId }: SubjectJob): string | null {
  return type === 'task.failed' ? (/:failed:([0-9a-f-]{36})$/.exec(eventId)?.[1] ?? null) : null
}

/** As many revisions are looked back on late, if several were made before anybody came to look. */
const REVISIONS_MAX = 10

/** Each revision of a specification once, in their order; on an idea once. */
async function lookBack(world: World, { subject: slug, type }: SubjectJob): Promise<void> {
  const looking = { ...world, repository: world.workspace.id }
  if (!(await isKnownHere(world, slug))) return
  if (type === 'build.completed') return lookAtBuilds(world, slug)
  if (type === 'spec.generated') {
    const latest = (await world.store.specifications.find(slug))?.spec.revision ?? 0
    for (let revision = Math.max(1, latest - REVISIONS_MAX + 1); revision <= latest; revision += 1)
      await runLookBack(looking, { is: 'spec', slug, revision })
  } else await runLookBack(looking, { is: 'idea', slug })
  await runProposeTemplates(improveWorld(world))
}

/** Each end of a build once; what its runs taught comes first. */
async function lookAtBuilds(world: World, slug: string): Promise<void> {
  const builds = await world.store.builds.ofSpec(slug)
  for (const build of builds.slice(0, BUILDS_MAX).toReversed()) {
    if (build.completedAt === null) continue
    await learnFromRuns(world, build)
    await runLookAtBuild(world, await viewBuild(world, build))
  }
}

/** As many builds of one specification are looked back on late. */
const BUILDS_MAX = 10
const RUNS_MAX = 50

async function learnFromRuns(world: World, { id }: Build): Promise<void> {
  const { items, runs, retrospectives } = world.store
  for (const item of await items.ofBuild(id))
    for (const run of await runs.ofItem(item, RUNS_MAX)) {
      if (run.endedAt === null || (await retrospectives.find(run.id)) !== null) continue
      try {
        await learnFrom(world, { item: run.item, runId: run.id })
      } catch (error) {
        // The job of the run itself tries it again; the look back on the build goes without it.
        world.log.warn({ err: error, run: run.id }, 'nothing could be learned from a run of a build')
      }
    }
}

/** Part of every sweep: what people said about lessons is done. */
export async function sweepLessons(world: World): Promise<void> {
  await runConfirmed(questionWorld(world))
  await runPromote(promoteWorld(world))
  await runImproveTemplates(improveWorld(world))
  weekOf.set(
    world,
    await runWeekly({ ...questionWorld(world), store: world.store }, weekOf.get(world) ?? null),
  )
}

/** The week that each daemon has told last; a new one looks again, and what was asked is not asked twice. */
const weekOf = new WeakMap<World, string | null>()
