// Which model an engine asks, and what for: one place for all engines.
import { z } from 'zod'

/** What a model is asked for. */
export const MODEL_USES = ['build', 'improve', 'review', 'plan', 'idea', 'spec'] as const
export type ModelUse = (typeof MODEL_USES)[number]

const Use = z
  .string()
  .max(120)
  .regex(/^(default|build|improve|review|plan|idea|spec|category:\S.*)$/, {
    error: `must be default, ${MODEL_USES.join(', ')} or category:<name>`,
  })
const ModelName = z.string().min(1).max(200)

export const ModelsConfig = z
  .record(z.string().min(1).max(60), z.record(Use, ModelName))
  .default({})
  .describe(
    'By engine: { default, build, improve, review, plan, idea, spec, "category:<name>" }. What is left out is what the engine would use itself',
  )
export type ModelsConfig = z.infer<typeof ModelsConfig>

/** The current model of each family; a program that has a default of its own is not told one. */
const CURRENT: ReadonlyMap<string, string> = new Map([['native', 'claude-sonnet-5']])

/** What the programs are known to use where nobody says otherwise: to guess what a first call will cost. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['claude-code', 'claude-sonnet-5'],
  ['codex', 'gpt-6-sol'],
  ['gemini', 'gemini-3.1-pro-preview'],
])

export interface ModelAsked {
  readonly use?: ModelUse
  /** Models that wrote what is to be read: where another one is named for the engine, that one reads. */
  readonly authorModels?: readonly string[]
  /** What the item names itself goes before everything. */
  readonly item?: { readonly model?: string | null; readonly labels: readonly string[] }
}

/** Null: what the engine would use itself. */
export function modelFor(
  models: ModelsConfig,
  engine: string,
  { use, item, authorModels = [] }: ModelAsked = {},
): string | null {
  const own = Object.hasOwn(models, engine) ? (models[engine] ?? {}) : {}
  const keys = [...categoriesOf(item?.labels ?? []), ...(use === undefined ? [] : [use]), 'default']
  const named = new Map(Object.entries(own).map(([key, model]) => [key.toLowerCase(), model]))
  const found = keys.flatMap((key) => named.get(key) ?? [])
  const [first = CURRENT.get(engine) ?? null] = item?.model == null ? found : [item.model]
  if (use !== 'review' || named.has('review')) return first
  const isAuthor = (model: string) => authorModels.includes(model)
  const another = Object.values(own).find((model) => !isAuthor(model))
  return first !== null && isAuthor(first) ? (another ?? first) : first
}

/** As far as one can tell before the engine has said so. */
export function usualModel(models: ModelsConfig, engine: string): string | null {
  return modelFor(models, engine) ?? USUAL.get(engine) ?? null
}

/** A category is a label of the item: `architecture`, or `category:architecture`. */
function categoriesOf(labels: readonly string[]): string[] {
  return labels.map((label) => `category:${label.toLowerCase().replace(/^category:/, '')}`)
}

type Json = Record<string, unknown>

/** The programs that had one setting together. */
const ACP = ['codex', 'gemini', 'opencode', 'acp']
const OLD: readonly (readonly [section: string, engines: readonly string[]])[] = [
  ['native', ['native']],
  ['claude-code', ['claude-code']],
  ['acp', ACP],
]

/** Moves engines.native.model, engines.claude-code.model and engines.acp.model to where they belong now; names them. */
export function moveOldModels(settings: Json): string[] {
  const { engines } = settings
  return isObject(engines) ? OLD.flatMap(([name, targets]) => moveOne(engines, name, targets)) : []
}

function moveOne(engines: Json, name: string, targets: readonly string[]): string[] {
  const section = engines[name]
  if (!isObject(section) || !('model' in section)) return []
  const { model, ...rest } = section
  engines[name] = rest
  const models = objectOr(engines.models)
  const moved = targets.map((target) => [target, { default: model, ...objectOr(models[target]) }])
  engines.models = model === null ? models : { ...models, ...Object.fromEntries(moved) }
  const key = targets.length === 1 ? name : '<engine>'
  return [`engines.${name}.model is engines.models.${key}.default now; it is read as that`]
}

function objectOr(value: unknown): Json {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
