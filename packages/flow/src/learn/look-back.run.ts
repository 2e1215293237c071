// Looks back on what was planned, on a finished talk about an idea or a revision of a specification, and on the end of
// the build that was made of it; once each.
import type { BuildView } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { Fact, StoredEvent } from '@treadle/contracts/event'
import type {
  BuildRetrospective,
  IdeaRetrospective,
  Planning,
  PlanningRetrospective,
} from '@treadle/contracts/planning-retrospective'
import type { LearnedNote } from '@treadle/contracts/retrospective'
import type { Store } from '../ports/store.ts'
import { reviewBuild } from './build-review.ts'
import { lessonsOfIdea } from './idea-lessons.ts'
import { reviewIdea, type TalkStep } from './idea-review.ts'
import { settleTalk } from './settle-talk.run.ts'
import { reviewSpec } from './spec-review.ts'

export interface LookBackWorld {
  readonly store: Pick<
    Store,
    | 'tx'
    | 'ideas'
    | 'specifications'
    | 'planningRetrospectives'
    | 'lessons'
    | 'lessonUses'
    | 'events'
    | 'thoughts'
  >
  readonly now: () => Date
  readonly config: () => Pick<Config, 'ideas' | 'lessons'>
  /** What the talks of one repository have in common. */
  readonly repository: string
}

const MESSAGES_MAX = 1_000

/** Null: what it is about is not there any more. */
export async function runLookBack(
  world: LookBackWorld,
  planning: Exclude<Planning, { is: 'build' }>,
): Promise<PlanningRetrospective | null> {
  const { planningRetrospectives } = world.store
  const old = await planningRetrospectives.find(planning)
  if (old !== null) return old
  return planning.is === 'idea' ? lookAtIdea(world, planning.slug) : lookAtSpec(world, planning)
}

async function lookAtIdea(world: LookBackWorld, slug: string): Promise<PlanningRetrospective | null> {
  const { store, now, config } = world
  const kept = await store.ideas.find(slug)
  if (kept === null) return null
  const messages = await store.ideas.messages(slug, { limit: MESSAGES_MAX })
  const steps = await stepsOf(world, slug)
  return store.tx(async () => {
    // Two looks at one idea take turns, so that no lesson counts twice.
    await store.ideas.lock(slug)
    const old = await store.planningRetrospectives.find({ is: 'idea', slug })
    if (old !== null) return old
    const reviewed = reviewIdea({ idea: kept.idea, messages, steps }, now())
    const { dir } = config().ideas
    await settleTalk(world, { idea: kept.idea, reviewed, dir })
    const learned: LearnedNote[] = []
    for (const { lesson, why } of lessonsOfIdea(reviewed, dir)) {
      const { is, lesson: recorded } = await store.lessons.record(lesson, now())
      learned.push({ lessonId: recorded.id, type: lesson.type, how: is, text: lesson.content, why })
    }
    const made: IdeaRetrospective = { ...reviewed, learned }
    await keep(world, made)
    return made
  })
}

/** Words of people and changes of phase in the order in which they were told. */
async function stepsOf({ store }: LookBackWorld, slug: string): Promise<TalkStep[]> {
  const told: StoredEvent[] = []
  for (const type of ['idea.said', 'idea.phase_changed'] as const)
    told.push(...(await store.events.newest({ type, limit: MESSAGES_MAX })))
  return told
    .toSorted((a, b) => sequenceOf(a) - sequenceOf(b))
    .flatMap(({ event }): TalkStep[] => {
      if (!('idea' in event) || event.idea !== slug) return []
      if (event.type === 'idea.said') return event.role === 'user' ? [{ is: 'said' }] : []
      return event.type === 'idea.phase_changed' ? [{ is: 'phase', to: event.to }] : []
    })
}

/** The second part of a cursor counts what was recorded; messages of one idea come one after the other. */
function sequenceOf({ cursor }: StoredEvent): number {
  return Number(cursor.split('.')[1])
}

async function lookAtSpec(
  world: LookBackWorld,
  { slug, revision }: { slug: string; revision: number },
): Promise<PlanningRetrospective | null> {
  const kept = await world.store.specifications.revision(slug, revision)
  if (kept === null) return null
  const made = reviewSpec(kept, world.now())
  await world.store.tx(() => keep(world, made))
  return made
}

export interface BuildLookWorld {
  readonly store: Pick<
    Store,
    | 'tx'
    | 'builds'
    | 'specifications'
    | 'planningRetrospectives'
    | 'events'
    | 'items'
    | 'runs'
    | 'retrospectives'
  >
  readonly now: () => Date
}

/** The build as it was read: null where it is not over, or has gone on since; its next end is looked back on. */
export async function runLookAtBuild(
  world: BuildLookWorld,
  build: BuildView,
): Promise<BuildRetrospective | null> {
  const { store, now } = world
  const kept = await store.specifications.revision(build.spec, build.revision)
  const learned = await learnedIn(world, build)
  const made = reviewBuild({ build, planned: kept?.spec.tasks ?? [], learned }, now())
  if (made === null) return null
  return store.tx(async () => {
    // Two looks at one end take turns, so that the second finds what the first has made.
    const locked = await store.builds.lock(build.id)
    if (locked?.completedAt !== build.completedAt || locked.status !== build.status) return null
    const last = await store.planningRetrospectives.latest('build', build.spec)
    const old = last?.is === 'build' ? last : null
    if (old?.build === build.id && old.completedAt === build.completedAt) return old
    const whole: BuildRetrospective = { ...made, look: (old?.look ?? 0) + 1 }
    await keep(world, whole)
    return whole
  })
}

const RUNS_MAX = 50

/** What is worth keeping of the looks back on its runs, each lesson once. */
async function learnedIn({ store }: BuildLookWorld, { id }: BuildView): Promise<LearnedNote[]> {
  const notes = new Map<string, LearnedNote>()
  for (const item of await store.items.ofBuild(id))
    for (const run of await store.runs.ofItem(item, RUNS_MAX))
      for (const note of (await store.retrospectives.find(run.id))?.learned ?? [])
        if (note.lessonId !== null && !notes.has(note.lessonId)) notes.set(note.lessonId, note)
  return [...notes.values()]
}

interface KeepWorld {
  readonly store: Pick<Store, 'planningRetrospectives' | 'events'>
  readonly now: () => Date
}

/** With the event that tells it, so that neither is there without the other. */
async function keep({ store, now }: KeepWorld, made: PlanningRetrospective): Promise<void> {
  if (!(await store.planningRetrospectives.add(made))) return
  const about = { item: null, agentId: null, runId: null, state: null }
  await store.events.append({ id: eventIdOf(made), at: now(), ...about, event: eventOf(made) })
}

function eventIdOf(made: PlanningRetrospective): string {
  const own = `reviewed:${made.is}:${made.slug}`
  switch (made.is) {
    case 'idea':
      return own
    case 'spec':
      return `${own}:${made.revision}`
    case 'build':
      return `${own}:${made.look}`
  }
}

function eventOf(made: PlanningRetrospective): Fact {
  const gaps = made.gaps.length
  switch (made.is) {
    case 'idea':
      return { type: 'idea.reviewed', idea: made.slug, gaps, learned: made.learned.length }
    case 'spec':
      return { type: 'spec.reviewed', spec: made.slug, revision: made.revision, gaps }
    case 'build': {
      const { build, slug: spec, look, learned } = made
      return { type: 'build.reviewed', build, spec, look, gaps, learned: learned.length }
    }
  }
}
