// Specifications by the daemon itself: what a model has written is taken in, and what events about ideas and
// specifications make of work is done.
import { Fault } from '@treadle/flow/fault'
import { runWrite } from '@treadle/flow/idea/write.run'
import type { SubjectJob } from '@treadle/flow/ports/jobs'
import { runApproved, runAskAbout, runFollow, type SpecAskWorld } from '@treadle/flow/spec/asked.run'
import type { SpecWorld } from '@treadle/flow/spec/spec-world'
import { runTakeIn, runTakeInLeft } from '@treadle/flow/spec/take-in.run'
import { runWrite as runWriteSpec } from '@treadle/flow/spec/write.run'
import type { World } from '../world.ts'
import { ideaWorld } from './ideas.ts'
import { questionWorld } from './questions.ts'

const WHY_MAX = 4_000

export function specWorld(world: World): SpecWorld {
  const { store, documents, tree, lessons, userSlug, config, testCommand, now, uuid, workspace } = world
  return {
    store,
    documents,
    tree,
    lessons,
    whoseIdea: async (slug) => (await store.ideas.find(slug))?.idea.userSlug ?? null,
    userSlug,
    config,
    testCommand,
    now,
    uuid,
    workspace,
    contexts: world.specContexts,
  }
}

/** After an answer; what goes wrong is tried again by the sweep. */
export async function takeInSpecification(world: World, slug: string): Promise<void> {
  try {
    await runTakeIn(specWorld(world), slug)
  } catch (error) {
    world.log.error({ err: error, spec: slug }, 'what a model has written was not taken in')
  }
}

/** Part of every sweep: answers that a daemon was killed with, or that could not be written down while git was busy. */
export async function sweepSpecifications(world: World): Promise<void> {
  const written = await runTakeInLeft(specWorld(world))
  if (written === 0) return
  world.log.info({ written }, 'specifications were taken in')
  world.repliesList.call()
}

/** What an event about an idea or a specification makes of work for the specification agent. */
export async function workOnSpecification(world: World, job: SubjectJob): Promise<void> {
  const { subject, type, eventId } = job
  if (type === 'ideation.completed') return specify(world, job)
  if (!(await isKnownHere(world, subject))) return
  const asking = askingWorld(world)
  if (type === 'spec.generated') return runAskAbout(asking, subject)
  if (type === 'spec.approved') return runApproved(asking, subject)
  const answered = /^question:(.+):answered$/.exec(eventId)?.[1]
  const why = answered === undefined ? null : await runFollow(asking, answered)
  if (why !== null) await tellRefused(world, job, why)
}

function askingWorld(world: World): SpecAskWorld {
  const { catalogue, conventions } = questionWorld(world)
  return { spec: specWorld(world), place: world, catalogue, conventions }
}

/** On a shared database each daemon knows the ideas of its own workspace only; another one tries next. */
export async function isKnownHere({ store, workspace }: World, slug: string): Promise<boolean> {
  if ((await store.ideas.find(slug)) !== null || (await store.specifications.find(slug)) !== null) return true
  if (workspace.shared) throw new Fault('spec', `there is no idea ${slug} in this workspace`)
  return false
}

/** An idea is finished, and gets its specification; done already, it is not done again. */
async function specify(world: World, job: SubjectJob): Promise<void> {
  const { store } = world
  if (!(await isKnownHere(world, job.subject))) return
  if ((await store.specifications.find(job.subject)) !== null) return
  // Its documents are written after what recorded its end; this may be sooner.
  await runWrite(ideaWorld(world), job.subject)
  const request = { ideaSlug: job.subject, complexity: 'mvp', engine: null } as const
  const made = await runWriteSpec(specWorld(world), request)
  if (made.is !== 'begun') await tellRefused(world, job, `${made.message} ${made.hint}`)
}

/** Told once for each event that asked for it. */
export async function tellRefused(
  { store, now }: World,
  { subject, eventId }: SubjectJob,
  why: string,
): Promise<void> {
  await store.events.append({
    id: `spec-refused:${eventId}`.slice(0, 128),
    at: now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { type: 'spec.refused', spec: subject, why: why.slice(0, WHY_MAX) },
  })
}
