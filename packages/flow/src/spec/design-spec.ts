// From documents to a specification, by rules alone: everything that is read is a fact, nothing is asked.
import type { LayoutConfig } from '@treadle/contracts/config/specification'
import type { Specification, SpecTask, TargetComplexity } from '@treadle/contracts/specification'
import type { z } from 'zod'
import { type Feature, featuresOf } from './features.ts'
import {
  dataModelsOf,
  type FeatureFile,
  filesOf,
  modificationsOf,
  newFilesOf,
  sharedFilesOf,
} from './identify-files.ts'
import { applyPatterns, injectGotchas } from './inject-gotchas.ts'
import { keyOf, makeTasks } from './make-tasks.ts'
import { orderTasks } from './order-tasks.ts'
import { ownerOf } from './owners.ts'
import { type Profile, profileOf } from './profile.ts'
import { type Brief, readBrief } from './read-brief.ts'
import { carryOut, type SpecRequest, withoutLayers } from './requests.ts'
import { requirementsOf } from './requirements.ts'
import type { SpecContext } from './spec-context.ts'

export interface DesignFacts {
  readonly slug: string
  readonly context: SpecContext
  readonly complexity: TargetComplexity
  readonly requests: readonly string[]
  readonly testCommand: string | null
  readonly layout: z.output<typeof LayoutConfig>
}

/** What is known before numbers are given to migrations. */
export interface Outline {
  readonly brief: Brief
  readonly title: string
  readonly profile: Profile
  readonly features: readonly Feature[]
  readonly requested: SpecRequest
}

export function outlineOf({ slug, context, requests, layout }: DesignFacts): Outline {
  const brief = readBrief(context.required.brief)
  const requested = carryOut(requests, brief)
  const said = [...(requested.project === null ? [] : [requested.project]), brief.title, brief.solution]
  const beside = [context.required.readme.slice(0, 2_000), brief.text, context.optional.development ?? '']
  const found = profileOf({
    files: context.existingFiles,
    manifest: context.manifest,
    configured: layout,
    said,
    beside,
    title: brief.title === '' ? slug : brief.title,
  })
  const profile = { ...found, layout: withoutLayers(found.layout, requested.without) }
  const title = brief.title === '' ? slug : brief.title
  return { brief, title, profile, features: featuresOf(requested.features, profile.layout), requested }
}

export type Design = Pick<
  Specification,
  'title' | 'architecture' | 'requirements' | 'criteria' | 'newFiles' | 'modifications' | 'dataModels'
> & { readonly tasks: readonly SpecTask[] }

interface DesignMore {
  /** The number of each feature's migration, by its slug. */
  readonly numbers: ReadonlyMap<string, number>
  /** Tasks of the last generation, whose ids stay. */
  readonly before: readonly SpecTask[]
}

export function designSpec(facts: DesignFacts, outline: Outline, { numbers, before }: DesignMore): Design {
  const { context, complexity } = facts
  const { profile, features, brief, requested, title } = outline
  const tree = new Set(context.existingFiles)
  const full = complexity === 'full'
  const files = filesOf({ features, profile, full, numbers, files: tree })
  const shared = sharedFilesOf(files, profile, context.owners)
  const requirements = requirementsOf({
    features,
    readme: context.required.readme,
    brief: briefForDemands(brief, context),
    development: context.optional.development,
    others: Object.values(context.optional).filter((text) => text !== null),
  })
  const made = makeTasks({
    slug: facts.slug,
    title,
    features,
    files,
    shared,
    tree,
    requirements,
    criteria: requested.criteria,
    profile,
    commands: {
      testCommand: facts.testCommand,
      manifest: context.manifest,
      hasTsConfig: tree.has('tsconfig.json'),
      wanted: requested.runner,
    },
    full,
    ownerOf: (path) => ownerOf(context.owners, path),
    known: new Map(before.map((task) => [keyOf(task), task.id])),
  })
  const learned = applyPatterns(injectGotchas(made.tasks, context.gotchas), context.patterns)
  return {
    title,
    architecture: '',
    requirements,
    criteria: [...made.criteria],
    newFiles: allNewFiles(files, made.tasks, new Set(shared.map(({ path }) => path))),
    modifications: modificationsOf(shared, files, context.owners),
    dataModels: dataModelsOf(features),
    tasks: orderTasks(learned).tasks,
  }
}

/** Criteria stand in test tasks; what they demand is no requirement of its own. */
function briefForDemands(brief: Brief, context: SpecContext): string {
  return brief.criteria.reduce((text, criterion) => text.replace(criterion, ''), context.required.brief)
}

/** Those of features, what the project begins with, and tests of the whole; files that features share are changes. */
function allNewFiles(
  files: readonly FeatureFile[],
  tasks: readonly SpecTask[],
  shared: ReadonlySet<string>,
): Design['newFiles'] {
  const made = newFilesOf(files)
  const known = new Set(made.map(({ path }) => path))
  const whole = tasks
    .filter(({ action, file }) => action === 'CREATE' && !known.has(file) && !shared.has(file))
    .map(({ file, title, owner }) => ({ path: file, purpose: title, owner }))
  return [...made, ...whole]
}
