// How much of a brief comes through the rules: shares of one specification, without a store, files or a model.
import type { SpecTask, SpecValidation } from '@treadle/contracts/specification'
import { designSpec, outlineOf } from '@treadle/flow/spec/design-spec'
import { NO_OWNERS } from '@treadle/flow/spec/owners'
import type { SpecContext } from '@treadle/flow/spec/spec-context'
import { validateSpec } from '@treadle/flow/spec/validate-spec'
import type { BenchBrief } from './briefs.ts'

export interface Measured {
  readonly kind: string
  readonly profile: string
  readonly tasks: readonly SpecTask[]
  readonly validation: SpecValidation
}

export function measure({ slug, kind, files, testCommand, readme, brief }: BenchBrief): Measured {
  const context: SpecContext = {
    required: { readme, brief },
    optional: {
      targetUsers: null,
      problemSolution: null,
      development: null,
      marketResearch: null,
      competitiveResearch: null,
      technicalResearch: null,
      mvpScope: null,
    },
    conventions: [],
    gotchas: [],
    patterns: [],
    existingFiles: files,
    manifest: files.includes('package.json') ? '{}' : null,
    owners: NO_OWNERS,
    templates: { spec: '', tasks: '', why: [] },
  }
  const facts = { slug, context, complexity: 'mvp' as const, requests: [], testCommand, layout: {} }
  const outline = outlineOf(facts)
  const numbers = new Map(outline.features.map((feature, nth) => [feature.slug, nth + 1]))
  const design = designSpec(facts, outline, { numbers, before: [] })
  const validation = validateSpec({ ...design, features: outline.features, missing: [] })
  return {
    kind,
    profile: `${outline.profile.kind}, ${outline.profile.language}`,
    tasks: design.tasks,
    validation,
  }
}
