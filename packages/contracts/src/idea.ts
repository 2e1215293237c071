// An idea: a talk with a person that becomes documents, and what was understood of it so far.
import { z } from 'zod'
import { Instant } from './ids.ts'

/** A folder's name: what stands in addresses and paths. */
export const Slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be small letters and digits, with single hyphens between them')
export type Slug = z.infer<typeof Slug>

export const IdeaPhase = z.enum(['EXPLORING', 'NARROWING', 'VALIDATING', 'REFINING', 'COMPLETE'])
export type IdeaPhase = z.infer<typeof IdeaPhase>

export const IdeaStatus = z.enum(['active', 'complete', 'archived'])
export type IdeaStatus = z.infer<typeof IdeaStatus>

export const ArtifactType = z.enum([
  'target-user',
  'problem',
  'solution-concept',
  'mvp-features',
  'differentiator',
  'brief',
])
export type ArtifactType = z.infer<typeof ArtifactType>

const share = z.number().min(0).max(1)
const AuthorKind = z.enum(['person', 'model'])

/** Something that was understood; a later one of the same type takes its place, but no model's that of a person. */
export const Artifact = z.strictObject({
  type: ArtifactType,
  /** One or two lines. */
  summary: z.string().min(1).max(500),
  text: z.string().min(1).max(20_000),
  confidence: share,
  by: AuthorKind.default('person'),
})
export type Artifact = z.infer<typeof Artifact>

export const IdeaDecision = z.strictObject({
  /** A validation is an assumption and what speaks for it; done is a criterion that says when the work is done. */
  type: z.enum(['validation', 'scope', 'done']),
  text: z.string().min(1).max(20_000),
})
export type IdeaDecision = z.infer<typeof IdeaDecision>

export const IdeaRisk = z.strictObject({ text: z.string().min(1).max(20_000) })
export type IdeaRisk = z.infer<typeof IdeaRisk>

/** What a talk has brought so far. */
export const IdeaSignals = z.strictObject({
  artifacts: z.array(Artifact).max(50),
  decisions: z.array(IdeaDecision).max(200),
  risks: z.array(IdeaRisk).max(200),
  confidence: share,
})
export type IdeaSignals = z.infer<typeof IdeaSignals>

export const MESSAGE_CHARS_MAX = 20_000

export const IdeaMessage = z.strictObject({
  id: z.uuid(),
  role: z.enum(['user', 'assistant']),
  /** Who wrote it: a person's name, or the engine. */
  by: z.string().min(1).max(200),
  content: z.string().min(1).max(100_000),
  /** What this message alone brought. */
  signals: IdeaSignals.nullable(),
  timestamp: Instant,
})
export type IdeaMessage = z.infer<typeof IdeaMessage>

/** A question of the talk that is still open. */
export const IdeaQuestion = z.strictObject({
  /** The field of the interview that its answer fills, such as target-user or validation-2; or a model's own. */
  id: z.string().min(1).max(100),
  text: z.string().min(1).max(4_000),
  options: z.array(z.string().max(200)).max(20),
})
export type IdeaQuestion = z.infer<typeof IdeaQuestion>

/** A file of an idea: written from the store, read back when a person has edited it. */
export const IdeaDocument = z.strictObject({
  /** Relative to the workspace. */
  path: z.string().min(1).max(500),
  /** written: as Treadle wrote it; edited: a person changed it since, and theirs counts; beside: what Treadle would have written stands in `besidePath`. */
  state: z.enum(['written', 'edited', 'beside', 'missing']),
  besidePath: z.string().nullable(),
  /** Why it could not be read, or not be written when that was tried last. */
  why: z.string().nullable(),
})
export type IdeaDocument = z.infer<typeof IdeaDocument>

/** How one talks: with an engine that asks a model, or an interview without one. */
export const IdeaMode = z.enum(['engine', 'interview'])
export type IdeaMode = z.infer<typeof IdeaMode>

export const Idea = z.strictObject({
  slug: Slug,
  /** The folder of whoever has it, under ideas.dir. */
  userSlug: Slug,
  /** The sentence that it began with. */
  title: z.string().min(1).max(300),
  phase: IdeaPhase,
  status: IdeaStatus,
  mode: IdeaMode,
  /** Who answers; null: nobody, it is an interview. */
  engine: z.string().max(60).nullable(),
  /** Why it is an interview although an engine was wanted. */
  modeWhy: z.string().max(1_000).nullable(),
  signals: IdeaSignals,
  questions: z.array(IdeaQuestion).max(10),
  /** When the first artifact was saved: from then on it is a candidate, with a folder of its own. */
  candidateAt: Instant.nullable(),
  completedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Idea = z.infer<typeof Idea>

/** What a talk, or a specification, waits for, and what can be done about it. */
export const WaitingFor = z.strictObject({
  reason: z.enum(['no_agent', 'paused', 'engine_rests', 'no_money', 'busy']),
  words: z.string(),
  hint: z.string(),
  /** When a talk goes on as an interview unless that changes; null: it waits until somebody has time. */
  until: Instant.nullable(),
})
export type WaitingFor = z.infer<typeof WaitingFor>

/** An idea as it is shown: the same over the API, on the command line and on the page. */
export const IdeaView = z.strictObject({
  slug: Slug,
  userSlug: Slug,
  title: z.string(),
  phase: IdeaPhase,
  status: IdeaStatus,
  mode: IdeaMode,
  engine: z.string().nullable(),
  modeWhy: z.string().nullable(),
  /** The last words of the assistant. */
  reply: z.string().nullable(),
  /** A model is thinking about the last message. */
  waiting: z.boolean(),
  /** Why nobody is at it yet; null: somebody is, or can be. */
  waitingFor: WaitingFor.nullable(),
  questions: z.array(IdeaQuestion),
  artifacts: z.array(Artifact),
  decisions: z.array(IdeaDecision),
  risks: z.array(IdeaRisk),
  confidence: share,
  /** What the present phase still lacks, in words. */
  missing: z.array(z.string()),
  /** The folder of its documents, relative to the workspace; null until there is one. */
  folder: z.string().nullable(),
  documents: z.array(IdeaDocument),
  messageCount: z.int().min(0),
  createdAt: Instant,
  updatedAt: Instant,
})
export type IdeaView = z.infer<typeof IdeaView>
