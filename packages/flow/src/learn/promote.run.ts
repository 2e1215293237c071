// Lessons that have proved themselves go into CLAUDE.md, if a person says so: on a branch of their own, once.
import type { Lesson } from '@treadle/contracts/lesson'
import {
  branchFor,
  CONFIDENCE_MIN,
  decidePromotion,
  fileFor,
  isDue,
  isGivenUp,
  isSaid,
  messageFor,
  OCCURRENCES_MIN,
  PLACES_MIN,
  readAnswer,
  whyNotNow,
  withLesson,
} from '@treadle/memory/promotion'
import type { Promotion } from '@treadle/memory/promotions'
import { type QuestionWorld, runTrigger } from '../ask/question.run.ts'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import type { Store } from '../ports/store.ts'

export interface PromoteWorld {
  readonly questions: QuestionWorld & { readonly store: Pick<Store, 'lessons' | 'promotions'> }
  readonly git: Pick<MergeGit, 'latest' | 'commitFile'>
  readonly source: Pick<WorktreeGit, 'fileAt'>
  readonly target: string
}

/** More than this are never read at once; those that the file holds already are among them. */
const CANDIDATES_MAX = 1_000
const ASK_MAX = 20
const ASKED_MAX = 50
const SUCCESSORS_MAX = 50
const WHY_MAX = 1_000

/** Asks about each lesson that qualifies; answers how many. */
export async function runPropose(world: PromoteWorld): Promise<number> {
  const { store } = world.questions
  const least = { confidence: CONFIDENCE_MIN, occurrences: OCCURRENCES_MIN, places: PLACES_MIN }
  const ids = await store.promotions.candidates({ ...least, limit: CANDIDATES_MAX })
  if (ids.length === 0) return 0
  const { text } = await conventionsAt(world, world.target)
  let asked = 0
  for (const id of ids) {
    const [lesson] = asked < ASK_MAX ? await store.lessons.some([id]) : []
    if (lesson === undefined) continue
    const before = await store.promotions.find(id)
    if (decidePromotion({ lesson, text, before }).is !== 'ask') continue
    if (await ask(world, { lesson, before })) asked += 1
  }
  return asked
}

async function ask(
  { questions }: PromoteWorld,
  { lesson, before }: { lesson: Lesson; before: Promotion | null },
): Promise<boolean> {
  const { id, confidence, occurrences, content } = lesson
  const [asked] = await runTrigger(questions, {
    agent: 'sia',
    event: 'claude_md_promotion',
    facts: {
      pattern: { text: content, confidence, occurrences },
      count: occurrences,
      proposed_addition: `- ${content}`,
    },
    // The same until it is answered: whoever was killed before this was noted finds the question again.
    about: { subject: before === null ? `lesson ${id}` : `lesson ${id} after ${before.questionId}` },
  })
  if (asked === undefined || asked.is === 'not_asked') return false
  const { store, now } = questions
  return store.promotions.ask({ lessonId: id, questionId: asked.question.id, occurrences, askedAt: now() })
}

/** What was answered is done; answers how many lessons were promoted. */
export async function runPromote(world: PromoteWorld): Promise<number> {
  const { store, now } = world.questions
  let promoted = 0
  for (const promotion of await store.promotions.asked(ASKED_MAX)) {
    if (!isDue(promotion, now())) continue
    const question = promotion.questionId === null ? null : await store.questions.find(promotion.questionId)
    try {
      if (await follow(world, promotion, question?.record.answer ?? null)) promoted += 1
    } catch (error) {
      // One that cannot be written keeps none of the others.
      await failed(world, promotion, error)
    }
  }
  return promoted
}

function failed({ questions }: PromoteWorld, { lessonId }: Promotion, error: unknown): Promise<void> {
  const { store, now } = questions
  const why = (error instanceof Error ? error.message : String(error)).slice(0, WHY_MAX)
  return store.tx(async () => {
    if (!isGivenUp(await store.promotions.tried(lessonId, now()))) return
    await store.promotions.decide(lessonId, { ...NOTHING, status: 'failed', why }, now())
    await tellNotWritten(questions, lessonId, why)
  })
}

async function tellNotWritten({ store, now }: QuestionWorld, lessonId: string, why: string): Promise<void> {
  await store.events.append({
    id: `not-promoted:${lessonId}:${now().toISOString()}`,
    at: now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: {
      type: 'owner.notified',
      about: 'lesson',
      text: `The lesson ${lessonId.slice(0, 8)} was not written into the file that every agent reads: ${why}`,
    },
  })
}

async function follow(
  world: PromoteWorld,
  { lessonId }: Promotion,
  answer: { option: string | null; text: string } | null,
): Promise<boolean> {
  const { store, config } = world.questions
  const line = await lineOf(store, lessonId)
  const [lesson] = line
  if (answer === null || lesson === undefined) return decline(world, lessonId, 'there was no answer')
  const choice = readAnswer(answer, lesson.content)
  if (choice.is === 'decline') return decline(world, lessonId, choice.why)
  // A person's own words hold, whatever has become of the lesson.
  const against = choice.text === lesson.content ? whyNotNow(line.at(-1) ?? lesson) : null
  if (against !== null) {
    await tellNotWritten(world.questions, lessonId, against)
    return decline(world, lessonId, against)
  }
  const { commit: base } = await world.git.latest(world.target, config().limits.fetchMs)
  return promote(world, { line, lesson, text: choice.text, base })
}

async function decline({ questions }: PromoteWorld, lessonId: string, why: string): Promise<false> {
  const declined = { ...NOTHING, status: 'declined', why: why.slice(0, WHY_MAX) } as const
  await questions.store.promotions.decide(lessonId, declined, questions.now())
  return false
}

/** The lesson, and what took its place since, the last one at the end. */
async function lineOf({ lessons }: Pick<Store, 'lessons'>, lessonId: string): Promise<Lesson[]> {
  const line: Lesson[] = []
  let next: string | null = lessonId
  while (next !== null && line.length < SUCCESSORS_MAX) {
    const lesson: Lesson | null = await lessons.find(next)
    if (lesson === null) break
    line.push(lesson)
    next = lesson.supersededBy
  }
  return line
}

function promote(
  world: PromoteWorld,
  { line, lesson, text, base }: { line: readonly Lesson[]; lesson: Lesson; text: string; base: string },
): Promise<boolean> {
  const { store, now } = world.questions
  const lessonId = lesson.id
  return store.tx(async () => {
    // One at a time, on whichever daemon: the row says whether it was done.
    if ((await store.promotions.lock(lessonId))?.status !== 'asked') return false
    const written = await write(world, { lesson, text, base })
    const { file, branch, commit } = written
    await store.promotions.decide(lessonId, { ...written, status: 'promoted', text }, now())
    // Runs that it is kept from would read it there: there is nothing left to compare with.
    for (const { id, verdict } of line)
      if (verdict === 'on_trial')
        await store.lessons.reconsider(id, { verdict: 'promoted', why: `${file} says it` }, now())
    if (commit === null) return false
    await store.events.append({
      id: `promoted:${lessonId}`,
      at: now(),
      item: null,
      agentId: null,
      runId: null,
      state: null,
      event: { type: 'lesson.promoted', lessonId, file, branch, commit },
    })
    return true
  })
}

const NOTHING = { text: null, file: null, branch: null, commit: null }

async function write(
  world: PromoteWorld,
  { lesson, text, base }: { lesson: Lesson; text: string; base: string },
) {
  const before = await conventionsAt(world, base)
  const { file } = before
  const branch = branchFor(lesson.id)
  if (before.text !== null && isSaid(before.text, text))
    return { file, branch, commit: null, why: 'the file says it already' }
  const made = await world.git.commitFile({
    branch,
    base,
    path: file,
    text: withLesson(before.text, text),
    message: messageFor(lesson, file),
  })
  return { file, branch, commit: made.commit, why: null }
}

async function conventionsAt({ source }: PromoteWorld, at: string) {
  return fileFor({
    claude: await source.fileAt(at, 'CLAUDE.md'),
    agents: await source.fileAt(at, 'AGENTS.md'),
  })
}
