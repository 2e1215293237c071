// Plans and verdicts that a model gives as JSON, read strictly.
import { SubTask } from '@treadle/contracts/paor'
import { z } from 'zod'
import type { Judgement, PlanDraft } from './thinker.ts'

/** Without bounds, which not every provider takes in a schema; what is too long is cut. */
export const PlanAnswer = z.strictObject({
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      dependsOn: z.array(z.string()),
      by: z.enum(['self', 'explore']),
    }),
  ),
  scope: z.array(z.string()),
  why: z.string(),
})

export const VerdictAnswer = z.strictObject({
  verdict: z.enum(['achieved', 'not_yet', 'needs_user', 'impossible']),
  why: z.string(),
  remaining: z.array(z.string()),
  question: z.string().nullable(),
})

const TASKS_MAX = 50
const TEXT_MAX = 4_000

/** `goal` stands for a plan that names nothing to be done. */
export function draftOf({ tasks, scope, why }: z.infer<typeof PlanAnswer>, goal: string): PlanDraft {
  const kept = tasks.slice(0, TASKS_MAX).map(({ id, text, dependsOn, by }) =>
    SubTask.parse({
      id: idOf(id) || 'task',
      text: text.slice(0, TEXT_MAX) || goal.slice(0, TEXT_MAX),
      dependsOn: dependsOn.flatMap((other) => idOf(other) || []).slice(0, TASKS_MAX),
      by,
    }),
  )
  return {
    tasks: kept.length === 0 ? [SubTask.parse({ id: 'goal', text: goal.slice(0, TEXT_MAX) })] : kept,
    scope: scope.filter((path) => path !== '').slice(0, TASKS_MAX),
    why: why.slice(0, TEXT_MAX),
  }
}

export function judgementOf({ verdict, why, remaining, question }: z.infer<typeof VerdictAnswer>): Judgement {
  return {
    verdict,
    why: why.slice(0, TEXT_MAX),
    remaining: remaining.flatMap((text) => (text === '' ? [] : [text.slice(0, 1_000)])).slice(0, TASKS_MAX),
    question: question?.slice(0, 2_000) ?? null,
  }
}

/** Cut alike wherever it stands, so that what depends on it still names it. */
const idOf = (id: string) => id.trim().slice(0, 60)

/** The JSON of an answer: all of it, or what stands in its last fence. Null: there is none. */
export function jsonIn(text: string): unknown {
  const fenced = [...text.matchAll(/```(?:json)?\s*([\s\S]*?)```/g)].at(-1)?.[1]
  try {
    return JSON.parse((fenced ?? text).trim())
  } catch {
    return null
  }
}
