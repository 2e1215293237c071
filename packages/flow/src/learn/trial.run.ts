// Lessons for a run at work: what fits, without what is kept back for a trial; and the end of each trial.
import type { Config } from '@treadle/contracts/config'
import type { Lesson, LessonQuery, LessonTrial } from '@treadle/contracts/lesson'
import type { RunRecall, RunRecalled } from '@treadle/contracts/recall'
import type { Run } from '@treadle/contracts/run'
import { decideTrial } from '@treadle/memory/trial/decide'
import { costOf, outcomeOf, passedAt, trialOf } from '@treadle/memory/trial/outcome'
import { decideShown, merged, noteOf, queriesOf, type Shown, stratumOf } from '@treadle/memory/trial/show'
import type { LessonUse } from '@treadle/memory/trial/uses'
import type { Store } from '../ports/store.ts'
import { confidenceAfterUse } from './confidence.ts'
import { happenedIn, isAbout } from './failures.ts'

/** So many runs are looked through for a failure. */
const LIKE_MAX = 20

export interface TrialWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'runs' | 'events' | 'lessons' | 'lessonUses'>
  readonly now: () => Date
  readonly uuid: () => string
  readonly config: () => Config
  /** What the runs of one repository have in common. */
  readonly repository: string
  recall(query: LessonQuery): Promise<readonly Lesson[]>
}

export async function runShow(
  world: TrialWorld,
  { runId, asked }: { runId: string; asked: RunRecall },
): Promise<RunRecalled | null> {
  const { store } = world
  const run = await store.runs.find(runId)
  const item = run === null ? null : await store.items.find(run.item)
  if (run === null || item === null) return null
  const answers: (readonly Lesson[])[] = []
  for (const query of queriesOf(asked)) answers.push(await world.recall(query))
  const ranked = merged(answers, asked.limit)
  const ids = ranked.map(({ id }) => id)
  const stratum = stratumOf(world.repository, item)
  const { lessons: trial } = world.config()
  return store.tx(async () => {
    if (ids.length > 0) await store.lessonUses.lockDraws()
    const known = await store.lessonUses.ofRun(runId)
    const drawn = await store.lessonUses.drawnIn(stratum, ids)
    const { limit, attempt } = asked
    const choice = decideShown({
      ranked,
      limit,
      known,
      runId,
      attempt,
      stratum,
      drawn,
      // Where nobody is kept from a lesson there is nothing to compare with.
      trial: { on: trial.trial && trial.withheldShare > 0, withheldShare: trial.withheldShare },
      now: world.now(),
    })
    // What is asked after the end can have no effect on how it ended.
    if (run.endedAt === null) await keep(world, run, { ranked, choice, attempt })
    return { shown: [...choice.shown], withheld: [...choice.withheld], leftOut: [...choice.leftOut] }
  })
}

async function keep(
  { store, uuid, now }: TrialWorld,
  run: Run,
  { ranked, choice, attempt }: { ranked: readonly Lesson[]; choice: Shown; attempt: number },
): Promise<void> {
  const { decided } = choice
  if (decided.length === 0) return
  await store.lessonUses.add(decided)
  const lessonOf = new Map(ranked.map((lesson) => [lesson.id, lesson]))
  const told = decided.flatMap((use) => {
    const lesson = lessonOf.get(use.lessonId)
    return lesson === undefined ? [] : [{ use, note: noteOf(lesson) }]
  })
  const notes = (given: LessonUse['given']) => told.filter(({ use }) => use.given === given)
  await store.events.append({
    id: uuid(),
    at: now(),
    item: run.item,
    agentId: run.agentId,
    runId: run.id,
    state: null,
    event: {
      type: 'run.recalled',
      attempt,
      shown: notes('shown').map(({ note }) => note),
      withheld: notes('withheld').map(({ note }) => note),
      leftOut: notes('left_out').map(({ note, use }) => ({ ...note, why: use.why ?? 'it does not fit' })),
    },
  })
}

/** Once for each run: a crash in the middle leaves all of it to be done again, and a second time does nothing. */
export function runSettle(
  world: Pick<TrialWorld, 'store' | 'now' | 'config'>,
  run: Run,
): Promise<readonly string[]> {
  const { store } = world
  return store.tx(async () => {
    await store.lessonUses.lockDraws()
    const open = (await store.lessonUses.ofRun(run.id)).filter(({ settledAt }) => settledAt === null)
    if (open.length === 0) return []
    const usd = costOf(run)
    const settled = await store.lessonUses.settle(
      run.id,
      open.map(({ lessonId, attempt }) => ({ lessonId, outcome: outcomeOf(run, attempt), usd })),
      world.now(),
    )
    const lessonOf = new Map((await store.lessons.some(settled)).map((lesson) => [lesson.id, lesson]))
    for (const use of open) {
      const lesson = lessonOf.get(use.lessonId)
      if (lesson === undefined) continue
      await reconsider(world, { run, use, lesson })
      if (use.drawn) await judgeTrial(world, { item: run.item, runId: run.id }, lesson)
    }
    return settled
  })
}

async function reconsider(
  { store, now }: Pick<TrialWorld, 'store' | 'now'>,
  { run, use, lesson }: { run: Run; use: LessonUse; lesson: Lesson },
): Promise<void> {
  const passedWith = passedAt(run)
  const passed = passedWith !== null && passedWith <= use.attempt
  const changed = confidenceAfterUse({
    lesson,
    given: use.given,
    happened: lesson.signature !== null && happenedIn(run.history, lesson.signature, use.attempt),
    passed,
    expected: passed && use.given === 'shown' && (await wasExpected(store, { run, use, lesson })),
  })
  if (changed === null) return
  const { confidence, why } = changed
  await store.lessons.reconsider(lesson.id, { confidence, why }, now())
  await store.events.append({
    id: `weighed:${run.id}:${lesson.id}`,
    at: now(),
    item: run.item,
    agentId: null,
    runId: run.id,
    state: null,
    event: { type: 'lesson.reconsidered', lessonId: lesson.id, from: lesson.confidence, to: confidence, why },
  })
}

/** The failure could well have come: the run is about such files, and it or others like it have met it. */
async function wasExpected(
  store: Pick<Store, 'runs' | 'lessonUses'>,
  { run, use, lesson }: { run: Run; use: LessonUse; lesson: Lesson },
): Promise<boolean> {
  const { signature, glob } = lesson
  if (signature === null || !isAbout(glob, run.history)) return false
  if (happenedIn(run.history, signature, 1)) return true
  const others = (await store.runs.ofItem(run.item, LIKE_MAX)).filter(({ id }) => id !== run.id)
  if (others.some(({ history }) => happenedIn(history, signature, 1))) return true
  for (const id of await store.lessonUses.settledIn({ ...use, limit: LIKE_MAX })) {
    const like = id === run.id ? null : await store.runs.find(id)
    if (like !== null && happenedIn(like.history, signature, 1)) return true
  }
  return false
}

const VERDICT = { promote: 'promoted', retire: 'retired', unproven: 'unproven' } as const

export interface TrialJudgeWorld {
  readonly store: Pick<Store, 'lessons' | 'lessonUses' | 'events'>
  readonly now: () => Date
  readonly config: () => Pick<Config, 'lessons'>
}

/** Looks at the trial of a lesson, if it is time, and writes down what it says. */
export async function judgeTrial(
  { store, now, config }: TrialJudgeWorld,
  { item, runId }: { readonly item: Run['item'] | null; readonly runId: Run['id'] | null },
  lesson: Lesson,
): Promise<void> {
  if (lesson.verdict !== 'on_trial') return
  const counts = (await store.lessonUses.countsOf([lesson.id])).get(lesson.id)
  if (counts === undefined) return
  const choice = decideTrial({ counts, looks: lesson.looks }, config().lessons)
  if (choice.is === 'wait') return
  const looks = lesson.looks + 1
  const { probability } = choice
  const why = `it helps with a probability of ${probability.toFixed(3)}, at look ${looks}`
  if (choice.is === 'go_on') {
    await store.lessons.reconsider(lesson.id, { looks, why }, now())
    return
  }
  const verdict = VERDICT[choice.is]
  await store.lessons.reconsider(lesson.id, { verdict, looks, why }, now())
  const { shown, withheld } = counts
  const runs = shown.good + shown.bad + withheld.good + withheld.bad
  await store.events.append({
    id: `judged:${lesson.id}:${looks}`,
    at: now(),
    item,
    agentId: null,
    runId,
    state: null,
    event: {
      type: 'lesson.judged',
      lessonId: lesson.id,
      verdict,
      looks,
      runs,
      probability,
      topic: lesson.topic,
    },
  })
}

/** How the trials of these lessons stand. */
export async function runTrials(
  store: Pick<Store, 'lessonUses'>,
  lessons: readonly Pick<Lesson, 'id' | 'verdict' | 'looks'>[],
): Promise<ReadonlyMap<string, LessonTrial>> {
  const counts = await store.lessonUses.countsOf(lessons.map(({ id }) => id))
  return new Map(
    lessons.flatMap((lesson) => {
      const found = counts.get(lesson.id)
      return found === undefined ? [] : [[lesson.id, trialOf(lesson, found)]]
    }),
  )
}
