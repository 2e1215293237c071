// Features as they go through a specification: with a slug of their own, and what each needs.
import { type FeatureKind, kindOf } from './feature-kind.ts'
import type { Layout } from './layouts.ts'
import { slugOf, uniqueSlug, writtenSlugOf } from './names.ts'
import type { BriefFeature } from './read-brief.ts'

export interface Feature extends BriefFeature {
  readonly slug: string
  readonly kind: FeatureKind
}

export function featuresOf(given: readonly BriefFeature[], layout: Layout): Feature[] {
  const taken = new Set<string>()
  return given.map((feature, nth) => {
    const slug = uniqueSlug(slugOf(feature.name, writtenSlugOf(feature.name) || `feature-${nth + 1}`), taken)
    taken.add(slug)
    return { ...feature, slug, kind: kindOf(feature, layout) }
  })
}
