// What a model writes of a specification: requirements, architecture, data and tasks. Owners, gotchas, numbers of
// migrations and lasting ids are given by Treadle.
import { z } from 'zod'
import { DataModel, Requirement, SpecTask, TaskId } from './specification.ts'

const REQUIREMENTS_MAX = 300
const TASKS_MAX = 200

export const WrittenTask = z.object({
  id: TaskId,
  phase: SpecTask.shape.phase,
  title: SpecTask.shape.title,
  file: z.string().min(1).max(500),
  action: SpecTask.shape.action,
  dependsOn: SpecTask.shape.dependsOn.default([]),
  requirements: SpecTask.shape.requirements.default([]),
  /** Ids of acceptance criteria of the brief that a test task shows. */
  criteria: z.array(z.string().max(20)).max(100).default([]),
  acceptance: z.array(z.string().max(2_000)).max(100).default([]),
  validation: SpecTask.shape.validation,
  estimateHours: SpecTask.shape.estimateHours.default(1),
  template: SpecTask.shape.template.default(null),
})
export type WrittenTask = z.infer<typeof WrittenTask>

/** The kind is in the id. */
export const WrittenRequirement = z.object({
  id: Requirement.shape.id,
  text: Requirement.shape.text,
  feature: Requirement.shape.feature.default(null),
})

export const WrittenSpecification = z.object({
  architecture: z.string().max(10_000).default(''),
  requirements: z.array(WrittenRequirement).min(1).max(REQUIREMENTS_MAX),
  dataModels: z
    .array(z.object({ name: DataModel.shape.name, fields: DataModel.shape.fields }))
    .max(100)
    .default([]),
  tasks: z.array(WrittenTask).min(1).max(TASKS_MAX),
  /** What a person should still decide. */
  open: z.array(z.string().min(1).max(1_000)).max(30).default([]),
})
export type WrittenSpecification = z.infer<typeof WrittenSpecification>

/** Limits are told with what does not hold: an engine that checked them itself would end without an answer. */
const LIMITS = ['$schema', 'default', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum']
const MORE_LIMITS = ['maximum', 'exclusiveMinimum', 'additionalProperties']

type Json = z.infer<ReturnType<typeof z.json>>

/** JSON schema of the answer, without limits. */
export function writtenSchema(): Record<string, Json> {
  // What may be left out is not asked for: a program that holds a model to the schema would refuse the whole of it.
  const schema = z.toJSONSchema(WrittenSpecification, { io: 'input' }) as Json
  return withoutLimits(schema) as Record<string, Json>
}

function withoutLimits(given: Json): Json {
  if (Array.isArray(given)) return given.map(withoutLimits)
  if (typeof given !== 'object' || given === null) return given
  const kept = Object.entries(given).filter(([key]) => ![...LIMITS, ...MORE_LIMITS].includes(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutLimits(value)]))
}
