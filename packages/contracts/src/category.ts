// The categories in which the crew looks for improvements by itself, and how each of them does.
import { z } from 'zod'
import { Category } from './categories.ts'
import { AgentId, Instant, ItemRef } from './ids.ts'

/** Why a category is not looked at now. */
export const CategoryOff = z.enum([
  /** agents.enabledCategories does not name it. */
  'disabled',
  /** Nothing worth doing was found in it, or nothing that held. */
  'exhausted',
  /** So many improvements of it are open that more would only pile up. */
  'many_open',
  /** As many as a day may bring have come. */
  'enough_today',
  /** People gave its improvements few points. */
  'low_value',
  /** Somebody is looking already. */
  'under_way',
  /** It needs a model, or its template is not there. */
  'not_possible',
])
export type CategoryOff = z.infer<typeof CategoryOff>

const count = z.int().min(0)

export const CategoryView = z.strictObject({
  category: Category,
  /** Null: it is looked at when its turn comes. */
  off: z.strictObject({ why: CategoryOff, words: z.string().min(1).max(500) }).nullable(),
  lastUsedAt: Instant.nullable(),
  exhaustedUntil: Instant.nullable(),
  /** Improvements that the crew has written up in it, and what became of them. */
  projectsGenerated: count,
  open: count,
  merged: count,
  withdrawn: count,
  /** Answers that were not taken: none, a duplicate, too long, not to be read. */
  refused: count,
  /** The mean of the points that people gave, from 0 to 10; null: nobody gave any. */
  value: z.number().min(0).max(10).nullable(),
  valued: count,
  /** What looking has cost. */
  costUSD: z.number().min(0),
  /** Improvements by week, the newest first, with the Monday on which it begins; weeks without any are left out. */
  weekly: z.array(z.strictObject({ week: z.iso.date(), generated: z.int().min(1) })).max(60),
})
export type CategoryView = z.infer<typeof CategoryView>

export const NextCategory = z.strictObject({
  /** Null: there is none to look at now. */
  category: Category.nullable(),
  /** Why the crew does not look for improvements now, or why no category can be looked at; null: it may. */
  why: z.string().nullable(),
})
export type NextCategory = z.infer<typeof NextCategory>

/** An item that the crew has thought of itself. */
export const SelfGenerated = z.strictObject({
  item: ItemRef,
  category: Category,
  /** Null: a program of the daemon. */
  ideatedByAgentId: AgentId.nullable(),
  createdAt: Instant,
})
export type SelfGenerated = z.infer<typeof SelfGenerated>

/** What came of a look for an improvement. */
export const IdeationOutcome = z.enum([
  'project',
  'none',
  'duplicate',
  'too_long',
  'too_few_criteria',
  'unknown_dependency',
  'unreadable',
  'not_created',
  /** Nobody has answered. */
  'failed',
  'withdrawn',
])
export type IdeationOutcome = z.infer<typeof IdeationOutcome>

/** How much a merged change was worth to whoever wanted the project better. */
export const ValueScore = z.int().min(0).max(10)
