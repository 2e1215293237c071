// Which features work on what another one keeps, told by its name: what finds bicycles needs those who are listed.
import type { Feature } from './features.ts'
import { tellingWords } from './names.ts'

export type FeatureNeeds = ReadonlyMap<Feature, readonly Feature[]>

/** Never in a circle: of two features that speak of each other the later one needs the earlier. */
export function needsOf(features: readonly Feature[]): FeatureNeeds {
  const keepers = features.filter(({ kind }) => kind.requiresData || kind.hasEntities)
  const needs = new Map<Feature, Feature[]>(features.map((feature) => [feature, []]))
  const wanted = features.flatMap((feature, at) => {
    const words = new Set(wordsOf(feature))
    return keepers
      .filter((keeper) => keeper !== feature && thingsOf(keeper).some((thing) => words.has(thing)))
      .map((keeper) => ({ feature, keeper, isLater: features.indexOf(keeper) < at }))
  })
  for (const { feature, keeper } of wanted.toSorted((a, b) => Number(b.isLater) - Number(a.isLater)))
    if (!reaches(keeper, feature, needs)) needs.get(feature)?.push(keeper)
  return needs
}

function wordsOf({ name, description, details }: Feature): string[] {
  return tellingWords([name, description, ...details].join(' '))
}

/** What it keeps: the last word of its name, and those that its own words come back to. */
function thingsOf({ name, description, details }: Feature): string[] {
  const named = tellingWords(name)
  const again = new Set(tellingWords([description, ...details].join(' ')))
  return named.filter((word, nth) => nth === named.length - 1 || again.has(word))
}

function reaches(from: Feature, to: Feature, needs: FeatureNeeds): boolean {
  const seen = new Set([from])
  // A set goes on with what is added while it is gone through.
  for (const feature of seen) for (const next of needs.get(feature) ?? []) seen.add(next)
  return seen.has(to)
}
