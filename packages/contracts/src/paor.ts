// Plan, act, observe, reflect: what each phase of a goal leaves behind.
import { z } from 'zod'
import { AgentQuestion, AnswerSource, QuestionOption, QuestionType } from './question.ts'

/** Exactly these; an intervention of a person is waited for inside `reflecting`. */
export const PaorState = z.enum([
  'idle',
  'planning',
  'acting',
  'observing',
  'reflecting',
  'complete',
  'failed',
])
export type PaorState = z.infer<typeof PaorState>

/** Why a loop is over, or waits. */
export const PaorOutcome = z.enum(['goal_achieved', 'max_iterations', 'needs_user', 'unrecoverable'])
export type PaorOutcome = z.infer<typeof PaorOutcome>

/** What makes an item a goal: it is planned, acted on, observed and reflected upon until it is reached. */
export const GOAL_LABEL = 'goal'

export function isGoal({ labels }: { readonly labels: readonly string[] }): boolean {
  return labels.includes(GOAL_LABEL)
}

const text = (max: number) => z.string().min(1).max(max)

/** A part of a plan, done after those that it depends on. */
export const SubTask = z.strictObject({
  id: text(60),
  text: text(4_000),
  dependsOn: z.array(text(60)).max(50).default([]),
  /** explore: a reader of its own, which changes nothing and answers with a summary. */
  by: z.enum(['self', 'explore']).default('self'),
})
export type SubTask = z.infer<typeof SubTask>

export const Plan = z.strictObject({
  /** 1 for the first. */
  iteration: z.int().min(1),
  tasks: z.array(SubTask).min(1).max(50),
  /** Folders and files that the plan keeps to, relative to the worktree; empty: all of it. */
  scope: z.array(text(1_000)).max(50).default([]),
  /** What people said that this plan follows, in their words. */
  guidance: z.array(text(4_000)).max(50).default([]),
  why: z.string().max(4_000).default(''),
})
export type Plan = z.infer<typeof Plan>

/** A command that says whether the goal is reached; its exit code stands above any opinion. */
export const Verified = z.strictObject({
  command: text(2_000),
  exitCode: z.int().nullable(),
  output: z.string().max(8_000),
})
export type Verified = z.infer<typeof Verified>

export const Reflection = z.strictObject({
  iteration: z.int().min(1),
  verdict: z.enum(['achieved', 'not_yet', 'needs_user', 'impossible']),
  why: z.string().max(4_000),
  /** What is still to be done. */
  remaining: z.array(text(1_000)).max(50).default([]),
  /** What a person is asked; only with needs_user. */
  question: z.string().max(2_000).nullable().default(null),
  /** The same plan or the same failure three times over. */
  stuck: z.boolean().default(false),
  verified: Verified.nullable().default(null),
})
export type Reflection = z.infer<typeof Reflection>

/** What a person says to a run at work. */
export const Guidance = z.strictObject({
  id: z.uuid(),
  by: text(200),
  text: text(4_000),
  /** The question that it answers, if it answers one. */
  answers: text(100).nullable().default(null),
  /** What was asked, where nobody waited for the answer; in the words of whoever asked, not of the person. */
  about: text(2_000).optional(),
  /** How the system came to it; left out where a person said it. */
  how: AnswerSource.exclude(['person']).optional(),
})
export type Guidance = z.infer<typeof Guidance>

export const QuestionDetail = z.strictObject({
  type: QuestionType,
  context: AgentQuestion.shape.context,
  choices: z.array(QuestionOption).max(20),
  allowFreeText: z.boolean(),
  header: AgentQuestion.shape.header,
  multiple: AgentQuestion.shape.multiple,
  defaultOption: AgentQuestion.shape.defaultOption,
  /** False: the engine goes on, and hears the answer when there is one. */
  blocking: z.boolean(),
  tags: AgentQuestion.shape.tags,
})
export type QuestionDetail = z.infer<typeof QuestionDetail>

/** One of the questions of a form, which has an answer of its own. */
export const QuestionPart = z.strictObject({
  /** Under this its answer goes back to whoever asked. */
  name: text(2_000),
  title: text(2_000),
  detail: QuestionDetail,
})
export type QuestionPart = z.infer<typeof QuestionPart>

/** An event of the catalogue of the build agent that comes up in a run, with its facts. */
export const CatalogueEvent = z.strictObject({
  event: z.enum(['missing_context']),
  facts: z.record(text(60), z.string().max(4_000)),
})
export type CatalogueEvent = z.infer<typeof CatalogueEvent>

/** What an engine wants to know before it goes on. */
export const Question = z.strictObject({
  id: text(100),
  kind: z.enum(['choice', 'permission', 'form', 'guidance']),
  title: text(2_000),
  options: z.array(z.string().max(500)).max(50),
  /** What a permission is asked for. */
  tool: z.string().max(100).optional(),
  /** What that tool would be called with; of a choice between patches, the call that they answer differently. */
  input: z.string().max(8_000).optional(),
  /** How it was asked by an engine that knows the questioning module; without it, whoever asks waits. */
  detail: QuestionDetail.optional(),
  /** The questions of a form, which are put one after the other. */
  parts: z.array(QuestionPart).max(20).optional(),
  /** It is asked in the words of the catalogue; the title is for whoever is told the answer. */
  catalogue: CatalogueEvent.optional(),
})
export type Question = z.infer<typeof Question>

/** The end of a goal, in words for whoever asked for it. */
export const GoalEnd = z.strictObject({
  outcome: PaorOutcome,
  iterations: z.int().min(0),
  summary: z.string().max(8_000),
})
export type GoalEnd = z.infer<typeof GoalEnd>
