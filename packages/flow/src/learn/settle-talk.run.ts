// The end of a talk, and what it says about the lessons that it was told, or that were kept from it.
import type { Idea } from '@treadle/contracts/idea'
import type { Lesson } from '@treadle/contracts/lesson'
import type { IdeaRetrospective } from '@treadle/contracts/planning-retrospective'
import type { Thought } from '@treadle/contracts/thought'
import { talkRunId } from '../idea/taught.run.ts'
import type { Store } from '../ports/store.ts'
import { lessonsOfIdea } from './idea-lessons.ts'
import { judgeTrial, type TrialJudgeWorld } from './trial.run.ts'

export interface SettleTalkWorld extends TrialJudgeWorld {
  readonly store: TrialJudgeWorld['store'] & Pick<Store, 'thoughts'>
  readonly repository: string
}

const THOUGHTS_MAX = 1_000

interface EndedTalk {
  readonly idea: Pick<Idea, 'slug' | 'mode'>
  readonly reviewed: Pick<IdeaRetrospective, 'gaps'>
  /** The folder of ideas. */
  readonly dir: string
}

/** Within the transaction that keeps the look back on a talk; a second time finds nothing to settle. */
export async function settleTalk(world: SettleTalkWorld, { idea, reviewed, dir }: EndedTalk): Promise<void> {
  const { store, now, repository } = world
  const runId = talkRunId(repository, idea.slug)
  await store.lessonUses.lockDraws()
  const open = (await store.lessonUses.ofRun(runId)).filter(({ settledAt }) => settledAt === null)
  if (open.length === 0) return
  const lessons = await store.lessons.some(open.map(({ lessonId }) => lessonId))
  const lessonOf = new Map(lessons.map((lesson) => [lesson.id, lesson]))
  const avoided = new Set(lessonsOfIdea(reviewed, dir).map(({ lesson }) => lesson.content))
  const usd = costOf(await store.thoughts.list({ subject: idea.slug, limit: THOUGHTS_MAX }))
  const outcomeOf = (lesson: Lesson | undefined) => {
    // What an interview asks is written down beforehand: no lesson was told at its end.
    if (idea.mode !== 'engine' || lesson === undefined) return null
    if (lesson.type === 'gotcha' && lesson.discoveredBy === 'sia')
      return avoided.has(lesson.content) ? 'bad' : 'good'
    return reviewed.gaps.length === 0 ? 'good' : 'bad'
  }
  await store.lessonUses.settle(
    runId,
    open.map(({ lessonId }) => ({ lessonId, outcome: outcomeOf(lessonOf.get(lessonId)), usd })),
    now(),
  )
  for (const { lessonId, drawn } of open) {
    const lesson = lessonOf.get(lessonId)
    if (drawn && lesson !== undefined) await judgeTrial(world, { item: null, runId: null }, lesson)
  }
}

function costOf(thoughts: readonly Thought[]): number {
  return thoughts.filter(({ use }) => use === 'idea').reduce((sum, { costUSD }) => sum + (costUSD ?? 0), 0)
}
