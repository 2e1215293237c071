// Carries out what a person asks for, as far as rules understand it; what they do not understand stands in the document.
import { type Generated, runGenerate } from './generate.run.ts'
import type { SpecRefusal, SpecWorld } from './spec-world.ts'

const REQUESTS_MAX = 50

export async function runRevise(
  world: SpecWorld,
  { slug, text, by }: { readonly slug: string; readonly text: string; readonly by: string },
): Promise<Generated> {
  const kept = await world.store.specifications.find(slug)
  if (kept === null) return unknownSpec(slug)
  if (kept.spec.requests.length >= REQUESTS_MAX)
    return {
      is: 'refused',
      message: `${REQUESTS_MAX} changes of ${slug} were asked for already.`,
      hint: 'Put what should be so into planning/brief.md, and generate again.',
    }
  return runGenerate(world, {
    ideaSlug: slug,
    userSlug: kept.spec.userSlug,
    complexity: null,
    revision: { by, text },
  })
}

export function unknownSpec(slug: string): SpecRefusal {
  return {
    is: 'unknown',
    message: `There is no specification ${slug}.`,
    hint: `Make it: treadle spec generate ${slug}; treadle spec list shows what there is.`,
  }
}
