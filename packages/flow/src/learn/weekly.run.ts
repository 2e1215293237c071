// Tells once a week what was learned in it, where questions that only mark progress are wanted.
import { type QuestionWorld, runTrigger } from '../ask/question.run.ts'
import type { Store } from '../ports/store.ts'
import { lastWeek, type Week, weeklyFacts } from './weekly.ts'

const LESSONS_MAX = 1_000
const SUMMARY = 'weekly_summary'

export type WeeklyWorld = QuestionWorld & { readonly store: Pick<Store, 'lessons' | 'promotions'> }

/** Part of every sweep; the week that it has seen to last is handed from one to the next. */
export async function runWeekly(world: WeeklyWorld, seen: string | null): Promise<string | null> {
  if (!world.config().questions.celebrate) return seen
  const week = lastWeek(world.now())
  if (week.name === seen) return seen
  const lessons = await world.store.lessons.list({ all: true, limit: LESSONS_MAX })
  const facts = weeklyFacts(lessons, week, await promotedIn(world, lessons, week))
  if (facts !== null)
    await runTrigger(world, {
      agent: 'sia',
      event: SUMMARY,
      facts: { ...facts },
      about: { subject: `week:${week.name}` },
    })
  return week.name
}

async function promotedIn(
  { store }: WeeklyWorld,
  lessons: readonly { readonly id: string; readonly verdict: string }[],
  { since, until }: Week,
): Promise<number> {
  let count = 0
  for (const { id } of lessons.filter(({ verdict }) => verdict === 'promoted')) {
    const promotion = await store.promotions.find(id)
    if (promotion?.status !== 'promoted' || promotion.decidedAt === null) continue
    if (promotion.decidedAt >= since && promotion.decidedAt < until) count += 1
  }
  return count
}
