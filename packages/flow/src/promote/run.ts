// Lessons that have proved themselves go into CLAUDE.md, if a person says so: on a branch of their own, once.
import type { Lesson } from '@treadle/contracts/lesson'
import type { MergeGit, Promotion, WorktreeGit } from '../ports.ts'
import { type QuestionWorld, runTrigger } from '../question/run.ts'
import {
  branchFor,
  CONFIDENCE_MIN,
  decidePromotion,
  fileFor,
  isSaid,
  messageFor,
  OCCURRENCES_MIN,
  readAnswer,
  withLesson,
} from './decide.ts'

export interface PromoteWorld {
  readonly questions: QuestionWorld
  readonly git: Pick<MergeGit, 'latest' | 'commitFile'>
  readonly source: Pick<WorktreeGit, 'fileAt'>
  readonly target: string
}

const CANDIDATES_MAX = 20
const ASKED_MAX = 50

/** Asks about each lesson that qualifies; answers how many. */
export async function runPropose(world: PromoteWorld): Promise<number> {
  const { store } = world.questions
  const least = { confidence: CONFIDENCE_MIN, occurrences: OCCURRENCES_MIN, limit: CANDIDATES_MAX }
  const lessons = await store.lessons.some(await store.promotions.candidates(least))
  if (lessons.length === 0) return 0
  const { text } = await conventionsAt(world, world.target)
  let asked = 0
  for (const lesson of lessons) {
    const before = await store.promotions.find(lesson.id)
    if (decidePromotion({ lesson, text, before }).is === 'ask' && (await ask(world, lesson))) asked += 1
  }
  return asked
}

async function ask({ questions }: PromoteWorld, lesson: Lesson): Promise<boolean> {
  const { id, confidence, occurrences, content } = lesson
  const [asked] = await runTrigger(questions, {
    agent: 'sia',
    event: 'claude_md_promotion',
    facts: {
      pattern: { text: content, confidence, occurrences },
      count: occurrences,
      proposed_addition: `- ${content}`,
    },
    // Asked once for each time that it has been seen twice as often.
    about: { subject: `lesson ${id} at ${occurrences}` },
  })
  if (asked === undefined || asked.is === 'not_asked') return false
  const { store, now } = questions
  return store.promotions.ask({ lessonId: id, questionId: asked.question.id, occurrences, askedAt: now() })
}

/** What was answered is done; answers how many lessons were promoted. */
export async function runPromote(world: PromoteWorld): Promise<number> {
  const { store } = world.questions
  let promoted = 0
  for (const promotion of await store.promotions.asked(ASKED_MAX)) {
    const question = promotion.questionId === null ? null : await store.questions.find(promotion.questionId)
    const over = question === null || question.record.status !== 'open'
    if (over && (await follow(world, promotion, question?.record.answer ?? null))) promoted += 1
  }
  return promoted
}

async function follow(
  world: PromoteWorld,
  { lessonId }: Promotion,
  answer: { option: string | null; text: string } | null,
): Promise<boolean> {
  const { store, now, config } = world.questions
  const lesson = await store.lessons.find(lessonId)
  const choice = answer === null || lesson === null ? null : readAnswer(answer, lesson.content)
  if (choice === null || lesson === null || choice.is === 'decline') {
    const why = choice?.is === 'decline' ? choice.why : 'there was no answer'
    await store.promotions.decide(
      lessonId,
      { ...NOTHING, status: 'declined', why: why.slice(0, 1_000) },
      now(),
    )
    return false
  }
  const { commit: base } = await world.git.latest(world.target, config().limits.fetchMs)
  return store.tx(async () => {
    // One at a time, on whichever daemon: the row says whether it was done.
    if ((await store.promotions.lock(lessonId))?.status !== 'asked') return false
    const written = await write(world, { lesson, text: choice.text, base })
    await store.promotions.decide(lessonId, { ...written, status: 'promoted', text: choice.text }, now())
    if (written.commit === null) return false
    const { file, branch, commit } = written
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
