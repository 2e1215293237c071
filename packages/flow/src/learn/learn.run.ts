// After an attempt that failed and after the end of a run: what it taught is recorded, once, and never in its way.
import { createHash } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import type { Lesson, NewLesson, Recorded } from '@treadle/contracts/lesson'
import type { LearnedNote, Retrospective } from '@treadle/contracts/retrospective'
import type { Run } from '@treadle/contracts/run'
import { tellsRemedy } from '@treadle/memory/remedy'
import type { Store } from '../ports/store.ts'
import { TEST_CHARS_MAX } from '../verify/failure/note.ts'
import { triedFixes } from '../work/tried-fixes.ts'
import { validateDiscovery } from './confidence.ts'
import { type ChangeWorld, diffOfRun } from './diff-of-run.run.ts'
import { failuresOf } from './failures.ts'
import { improvementsOf } from './metrics.ts'
import type { LoadedPlan } from './planned-task.ts'
import { AGENT_TYPE, type Captured, retrospectiveOf, summaryOf } from './retrospective.ts'
import { gotchaOf, patternsOf } from './teach.ts'
import { runSettle, type TrialWorld } from './trial.run.ts'

export interface LearnWorld extends ChangeWorld {
  readonly store: TrialWorld['store'] &
    Pick<Store, 'retrospectives' | 'improvementMetrics' | 'specifications'>
  readonly now: () => Date
  readonly config: () => Config
}

const SIMILAR_MAX = 10
const LESSONS_MAX = 20
const EVENTS_MAX = 500
const RUNS_MAX = 50

export type Learned =
  | { readonly is: 'missing' }
  /** The run goes on; what its failed attempts taught is recorded. */
  | { readonly is: 'under_way'; readonly learned: readonly LearnedNote[] }
  | { readonly is: 'reviewed'; readonly retrospective: Retrospective }

/** May be done at any time and any number of times: it looks at how the run stands, and does what is not done yet. */
export async function runLearn(world: LearnWorld, runId: string): Promise<Learned> {
  const { store } = world
  const run = await store.runs.find(runId)
  const item = run === null ? null : await store.items.find(run.item)
  if (run === null || item === null) return { is: 'missing' }
  const old = await store.retrospectives.find(runId)
  if (old !== null) return { is: 'reviewed', retrospective: old }
  const similar = await store.retrospectives.list({
    agentType: AGENT_TYPE,
    outcome: run.outcome ?? 'success',
    limit: SIMILAR_MAX,
  })
  if (run.endedAt === null) return { is: 'under_way', learned: await learnFailures(world, run, similar) }
  await runSettle(world, run)
  const captured = await capture(world, { run, item, similar })
  const failures = await learnFailures(world, run, similar)
  return { is: 'reviewed', retrospective: await review(world, captured, failures) }
}

/** All session data of a run: from the database and from git. */
async function capture(
  world: LearnWorld,
  { run, item, similar }: { run: Run; item: Item; similar: readonly Retrospective[] },
): Promise<Captured> {
  const { store } = world
  const told = await store.events.ofItem(run.item, EVENTS_MAX, ['run.planned', 'run.guided'])
  const own = told.filter(({ runId }) => runId === run.id)
  const shown = await store.lessons.some([...(await shownTo(store, run.id))])
  return {
    run,
    item,
    similar,
    plans: own.flatMap(({ event }) => (event.type === 'run.planned' ? [event.plan] : [])),
    guidance: told.flatMap(({ event }) => (event.type === 'run.guided' ? [event.guidance.text] : [])),
    plan: await loadPlan(world, item),
    diff: await diffOfRun(world, run, item),
    shown: {
      patterns: shown.flatMap(({ type, glob }) => (type === 'pattern' && glob !== null ? [glob] : [])),
      gotchas: shown.some(({ type }) => type === 'gotcha'),
    },
  }
}

/** The specification and the task that an item was made of; null: of none, or it is not there any more. */
async function loadPlan({ store }: LearnWorld, item: Item): Promise<LoadedPlan | null> {
  if (item.specTask === null) return null
  const { spec: slug, revision, id } = item.specTask
  const kept = await store.specifications.revision(slug, revision)
  const task = kept?.spec.tasks.find((each) => each.id === id)
  if (kept === null || task === undefined) return null
  const runs = await store.runs.ofItem(item, RUNS_MAX)
  return { spec: kept.spec, task, specText: kept.specText, runs }
}

/** Each cause once for each run, as soon as it is worth it. */
async function learnFailures(
  world: LearnWorld,
  run: Run,
  past: readonly Retrospective[],
): Promise<LearnedNote[]> {
  const { store } = world
  const notes: LearnedNote[] = []
  const shown = await shownTo(store, run.id)
  for (const failure of failuresOf(run.history).slice(0, LESSONS_MAX)) {
    const { signature } = failure.group
    const known = await store.lessons.recall({ signature, minConfidence: 0, limit: LESSONS_MAX })
    const told = known.find(({ id, type }) => type === 'gotcha' && shown.has(id))
    if (told !== undefined) {
      // A run that was warned of it is no second witness: what it says of the warning is settled at its end.
      notes.push({ ...noteOf(told, 'it was shown, and came all the same'), ...KNOWN, lessonId: told.id })
      continue
    }
    const commit = failure.mendedBy?.checkpoint ?? null
    const { choice, lesson } = gotchaOf({ run, commit, failure, known, past })
    if (choice.record) notes.push(await recordOnce(world, run, { lesson, why: choice.why }))
    else notes.push({ ...noteOf(lesson, choice.why), how: 'not_worth' })
  }
  return notes
}

const KNOWN = { how: 'known_better' } as const

async function shownTo({ lessonUses }: Pick<Store, 'lessonUses'>, runId: string): Promise<Set<string>> {
  const uses = await lessonUses.ofRun(runId)
  return new Set(uses.flatMap(({ given, lessonId }) => (given === 'shown' ? [lessonId] : [])))
}

interface Taught {
  readonly lesson: NewLesson
  readonly why: string
}

async function recordOnce(world: LearnWorld, run: Run, { lesson, why }: Taught): Promise<LearnedNote> {
  const { store, now } = world
  const bareId = `learned:${run.id}:${hash(`${lesson.type}\n${lesson.signature ?? lesson.content}`)}`
  // The way out is noted beside the warning that was given before it was found.
  const id = tellsRemedy(lesson) ? `${bareId}:mended` : bareId
  return store.tx(async () => {
    // Two looks at one run take turns.
    await store.runs.lock(run.id)
    const told = await store.events.ofItem(run.item, EVENTS_MAX, ['run.learned'])
    const before = told.find((stored) => stored.id === id)
    if (before?.event.type === 'run.learned') return before.event.note
    const noted = told.find((stored) => stored.id === bareId)
    if (noted?.event.type === 'run.learned' && !(await isBare(store, run, noted.event.note.lessonId)))
      return noted.event.note
    const recorded = await store.lessons.record(lesson, now())
    const note = { ...noteOf(lesson, why), how: recorded.is, lessonId: recorded.lesson.id }
    await store.events.append({
      id,
      at: now(),
      item: run.item,
      agentId: null,
      runId: run.id,
      state: null,
      event: { type: 'run.learned', note },
    })
    return note
  })
}

/** Whether the warning is this run's own, and still without a way out. */
async function isBare({ lessons }: Pick<Store, 'lessons'>, run: Run, id: string | null): Promise<boolean> {
  const lesson = id === null ? null : await lessons.find(id)
  return lesson !== null && lesson.provenance.runId === run.id && !tellsRemedy(lesson)
}

function noteOf(
  { type, content }: Pick<NewLesson, 'type' | 'content'>,
  why: string,
): Omit<LearnedNote, 'how'> {
  return { lessonId: null, type, text: content.slice(0, 1_000), why }
}

/** In one transaction, so that a retrospective is there with all that it changed, or not at all. */
function review(
  world: LearnWorld,
  captured: Captured,
  failures: readonly LearnedNote[],
): Promise<Retrospective> {
  const { store, now } = world
  const { run } = captured
  return store.tx(async () => {
    await store.runs.lock(run.id)
    const old = await store.retrospectives.find(run.id)
    if (old !== null) return old
    const validated = await validate(world, captured)
    const patterns: LearnedNote[] = []
    for (const lesson of run.outcome === 'success' ? patternsFrom(captured) : []) {
      const recorded = await store.lessons.record(lesson, now())
      patterns.push({ ...noteOf(lesson, 'a change that passed'), ...idOf(recorded) })
    }
    const made = retrospectiveOf(captured, [...validated, ...failures, ...patterns], now())
    await store.retrospectives.add(made)
    await store.improvementMetrics.record(improvementsOf(made, run.agentId))
    const news = made.learned.filter(({ how }) => how !== 'not_worth' && how !== 'confirmed')
    await store.events.append({
      id: `reviewed:${run.id}`,
      at: now(),
      item: run.item,
      agentId: null,
      runId: run.id,
      state: null,
      event: {
        type: 'run.reviewed',
        divergences: made.divergences.length,
        learned: news.length,
        summary: summaryOf(captured),
      },
    })
    return made
  })
}

function idOf({ is, lesson }: Recorded): Pick<LearnedNote, 'how' | 'lessonId'> {
  return { how: is, lessonId: lesson.id }
}

function patternsFrom({ run, diff, similar }: Captured): NewLesson[] {
  return patternsOf({
    run,
    commit: diff.to,
    attempts: run.iteration + 1,
    files: diff.files,
    past: similar,
  })
}

/** Discoveries of this run's own fixes, now that all of it is known. */
async function validate({ store, now }: LearnWorld, { run }: Captured): Promise<LearnedNote[]> {
  const found = await store.retrospectives.discoveredIn(run.id, LESSONS_MAX)
  const lessons = await store.lessons.some(found.map(({ id }) => id))
  const notes: LearnedNote[] = []
  for (const lesson of lessons.filter(({ type }) => type === 'resolution')) {
    const valid = validateDiscovery({ confidence: lesson.confidence, ...factsOf(run, lesson) })
    if (valid.is === 'adjusted')
      await store.lessons.reconsider(lesson.id, { confidence: valid.confidence, why: valid.why }, now())
    notes.push({
      lessonId: lesson.id,
      type: lesson.type,
      how: valid.is,
      text: (lesson.content || (lesson.topic ?? '')).slice(0, 1_000),
      why: valid.why,
    })
  }
  return notes
}

function factsOf(run: Run, lesson: Lesson): { mendedTogether: number; flaky: boolean } {
  const helped = triedFixes(run.history).filter(
    ({ fix, result }) => result === 'helped' && fix.group !== null,
  )
  const mine = helped.find(({ fix }) => fix.group?.signature === lesson.signature)
  const together = helped.filter(({ attempt }) => attempt === mine?.attempt)
  const tests = mine?.fix.group?.tests ?? []
  const shaky = run.gates.flatMap((gate) => (gate.is === 'passed_with_warnings' ? (gate.flaky ?? []) : []))
  return {
    mendedTogether: together.length,
    flaky: shaky.some((id) => tests.includes(id.slice(0, TEST_CHARS_MAX))),
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
